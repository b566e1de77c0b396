/** Commands on named workspaces; each of them is one that opens it. */
import type { Command } from '../commands/commands.ts';
import type { Notices } from '../shell/notices.ts';
import type { Cell } from '../store/cell.ts';
import type { PaneWindows } from './paneWindows.ts';
import { type NamedWorkspace, NOTHING, type Snapshot } from './saved.ts';
import type { Workspace } from './workspace.ts';

export interface WorkspaceActions {
  /** Under the name it has, else asks for one. */
  readonly save: () => void;
  saveAs(name: string): string | null;
  open(name: string): void;
  rename(name: string, to: string): string | null;
  remove(name: string): void;
  /** To the plain desk; what was there can be had back. */
  readonly reset: () => void;
  readonly export: () => void;
  /** Words for what went wrong, or null. */
  import(file: Pick<Blob, 'size' | 'text'>): Promise<string | null>;
}

interface Parts {
  readonly workspace: Workspace;
  readonly windows: Pick<PaneWindows, 'match'>;
  readonly notices: Notices;
  /** The dialog of workspaces. */
  readonly dialog: Cell<boolean>;
  /** Hands a file to the user. */
  readonly download: (name: string, text: string) => void;
}

const MOST_BYTES = 4_000_000;

export function workspaceActions({ workspace, windows, notices, dialog, download }: Parts): WorkspaceActions {
  const put = (snapshot: Snapshot, name: string | null): void => {
    const before = workspace.windows.get();
    workspace.put({ ...snapshot, name });
    windows.match(before);
  };
  const words = (result: ReturnType<Workspace['save']>): string | null => (result.ok ? null : `${result.error.what}; ${result.error.next}`);
  return {
    save() {
      const name = workspace.name.get();
      if (name === null) return dialog.set(true);
      const wrong = words(workspace.save(name));
      notices.tell(wrong ?? `Workspace ${name} is saved`, wrong === null ? {} : { tone: 'bad' });
    },
    saveAs: (name) => words(workspace.save(name)),
    open(name) {
      const found = workspace.find(name);
      if (found) put(found, name);
    },
    rename: (name, to) => words(workspace.rename(name, to)),
    remove(name) {
      const back = workspace.remove(name);
      notices.tell(`Workspace ${name} is deleted`, { action: { title: 'Undo', run: back } });
    },
    reset() {
      const [before, name] = [workspace.snapshot(), workspace.name.get()];
      put({ ...NOTHING, links: before.links }, null);
      if (before.layout !== null || before.windows.length > 0) notices.tell('This is the plain desk', { action: { title: 'Undo', run: () => put(before, name) } });
    },
    export: () => download('frontrow-workspaces.json', workspace.exported()),
    async import(file) {
      if (file.size > MOST_BYTES) return `the file has more than ${MOST_BYTES / 1_000_000} MB; use a file that Frontrow exported`;
      const added = workspace.imported(await file.text());
      return added.ok ? null : `${added.error.what}; ${added.error.next}`;
    },
  };
}

const GROUP = 'Workspaces';

export function workspaceCommands(actions: WorkspaceActions, dialog: Cell<boolean>): readonly Command[] {
  return [
    { id: 'workspace.all', title: 'Workspaces', group: GROUP, words: 'layouts manage rename delete import', keys: ['Mod+O'], run: () => dialog.set(true) },
    { id: 'workspace.save', title: 'Save the workspace', group: GROUP, words: 'layout keep', keys: ['Mod+S'], run: actions.save },
    { id: 'workspace.reset', title: 'Back to the plain desk', group: GROUP, words: 'reset layout default', keys: [], run: actions.reset },
    { id: 'workspace.export', title: 'Export workspaces as a file', group: GROUP, words: 'download json layout', keys: [], run: actions.export },
  ];
}

/** One command for each; names are the user's, so their place in the list is the id. */
export const openCommands = (named: readonly NamedWorkspace[], actions: WorkspaceActions): readonly Command[] =>
  named.map(({ name }, at): Command => ({ id: `workspace.open.${at + 1}`, title: `Open workspace ${name}`, group: GROUP, words: 'layout switch', keys: at < 9 ? [`Alt+${at + 1}`] : [], run: () => actions.open(name) }));
