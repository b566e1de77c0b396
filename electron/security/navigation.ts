/** A window shows our page for all its life: nothing can lead it, or a frame or window that it asks for, anywhere else. */
import type { App, Shell, WebContents } from 'electron';
import { externalAddress } from './externalLinks.ts';

/** The id in `PAGE#w=ID`, a window of the desk's panes; null for every other address. The rest is compared whole: same origin would let any served file in. */
export function paneWindowId(target: string, page: string): string | null {
  const id = /^[^#]*#w=([a-z0-9]{4,16})$/.exec(target)?.[1];
  return id !== undefined && URL.canParse(target) && new URL(target).href === new URL(`#w=${id}`, page).href ? id : null;
}

/** Only the very page again (a reload), as desk or as a window of panes. */
export const isOwnPage = (target: string, page: string): boolean => URL.canParse(target) && (new URL(target).href === new URL(page).href || paneWindowId(target, page) !== null);

type Watched = Pick<WebContents, 'on' | 'setWindowOpenHandler'>;

export interface Ways {
  readonly page: string;
  readonly shell: Pick<Shell, 'openExternal'>;
  /** Opens the window of panes of this id. */
  readonly openPanes: (id: string) => void;
}

/** For each web contents as it is made, whoever makes it: page, frame, webview or popup. */
export function lockNavigation(app: Pick<App, 'on'>, ways: Ways): void {
  app.on('web-contents-created', (_event, contents: Watched) => lockContents(contents, ways));
}

export function lockContents(contents: Watched, { page, shell, openPanes }: Ways): void {
  contents.on('will-frame-navigate', (details) => {
    // Our page has no frames: any navigation of one was made by something else.
    if (!details.isMainFrame || !isOwnPage(details.url, page)) details.preventDefault();
  });
  contents.on('will-navigate', (details) => {
    if (!isOwnPage(details.url, page)) details.preventDefault();
  });
  // Our protocol never redirects.
  contents.on('will-redirect', (details) => details.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  // Never the window that the page's script would make: ours has its own preferences, whatever the script asked for, and no opener.
  contents.setWindowOpenHandler(({ url }) => {
    const panes = paneWindowId(url, page);
    const address = externalAddress(url);
    if (panes !== null) openPanes(panes);
    else if (address !== null) void shell.openExternal(address);
    return { action: 'deny' };
  });
}
