/** What commands can do to the dock; it loads late, so what is asked before it is there waits for it. */
import type { Layout } from './layout.ts';
import { plainLayout } from './layout.ts';
import { newId, type Pane } from './pane.ts';
import type { Workspace } from './workspace.ts';

export type Direction = 'left' | 'right' | 'up' | 'down';

export interface DockHandle {
  /** Beside or below the active pane; `within`: as a tab on it. The new pane is active. */
  add(pane: Pane, where: Direction | 'within'): void;
  /** At the left edge of all, `width` pixels wide. The new pane is active. */
  addAtEdge(pane: Pane, width: number): void;
  /** Into the neighbour on that side; without one, into a place of its own there. */
  move(direction: Direction): void;
  /** Pixels more or less, across and down. */
  resize(across: number, down: number): void;
  /** The next or previous tab of the active group. */
  turn(step: 1 | -1): void;
  maximise(): void;
  remove(ids: readonly string[]): void;
  activate(id: string): void;
  /** Panes that lie as tabs on the active one, itself among them. */
  group(): readonly string[];
  /** Panes of another window: a group of them stays one. */
  bring(layout: Layout): void;
}

export interface Docking {
  /** Null while it is not on screen. */
  mounted(handle: DockHandle | null): void;
  /** Acts on the dock; a plain desk becomes one first. */
  act(what: (dock: DockHandle) => void): void;
}

/** `index` and `settings`: of the plain desk's chart. */
export function createDocking(workspace: Workspace, index: () => string | null, settings: () => unknown): Docking {
  let dock: DockHandle | null = null;
  let waiting: ((dock: DockHandle) => void)[] = [];
  return {
    mounted(handle) {
      dock = handle;
      if (handle === null) return;
      const due = waiting;
      waiting = [];
      for (const what of due) what(handle);
    },
    act(what) {
      if (dock !== null) return what(dock);
      waiting.push(what);
      if (workspace.layout.get() !== null) return undefined;
      const shown = index();
      if (shown !== null) workspace.choose(shown);
      const pane = (kind: Pane['kind'], own: unknown = null): Pane => ({ id: newId(), kind, link: 'A', index: null, settings: own });
      workspace.show(plainLayout(pane('chart', settings()), pane('tape'), pane('health'), 956, 700));
      return undefined;
    },
  };
}
