/** A row's place in the list. What it says is drawn by paintRow, which no price takes through React. */
import { memo, type PointerEvent, useLayoutEffect, useRef } from 'react';
import { usePage } from '../store/hooks.ts';
import type { Column } from './columns.ts';
import { paintRow } from './paintRow.ts';

interface Props {
  /** Key of the item: the id, or `SPX>ES` of a companion. */
  readonly at: string;
  readonly id: string;
  readonly of: string | null;
  readonly domId: string;
  readonly place: number;
  readonly top: number;
  readonly columns: readonly Column[];
  readonly selected: boolean;
  readonly active: boolean;
  readonly onChoose: (key: string, id: string) => void;
  readonly onGrab: (event: PointerEvent, id: string) => void;
}

export const IndexRow = memo(function IndexRow({ at, id, of, domId, place, top, columns, selected, active, onChoose, onGrab }: Props) {
  const { desk, sparklines, watchlist } = usePage();
  const row = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () => (row.current ? paintRow(row.current, { desk, sparklines, references: watchlist.references }, { id, domId, columns, of }) : undefined),
    [desk, sparklines, watchlist, id, domId, columns, of],
  );
  return (
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid above takes the keys
    <div
      ref={row} role="row" id={domId} aria-rowindex={place + 2} aria-selected={selected} className="cells row" data-index={id} data-companion={of ?? undefined} data-active={active || undefined}
      style={{ top }} onClick={() => onChoose(at, id)} onPointerDown={of === null ? (event) => onGrab(event, id) : undefined}
    />
  );
});
