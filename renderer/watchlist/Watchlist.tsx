/** The watchlist: trouble pinned on top, then regions; a grid for screen readers, arrows and Enter for the keyboard; only rows in sight exist. */
import './watchlist.css';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useCell, usePage } from '../store/hooks.ts';
import { moveCursor } from './cursor.ts';
import { ROW_HEIGHT } from './rowHeight.ts';
import { IndexRow } from './IndexRow.tsx';
import { useWindowed } from './useWindowed.ts';
import { WatchlistEmpty } from './WatchlistEmpty.tsx';

const COLUMNS = ['state', 'index', 'trend', 'last', '%', 'points', 'range', 'age'] as const;

const rowId = (id: string): string => `row-${id}`;

export function Watchlist({ selected }: { readonly selected: string | null }) {
  const { desk, view } = usePage();
  const { items } = useCell(desk.arrangement);
  const [cursor, setCursor] = useState<string | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const visible = useWindowed(scroller, items.length, ROW_HEIGHT);
  const active = cursor !== null && items.some((item) => item.key === cursor) ? cursor : selected;
  const activeAt = items.findIndex((item) => item.kind === 'index' && item.id === active);

  // The row under the cursor must exist to be named and seen: also when it moved into or out of trouble.
  useEffect(() => {
    if (activeAt < 0 || !scroller.current || document.activeElement !== scroller.current) return;
    const top = activeAt * ROW_HEIGHT;
    const { scrollTop, clientHeight } = scroller.current;
    const room = clientHeight - ROW_HEIGHT; // less the sticky head
    if (top < scrollTop) scroller.current.scrollTop = top === ROW_HEIGHT ? 0 : top;
    else if (top + ROW_HEIGHT > scrollTop + room) scroller.current.scrollTop = top + ROW_HEIGHT - room;
  }, [activeAt]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if ((event.key === 'Enter' || event.key === ' ') && active !== null) {
      view.chosen.set(active);
      event.preventDefault();
      return;
    }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT) - 2);
    const next = moveCursor(items, active, event.key, page);
    if (next === undefined) return;
    setCursor(next);
    event.preventDefault();
  };

  return (
    <section className="watchlist" aria-label="Watchlist">
      <div
        ref={scroller} className="list-scroll" role="grid" aria-label="Indices" aria-rowcount={items.length + 1} aria-colcount={COLUMNS.length} tabIndex={0}
        aria-activedescendant={activeAt >= visible.first && activeAt < visible.end && active !== null ? rowId(active) : undefined} onKeyDown={onKeyDown}
      >
        <div role="rowgroup" className="list-head">
          <div role="row" aria-rowindex={1} className="cells">
            {COLUMNS.map((column) => (
              <span key={column} role="columnheader" className={column === '%' ? 'percent' : column}>
                {column === 'state' ? <span className="sr">state</span> : column}
              </span>
            ))}
          </div>
        </div>
        <div role="rowgroup" className="list-body" style={{ height: items.length * ROW_HEIGHT }}>
          {items.slice(visible.first, visible.end).map((item, offset) => {
            const at = visible.first + offset;
            return item.kind === 'group' ? (
              <div key={item.key} role="row" aria-rowindex={at + 2} className="group" data-trouble={item.trouble || undefined} style={{ top: at * ROW_HEIGHT }}>
                <span role="rowheader" aria-colspan={COLUMNS.length}>{item.title}</span>
              </div>
            ) : (
              <IndexRow
                key={item.key} id={item.id} domId={rowId(item.id)} at={at} selected={item.id === selected} active={item.id === active}
                onChoose={(id) => {
                  setCursor(id);
                  view.chosen.set(id);
                }}
              />
            );
          })}
        </div>
      </div>
      <WatchlistEmpty />
    </section>
  );
}
