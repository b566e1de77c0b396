/** Heads of the columns: a press sorts by one, again turns it around, once more gives the list its own order back. One tab stop, arrows within. */
import { type KeyboardEvent, useRef, useState } from 'react';
import { usePage } from '../store/hooks.ts';
import type { Column } from './columns.ts';
import { sortBy, type SortColumn, type WatchList } from './lists.ts';

interface Head {
  readonly by: SortColumn;
  readonly title: string;
  readonly name: string;
  readonly className: string;
  readonly kind: string;
  readonly numeric: boolean;
  readonly sorts: boolean;
}

const headOf = ({ id, title, name, kind, numeric }: Column): Head => ({ by: id, title, name, className: id, kind, numeric, sorts: kind !== 'trend' });
const FIXED: readonly Head[] = [
  { by: 'state', title: '', name: 'State', className: 'state', kind: 'state', numeric: false, sorts: true },
  { by: 'index', title: 'index', name: 'Index', className: 'index', kind: 'index', numeric: false, sorts: true },
];

/** Those that mean the rows' cursor in the grid around. */
const GRID_KEYS: ReadonlySet<string> = new Set(['Enter', ' ', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown']);

export function ListHead({ columns, sort }: { readonly columns: readonly Column[]; readonly sort: WatchList['sort'] }) {
  const { watchlist } = usePage();
  const head = useRef<HTMLDivElement>(null);
  const [stop, setStop] = useState<SortColumn>('index');
  const heads = [...FIXED, ...columns.map(headOf)];
  const sorting = heads.filter(({ sorts }) => sorts);
  const at = Math.max(0, sorting.findIndex(({ by }) => by === stop));

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || !GRID_KEYS.has(event.key)) return; // the page's keys
    event.stopPropagation(); // not the grid's
    const goal = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: sorting.length - 1 }[event.key];
    const next = goal === undefined ? undefined : sorting[Math.max(0, Math.min(sorting.length - 1, goal))];
    if (!next) return;
    event.preventDefault();
    setStop(next.by);
    head.current?.querySelector<HTMLElement>(`[data-sort="${next.by}"]`)?.focus();
  };
  return (
    <div role="rowgroup" className="list-head" ref={head}>
      <div role="row" aria-rowindex={1} className="cells">
        {heads.map(({ by, title, name, className, kind, numeric, sorts }) => {
          const sorted = sort?.by === by ? (sort.down ? 'descending' : 'ascending') : undefined;
          return (
            <span key={by} role="columnheader" className={className} data-kind={kind} aria-sort={sorted}>
              {sorts ? (
                <button
                  type="button" data-sort={by} tabIndex={sorting[at]?.by === by ? 0 : -1} title={`${name}: sort`} aria-label={`${title === '' || title === name.toLowerCase() ? name : `${title}, ${name.toLowerCase()}`}: sort`} onFocus={() => setStop(by)} onKeyDown={onKeyDown}
                  onClick={() => watchlist.edit((all) => sortBy(all, by, numeric))}
                >
                  {title === '' ? <span aria-hidden="true">·</span> : title}{sorted === undefined ? null : <span className="sorted" aria-hidden="true">{sorted === 'descending' ? '↓' : '↑'}</span>}
                </button>
              ) : title}
            </span>
          );
        })}
      </div>
    </div>
  );
}
