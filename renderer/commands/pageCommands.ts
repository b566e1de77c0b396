/** The commands of the page itself: ranges, the index before and after, panel, colours, help. */
import { moveCursor } from '../watchlist/cursor.ts';
import type { PageHandles } from '../shell/openPage.ts';
import { PANELS, RANGES } from '../shell/view.ts';
import type { Command } from './commands.ts';

type Handles = Pick<PageHandles, 'view' | 'selected' | 'watchlist'>;

export function pageCommands({ view, selected, watchlist }: Handles): readonly Command[] {
  const step = (key: 'ArrowUp' | 'ArrowDown') => () => {
    const next = moveCursor(watchlist.shown.items.get().filter(({ kind }) => kind === 'index'), selected.get(), key, 1);
    if (next === undefined) return;
    watchlist.cursor.set(next);
    view.chosen.set(next);
  };
  return [
    ...RANGES.map((range, at): Command => ({ id: `range.${range}`, title: `Chart of ${range}`, group: 'Chart', words: 'range period', keys: [String(at + 1)], run: () => view.range.set(range) })),
    { id: 'index.next', title: 'Next index', group: 'List', keys: ['Alt+ArrowDown'], run: step('ArrowDown') },
    { id: 'index.before', title: 'Index before', group: 'List', words: 'previous', keys: ['Alt+ArrowUp'], run: step('ArrowUp') },
    { id: 'panel.other', title: 'Tape or health', group: 'Page', words: 'side panel', keys: ['\\'], run: () => view.panel.set(PANELS.find((panel) => panel !== view.panel.get()) ?? 'tape') },
    { id: 'page.help', title: 'Keys and signs', group: 'Page', words: 'help shortcuts legend', keys: ['?'], run: () => view.help.set(!view.help.get()) },
  ];
}
