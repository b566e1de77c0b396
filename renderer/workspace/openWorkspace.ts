/** Puts the workspace together: its state, the dock, windows of panes, and the commands of all three. */
import { saveFile } from '../copy/saveFile.ts';
import type { Commands } from '../commands/commands.ts';
import type { Notices } from '../shell/notices.ts';
import type { View } from '../shell/view.ts';
import { type Cell, createCell } from '../store/cell.ts';
import { createDocking, type Docking } from './dockHandle.ts';
import { followActive } from './following.ts';
import { listPane } from './layout.ts';
import { openInPaneWindow } from './inPaneWindow.ts';
import { paneCommands } from './paneCommands.ts';
import { openPaneWindows, type PaneWindows } from './paneWindows.ts';
import type { WindowHost } from './windowHost.ts';
import { createWorkspace, type Workspace } from './workspace.ts';
import { openCommands, type WorkspaceActions, workspaceActions, workspaceCommands } from './workspaceCommands.ts';

export interface WorkspaceHandles {
  readonly workspace: Workspace;
  readonly docking: Docking;
  readonly workspaces: WorkspaceActions;
  /** The dialog of workspaces is open. */
  readonly workspaceDialog: Cell<boolean>;
}

interface Parts {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly windowId: string | null;
  /** Null: nothing can be opened here. */
  readonly host: WindowHost | null;
  readonly notices: Notices;
  readonly commands: Commands;
  readonly view: View;
  readonly selected: Cell<string | null>;
  /** Pixels that the list is wide in its own place. */
  readonly listWidth: () => number;
}

const NO_WINDOWS: WindowHost = { open: () => false, post() {}, subscribe: () => () => {}, bounds: () => null, closeSelf() {}, own() {} };

export function openWorkspace({ storage, windowId, host: given, notices, commands, view, selected, listWidth }: Parts): WorkspaceHandles & { readonly close: () => void } {
  const host = given ?? NO_WINDOWS;
  const workspace = createWorkspace({ storage, windowId, notices });
  const settings = (): unknown => {
    const chart = view.chart.get();
    return typeof chart.range === 'string' ? { ...chart, range: view.range.get() } : chart;
  };
  const docking = createDocking(workspace, selected.get, settings);
  const workspaceDialog = createCell(false);
  const shared = { workspace, docking, selected: selected.get, settings, listWidth };
  const ends = [followActive(workspace, view)];

  const noWindows: Pick<PaneWindows, 'match'> = { match() {} };
  let windows = noWindows;
  if (windowId === null) {
    const opened = openPaneWindows({ workspace, host, notices, bring: (layout) => docking.act((dock) => dock.bring(layout)), take: (ids) => docking.act((dock) => dock.remove(ids)) });
    windows = opened;
    ends.push(opened.close);
    const popOut = (ids: readonly string[]): void => {
      const panes = ids.flatMap((id) => workspace.panes.get(id) ?? []);
      const active = workspace.active.get();
      const [first] = panes;
      if (first === undefined) return;
      const shown = panes.find(({ id }) => id === active)?.id ?? first.id;
      opened.popOut(panes, shown);
    };
    commands.register(paneCommands({ ...shared, popOut, giveBack: opened.returnAll, closeLast: () => workspace.show(null) }));
  } else {
    const kept = (): string | null => {
      try {
        return storage.getItem('frontrow.workspace');
      } catch {
        return null;
      }
    };
    const inWindow = openInPaneWindow({ id: windowId, workspace, host, kept });
    ends.push(inWindow.close);
    commands.register(paneCommands({ ...shared, popOut: () => {}, giveBack: inWindow.giveBack, closeLast: inWindow.giveBack }));
  }

  const workspaces = workspaceActions({ workspace, windows, notices, dialog: workspaceDialog, download: (name, text) => saveFile(name, new Blob([text], { type: 'application/json' })) });
  if (windowId === null) {
    commands.register(workspaceCommands(workspaces, workspaceDialog));
    let unregister = (): void => {};
    let names = '';
    const offer = (): void => {
      const next = JSON.stringify(workspace.named.get().map(({ name }) => name));
      if (next === names) return;
      names = next;
      unregister();
      unregister = commands.register(openCommands(workspace.named.get(), workspaces));
    };
    offer();
    ends.push(workspace.named.subscribe(offer));
  }
  return {
    workspace, docking, workspaces, workspaceDialog,
    close() {
      for (const end of ends) end();
      workspace.close();
    },
  };
}

/** Does `start` while the watchlist is a pane of this window, and what that returned when it no longer is. Returns what ends both. */
export function whileListed({ layout }: Pick<Workspace, 'layout'>, start: () => () => void): () => void {
  let end: (() => void) | null = null;
  const look = (): void => {
    const listed = listPane(layout.get()) !== null;
    if (listed === (end !== null)) return;
    if (listed) end = start();
    else {
      end?.();
      end = null;
    }
  };
  const stop = layout.subscribe(look);
  look();
  return () => {
    stop();
    end?.();
  };
}
