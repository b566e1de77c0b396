/** Commands on panes: split, tab, move, size, link, pop out, close; and from one to the next. */
import type { Command } from '../commands/commands.ts';
import type { Docking, Direction } from './dockHandle.ts';
import { stepPane } from './focusPanes.ts';
import { listPane } from './layout.ts';
import { indexOf, type Link, LINKS, newId, type Pane, type PaneKind } from './pane.ts';
import type { Workspace } from './workspace.ts';

interface Parts {
  readonly workspace: Workspace;
  readonly docking: Docking;
  /** Index that the page shows. */
  readonly selected: () => string | null;
  /** Settings of the page's chart. */
  readonly settings: () => unknown;
  /** Moves these panes into a window of their own. */
  readonly popOut: (ids: readonly string[]) => void;
  /** In a window of panes: gives them back. On the desk: takes all back. */
  readonly giveBack: () => void;
  readonly closeLast: () => void;
  /** Pixels that the list is wide in its own place. */
  readonly listWidth: () => number;
}

const SIDES: readonly (readonly [Direction, key: string])[] = [['left', 'ArrowLeft'], ['right', 'ArrowRight'], ['up', 'ArrowUp'], ['down', 'ArrowDown']];
const SIZES: readonly (readonly [name: string, key: string, across: number, down: number])[] = [
  ['wider', 'ArrowRight', 40, 0], ['narrower', 'ArrowLeft', -40, 0], ['taller', 'End', 0, 40], ['shorter', 'Home', 0, -40],
];
/** Any number of these; the watchlist is one. */
const ADDED = ['chart', 'tape', 'health'] as const satisfies readonly PaneKind[];
const GROUP = 'Panes';
const MOST_CLOSED = 10;

export function paneCommands({ workspace, docking, selected, settings, popOut, giveBack, closeLast, listWidth }: Parts): readonly Command[] {
  const closed: Pane[] = [];
  const active = (): Pane | undefined => workspace.panes.get(workspace.active.get() ?? '');
  const docked = (): boolean => workspace.layout.get() !== null;
  const many = (): boolean => Object.keys(workspace.layout.get()?.panes ?? {}).length > 1;

  /** A chart of the active pane's index that goes its own way; tape and health follow the active pane's link. */
  const fresh = (kind: PaneKind): Pane => {
    const from = active();
    const index = (from === undefined ? null : indexOf(from, workspace.links.get())) ?? selected();
    if (kind === 'chart') return { id: newId(), kind, link: null, index, settings: from?.kind === 'chart' ? from.settings : settings() };
    const link = from?.link ?? null;
    return { id: newId(), kind, link, index: link === null ? index : null, settings: null };
  };
  const add = (kind: PaneKind, where: Direction | 'within') => () => docking.act((dock) => dock.add(fresh(kind), where));
  const link = (to: Link | null) => (): void => {
    const pane = active();
    if (pane) workspace.link(pane.id, to);
  };
  const close = (): void => docking.act((dock) => {
    const pane = active();
    if (pane === undefined) return;
    if (!many()) return closeLast();
    closed.push(pane);
    closed.splice(0, closed.length - MOST_CLOSED);
    dock.remove([pane.id]);
  });
  /** Out of its place at the page's edge, or back into it. */
  const turnList = (): void => {
    const width = listWidth();
    docking.act((dock) => {
      const there = listPane(workspace.layout.get());
      if (there === null) dock.addAtEdge({ id: newId(), kind: 'watchlist', link: null, index: null, settings: null }, width);
      else if (many()) dock.remove([there]);
      else closeLast();
    });
  };
  const reopen = (): void => docking.act((dock) => {
    const pane = closed.pop();
    if (pane?.kind === 'watchlist' && listPane(workspace.layout.get()) !== null) return;
    if (pane) dock.add({ ...pane, id: newId() }, 'within');
  });
  const nextLink = (): void => {
    const at = LINKS.indexOf(active()?.link ?? 'E');
    link(active()?.link === 'E' ? null : active()?.link === null ? 'A' : (LINKS[at + 1] ?? null))();
  };

  return [
    { id: 'pane.splitRight', title: 'Split right', group: GROUP, words: 'new chart beside', keys: ['Mod+Enter'], run: add('chart', 'right') },
    { id: 'pane.splitBelow', title: 'Split below', group: GROUP, words: 'new chart under', keys: ['Mod+Shift+Enter'], run: add('chart', 'down') },
    ...ADDED.map((kind): Command => ({ id: `pane.tab.${kind}`, title: `New ${kind} as a tab`, group: GROUP, words: 'add pane', keys: kind === 'chart' ? ['Alt+Enter'] : [], run: add(kind, 'within') })),
    { id: 'pane.next', title: 'To the next pane', group: GROUP, words: 'focus', keys: ['F6'], run: () => stepPane(1, (id) => docking.act((dock) => dock.activate(id))) },
    { id: 'pane.before', title: 'To the pane before', group: GROUP, words: 'focus previous', keys: ['Shift+F6'], run: () => stepPane(-1, (id) => docking.act((dock) => dock.activate(id))) },
    { id: 'pane.nextTab', title: 'Next tab', group: GROUP, keys: ['Alt+Shift+PageDown'], enabled: docked, run: () => docking.act((dock) => dock.turn(1)) },
    { id: 'pane.tabBefore', title: 'Tab before', group: GROUP, words: 'previous', keys: ['Alt+Shift+PageUp'], enabled: docked, run: () => docking.act((dock) => dock.turn(-1)) },
    ...SIDES.map(([side, key]): Command => ({ id: `pane.move.${side}`, title: `Move the pane ${side}`, group: GROUP, keys: [`Mod+Shift+${key}`], enabled: many, run: () => docking.act((dock) => dock.move(side)) })),
    ...SIZES.map(([name, key, across, down]): Command => ({ id: `pane.${name}`, title: `Make the pane ${name}`, group: GROUP, words: 'resize size', keys: [`Alt+Shift+${key}`], enabled: many, run: () => docking.act((dock) => dock.resize(across, down)) })),
    { id: 'pane.maximise', title: 'Maximise the pane, or back', group: GROUP, words: 'maximize full restore', keys: ['F9'], enabled: many, run: () => docking.act((dock) => dock.maximise()) },
    { id: 'pane.nextLink', title: 'Next link of the pane', group: GROUP, words: 'colour color', keys: ['Mod+.'], enabled: docked, run: nextLink },
    ...LINKS.map((letter): Command => ({ id: `pane.link.${letter}`, title: `Link the pane to ${letter}`, group: GROUP, words: 'colour color', keys: [], enabled: docked, run: link(letter) })),
    { id: 'pane.link.none', title: 'Unlink the pane', group: GROUP, words: 'colour color own index', keys: [], enabled: docked, run: link(null) },
    ...(workspace.windowId === null
      ? [
          { id: 'pane.watchlist', title: 'The watchlist as a pane, or back in its place', group: GROUP, words: 'dock list move left', keys: [], enabled: () => selected() !== null && !workspace.windows.get().some(({ layout }) => listPane(layout) !== null), run: turnList },
          { id: 'pane.popOut', title: 'Pop the pane out into a window', group: GROUP, words: 'popout own window', keys: ['F8'], run: () => docking.act(() => { const id = active()?.id; if (id !== undefined) popOut([id]); }) },
          { id: 'pane.popOutTabs', title: 'Pop out the pane with its tabs', group: GROUP, words: 'popout group own window', keys: [], run: () => docking.act((dock) => popOut(dock.group())) },
          { id: 'pane.returnAll', title: 'Bring the panes of all windows back', group: GROUP, words: 'popin return', keys: ['Shift+F8'], enabled: () => workspace.windows.get().length > 0, run: giveBack },
        ]
      : [{ id: 'pane.return', title: 'Return these panes to the desk', group: GROUP, words: 'popin back window', keys: ['Shift+F8'], run: giveBack }]),
    { id: 'pane.close', title: 'Close the pane', group: GROUP, keys: ['Mod+Delete'], enabled: docked, run: close },
    { id: 'pane.reopen', title: 'Open the closed pane again', group: GROUP, words: 'undo', keys: [], enabled: () => closed.length > 0, run: reopen },
  ];
}
