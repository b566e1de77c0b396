/** Windows that hold panes of the desk: the same page at `#w=ID`, with the same rights; they live no longer than the desk's window. */
import { app, type BrowserWindow } from 'electron';
import { reloadAfterCrash } from './crashes.ts';
import { openPlaced } from './place.ts';
import { recallPane, rememberPane } from './remembered.ts';

export interface PaneWindows {
  /** Opens the window of this id, or brings it to the front. Its id was checked (security/navigation.ts). */
  readonly open: (id: string) => void;
  readonly closeAll: () => void;
}

/** A page that goes wrong must not cover the screen with windows. */
const MOST = 16;
const SIZE = { width: 960, height: 720 } as const;

export function createPaneWindows({ preload, page, report }: { readonly preload: string; readonly page: string; readonly report: (what: string, error: unknown) => void }): PaneWindows {
  const windows = new Map<string, BrowserWindow>();
  return {
    open(id) {
      const known = windows.get(id);
      if (known !== undefined) return known.isMinimized() ? known.restore() : known.focus();
      if (windows.size >= MOST) return report('opening a window of panes', new Error(`${MOST} are open already`));
      const folder = app.getPath('userData');
      const window = openPlaced({ preload, kept: recallPane(folder, id), size: SIZE, keep: (place) => rememberPane(folder, id, place) });
      windows.set(id, window);
      window.on('closed', () => windows.delete(id));
      const address = new URL(`#w=${id}`, page).href;
      reloadAfterCrash(window, address);
      window.loadURL(address).catch((error: unknown) => report('loading a window of panes', error));
    },
    closeAll() {
      for (const window of windows.values()) window.close();
    },
  };
}
