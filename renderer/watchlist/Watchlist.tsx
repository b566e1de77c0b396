/** The watchlist: a grid for screen readers, arrows and Enter for the keyboard; only rows in sight exist. */
import './watchlist.css';
import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { useCell, usePage } from '../store/hooks.ts';
import { fitColumns } from './columns.ts';
import { dropTarget, moveCursor } from './cursor.ts';
import { IndexRow } from './IndexRow.tsx';
import { ListBar, ListSaid } from './ListBar.tsx';
import { ListHead } from './ListHead.tsx';
import { ListOptions } from './ListOptions.tsx';
import { currentList, moveIndex } from './lists.ts';
import { USUAL_WIDTH } from './openWatchlist.ts';
import { ROW_HEIGHTS } from './rowHeight.ts';
import { useRowDrag } from './useRowDrag.ts';
import { useWindowed } from './useWindowed.ts';
import { WatchlistEmpty } from './WatchlistEmpty.tsx';
import { WidthHandle } from './WidthHandle.tsx';

const HEAD = 28;

const domIdOf = (key: string): string => `row-${key.replace('>', '-')}`;

/** `edge`: in its place at the page's edge, where it can be made wider; else in a pane, which names it. */
export function Watchlist({ selected, edge = false }: { readonly selected: string | null; readonly edge?: boolean }) {
  const { view, watchlist } = usePage();
  const items = useCell(watchlist.shown.items);
  const lists = useCell(watchlist.lists);
  const cursor = useCell(watchlist.cursor);
  const column = useCell(watchlist.column);
  const list = currentList(lists);
  const rowHeight = ROW_HEIGHTS[lists.density];
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const { visible, width } = useWindowed(scroller, items.length, rowHeight);
  const fitted = useMemo(() => fitColumns(list.columns, width ?? USUAL_WIDTH), [list.columns, width]);
  const active = cursor !== null && items.some((item) => item.kind !== 'group' && item.key === cursor) ? cursor : selected;
  const activeAt = items.findIndex((item) => item.kind !== 'group' && item.key === active);
  const activeColumn = fitted.columns.some(({ id }) => id === column) ? column : null;

  useLayoutEffect(() => {
    watchlist.fitting.set(fitted.columns);
    scroller.current?.style.setProperty('--columns', fitted.template);
    scroller.current?.style.setProperty('--row', `${rowHeight}px`);
  }, [fitted, rowHeight, watchlist]);

  // The row under the cursor must exist to be named and seen: also when it moved into or out of trouble.
  useEffect(() => {
    const box = scroller.current;
    if (activeAt < 0 || !box || document.activeElement !== box) return;
    const top = activeAt * rowHeight;
    const room = box.clientHeight - HEAD; // less the sticky head
    if (top < box.scrollTop) box.scrollTop = top === rowHeight ? 0 : top;
    else if (top + rowHeight > box.scrollTop + room) box.scrollTop = top + rowHeight - room;
  }, [activeAt, rowHeight]);

  const drop = (id: string, place: number): void => {
    const order = watchlist.shown.order();
    const target = dropTarget(items, order, id, place);
    if (target !== undefined) watchlist.edit((all) => moveIndex(all, order, id, target), `Moved ${id}`);
  };
  const { drag, grab, dragged } = useRowDrag(body, rowHeight, items.length, drop);
  const choose = useCallback((key: string, id: string) => {
    if (dragged()) return;
    watchlist.cursor.set(key);
    view.chosen.set(id);
  }, [watchlist, view, dragged]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const item = items[activeAt];
    if ((event.key === 'Enter' || event.key === ' ') && item && item.kind !== 'group') {
      view.chosen.set(item.id);
      event.preventDefault();
      return;
    }
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      const at = fitted.columns.findIndex(({ id }) => id === activeColumn) + (event.key === 'ArrowRight' ? 1 : -1);
      watchlist.column.set(fitted.columns[Math.max(-1, Math.min(fitted.columns.length - 1, at))]?.id ?? null);
      event.preventDefault();
      return;
    }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2);
    const next = moveCursor(items, active, event.key, page);
    if (next === undefined) return;
    watchlist.cursor.set(next);
    event.preventDefault();
  };

  const named = activeAt >= visible.first && activeAt < visible.end && active !== null ? domIdOf(active) : undefined;
  return (
    <section className="watchlist" aria-label={edge ? 'Watchlist' : undefined} data-density={lists.density} data-narrow={fitted.narrow || undefined}>
      <ListBar edge={edge} left={fitted.left.filter(({ id }) => id !== 'range' && id !== 'points' && id !== 'trend').length} />
      <div
        ref={scroller} className="list-scroll" role="grid" aria-label={list.all ? 'Indices' : `Indices of ${list.name}`} aria-rowcount={items.length + 1} aria-colcount={fitted.columns.length + 2} tabIndex={0}
        aria-activedescendant={named === undefined || activeColumn === null ? named : `${named}-${activeColumn}`} data-column={activeColumn ?? undefined}
        onKeyDown={onKeyDown} onFocus={(event) => watchlist.focused.set(event.target === event.currentTarget)} onBlur={() => watchlist.focused.set(false)}
      >
        <ListHead columns={fitted.columns} sort={list.sort} />
        <div ref={body} role="rowgroup" className="list-body" style={{ height: items.length * rowHeight }}>
          {items.slice(visible.first, visible.end).map((item, offset) => {
            const at = visible.first + offset;
            return item.kind === 'group' ? (
              <div key={item.key} role="row" aria-rowindex={at + 2} className="group" data-trouble={item.trouble || undefined} style={{ top: at * rowHeight }}>
                <span role="rowheader" aria-colspan={fitted.columns.length + 2}>{item.title}</span>
              </div>
            ) : (
              <IndexRow
                key={item.key} at={item.key} id={item.id} of={item.kind === 'companion' ? item.of : null} domId={domIdOf(item.key)} place={at} top={at * rowHeight} columns={fitted.columns}
                selected={item.id === selected} active={item.key === active} onChoose={choose} onGrab={grab}
              />
            );
          })}
          {drag === null ? null : <div className="drop-line" aria-hidden="true" style={{ top: drag.place * rowHeight - 1 }} />}
        </div>
      </div>
      <WatchlistEmpty />
      <ListSaid />
      <ListOptions />
      {edge ? <WidthHandle /> : null}
    </section>
  );
}
