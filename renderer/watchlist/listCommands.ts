/** Everything the list can do, as commands: lists, members, order, columns, sort, groups, density, copying. */
import { copyToClipboard } from '../copy/clipboard.ts';
import type { Command } from '../commands/commands.ts';
import type { Cell } from '../store/cell.ts';
import { COLUMN_IDS, columnOf, type RowValues } from './columns.ts';
import { copyOne, copyTable } from './copyTable.ts';
import { stepTarget } from './cursor.ts';
import { addIndices, createList, currentList, deleteList, DENSITIES, editList, GROUPINGS, type Lists, moveIndex, removeIndex, sortBy, toggleColumn, TREND_WINDOWS } from './lists.ts';
import type { WatchlistHandles } from './openWatchlist.ts';

type Handles = Pick<WatchlistHandles, 'lists' | 'edit' | 'undo' | 'undoable' | 'shown' | 'cursor' | 'column' | 'fitting' | 'focused' | 'options' | 'say'>;

const GROUP = 'List';
const GROUP_WORDS = { region: 'by region', state: 'by state', none: 'none' } as const;
/** A list's name in the browser's storage of this page alone. */
const newListId = (): string => Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The row that an action means: under the cursor, else the index shown. */
export function targetOf({ shown, cursor }: Pick<Handles, 'shown' | 'cursor'>, selected: Cell<string | null>): string | null {
  const key = cursor.get();
  const item = key === null ? undefined : shown.items.get().find((one) => one.kind !== 'group' && one.key === key);
  return item && item.kind !== 'group' ? item.id : selected.get();
}

export function listCommands(list: Handles, selected: Cell<string | null>): readonly Command[] {
  const { lists, edit, shown, say } = list;
  const now = () => currentList(lists.get());
  const change = (made: (all: Lists) => Lists, what: string, done = what): void => {
    if (edit(made, what)) say(done, true);
  };
  const target = (): string | null => targetOf(list, selected);
  const command = (id: string, title: string, run: () => void, more: Partial<Omit<Command, 'id' | 'title' | 'run'>> = {}): Command => ({ id: `list.${id}`, title, group: GROUP, keys: [], run, ...more });

  const move = (by: -1 | 1) => (): void => {
    const id = target();
    if (id === null) return;
    const order = shown.order();
    const before = stepTarget(shown.items.get(), order, id, by);
    if (before !== undefined) edit((all) => moveIndex(all, order, id, before), `Moved ${id}`);
  };
  const turn = (by: -1 | 1) => (): void => {
    const all = lists.get();
    const at = all.lists.findIndex(({ id }) => id === all.current);
    const next = all.lists[(at + by + all.lists.length) % all.lists.length];
    if (next) edit((old) => ({ ...old, current: next.id }));
  };
  const copy = async (what: string, made: ReturnType<typeof copyOne> | null): Promise<void> => {
    if (made !== null) say((await copyToClipboard(made)) ? `Copied ${what}` : 'Nothing copied: the browser refused its clipboard');
  };
  const row = (): RowValues | null => {
    const id = target();
    return id === null ? null : shown.rowOf(id);
  };
  const copyCell = (): void => {
    const [values, column] = [row(), columnOf(list.column.get() ?? 'last')];
    void copy(`${column.name.toLowerCase()} of ${values?.id ?? ''}`, values && copyOne(values, column));
  };
  const copyRow = (): void => {
    const values = row();
    void copy(`the row of ${values?.id ?? ''}`, values && copyTable([values], now().columns.map(columnOf)));
  };
  const copyList = (): void => {
    const ids = shown.items.get().flatMap((item) => (item.kind === 'index' ? [item.id] : []));
    void copy(`${ids.length} rows`, copyTable(ids.map(shown.rowOf), now().columns.map(columnOf)));
  };
  const hasMembers = (): boolean => !now().all;

  return [
    command('new', 'New list', () => change((all) => createList(all, 'List', [], newListId()), 'Made a list'), { words: 'watchlist create' }),
    command('copyAs', 'New list of what this one shows', () => {
      const ids = shown.order();
      change((all) => createList(all, now().name, ids, newListId()), 'Made a list');
    }, { words: 'watchlist duplicate save' }),
    command('delete', 'Delete this list', () => change(deleteList, `Deleted the list ${now().name}`), { words: 'watchlist remove', enabled: hasMembers }),
    command('next', 'Next list', turn(1), { keys: ['Alt+PageDown'], words: 'watchlist', enabled: () => lists.get().lists.length > 1 }),
    command('before', 'List before', turn(-1), { keys: ['Alt+PageUp'], words: 'watchlist previous', enabled: () => lists.get().lists.length > 1 }),
    command('options', 'List: name, members, columns, groups', () => list.options.set(!list.options.get()), { keys: ['Mod+Shift+L'], words: 'watchlist add index rename columns settings options pair companion' }),
    command('undo', 'Take back the last change of lists', () => {
      const what = list.undoable.get();
      list.undo();
      if (what !== null) say(`Taken back: ${what}`);
    }, { keys: ['Mod+Z'], words: 'undo', enabled: () => list.undoable.get() !== null }),
    command('add', 'Add the index shown to this list', () => {
      const id = selected.get();
      if (id !== null) change((all) => addIndices(all, [id]), `Added ${id} to ${now().name}`);
    }, { keys: ['Insert'], words: 'watchlist', enabled: () => hasMembers() && selected.get() !== null }),
    command('remove', 'Remove the index from this list', () => {
      const id = target();
      if (id !== null) change((all) => removeIndex(all, id), `Removed ${id} from ${now().name}`);
    }, { keys: ['Delete'], words: 'watchlist', enabled: () => hasMembers() && list.focused.get() }),
    command('up', 'Move the index up', move(-1), { keys: ['Alt+Shift+ArrowUp'], words: 'order' }),
    command('down', 'Move the index down', move(1), { keys: ['Alt+Shift+ArrowDown'], words: 'order' }),
    command('copyValue', 'Copy the value under the cursor', copyCell, { keys: ['Mod+Shift+C'], words: 'clipboard last price' }),
    // Where text is selected, the keys copy that.
    command('copyRow', 'Copy the row', copyRow, { keys: ['Mod+C'], words: 'clipboard', enabled: () => list.focused.get() && (globalThis.getSelection?.()?.isCollapsed ?? true) }),
    command('copyAll', 'Copy the list as a table', copyList, { words: 'clipboard spreadsheet csv excel' }),
    ...GROUPINGS.map((group) => command(`group.${group}`, `Group the list: ${GROUP_WORDS[group]}`, () => void edit((all) => editList(all, { group })), { words: 'watchlist' })),
    ...DENSITIES.map((density) => command(`density.${density}`, `Density of the list: ${density}`, () => void edit((all) => ({ ...all, density })), { words: 'row height' })),
    ...TREND_WINDOWS.map((trend) => command(`trend.${trend}`, `Trend lines of ${trend}`, () => void edit((all) => editList(all, { trend })), { words: 'sparkline list' })),
    command('pin', 'Pin trouble on top, or not', () => void edit((all) => editList(all, { pinTrouble: !now().pinTrouble })), { words: 'stalled disconnected' }),
    command('unsort', 'The list in its own order', () => void edit((all) => editList(all, { sort: null })), { words: 'sort none', enabled: () => now().sort !== null }),
    ...COLUMN_IDS.filter((id) => id !== 'trend').map((id) => command(`sort.${id}`, `Sort the list by ${lower(columnOf(id).name)}`, () => void edit((all) => sortBy(all, id, columnOf(id).numeric)), { words: columnOf(id).title })),
    ...COLUMN_IDS.map((id) => command(`column.${id}`, `Column of ${lower(columnOf(id).name)}`, () => void edit((all) => toggleColumn(all, id)), { words: `show hide ${columnOf(id).title}` })),
  ];
}

const lower = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);
