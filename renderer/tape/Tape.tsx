/** Latest ticks, newest first, on the exchange's clock to the millisecond; corrections and removals stay in sight. */
import './tape.css';
import { Fragment, memo } from 'react';
import { compare, type Decimal, parseDecimal } from '../../shared/decimal.ts';
import { assertNever } from '../../shared/result.ts';
import { parseMicros } from '../../shared/time.ts';
import { localDate } from '../../shared/zone.ts';
import { Arrow, type Direction } from '../state/Change.tsx';
import { cityOf } from '../state/places.ts';
import { showClockMs, showDate, showPrice } from '../state/shown.ts';
import { useInfo, usePulse, useQuote } from '../store/hooks.ts';
import { identityOf, type TapeRow } from './tapeRows.ts';
import { useTape } from './useTape.ts';

const SHOWN = 80;

const priceOf = (row: TapeRow | undefined): Decimal | undefined => (row ? parseDecimal(row.tick.price) : undefined);

/** Against the next older tick that still stands. */
function directionAt(rows: readonly TapeRow[], at: number): Direction {
  const [own, older] = [priceOf(rows[at]), priceOf(rows.slice(at + 1).find((row) => row.mark !== 'removed'))];
  if (own === undefined || older === undefined) return 'flat';
  const order = compare(own, older);
  return order === 0 ? 'flat' : order > 0 ? 'up' : 'down';
}

/** What a mark says when the pointer rests on it. */
const MARKS: Readonly<Record<NonNullable<TapeRow['mark']>, string>> = {
  late: 'arrived after newer ticks; set in its own place', corrected: 'same event, another price than before', removed: 'its row is gone from the table',
};

const TapeLine = memo(
  function TapeLine({ row, direction, zone, decimals }: { readonly row: TapeRow; readonly direction: Direction; readonly zone: string; readonly decimals: number | null }) {
    const { tick, mark, was } = row;
    return (
      <tr data-mark={mark ?? undefined}>
        <th scope="row">{showClockMs(zone, parseMicros(tick.eventMicros))}</th>
        <td className="tape-price change" data-direction={direction}>
          <Arrow direction={direction} /><span className="sr">{direction}</span><span className="price">{showPrice(tick.price, decimals)}</span>
          {mark === null ? null : <div className="tape-mark" title={MARKS[mark]}>{mark}{was === null ? null : <>, was <s>{showPrice(was, decimals)}</s></>}</div>}
        </td>
      </tr>
    );
  },
  (a, b) => a.row === b.row && a.direction === b.direction && a.zone === b.zone && a.decimals === b.decimals,
);

/** A tick of another day than the one above it (or than today) says its date first. */
function TapeDay({ date }: { readonly date: string }) {
  return <tr className="tape-day"><th scope="rowgroup" colSpan={2}>{showDate(date)}</th></tr>;
}

function TapeRows({ rows, zone, decimals }: { readonly rows: readonly TapeRow[]; readonly zone: string; readonly decimals: number | null }) {
  const today = usePulse(({ now }) => (now === undefined ? '' : localDate(zone, now)));
  const dates = rows.slice(0, SHOWN).map((row) => localDate(zone, parseMicros(row.tick.eventMicros)));
  return dates.map((date, at) => {
    const row = rows[at];
    if (row === undefined) return null;
    return (
      <Fragment key={identityOf(row.tick)}>
        {date === (dates[at - 1] ?? (today === '' ? date : today)) ? null : <TapeDay date={date} />}
        <TapeLine row={row} direction={directionAt(rows, at)} zone={zone} decimals={decimals} />
      </Fragment>
    );
  });
}

export function Tape({ id }: { readonly id: string }) {
  const tape = useTape(id);
  const info = useInfo(id);
  const state = useQuote(id)?.state;
  const zone = info?.zone ?? 'UTC';
  switch (tape.kind) {
    case 'loading':
      return <p className="note">Reading the latest ticks…</p>;
    case 'failed':
      return <p className="note bad">No ticks: {tape.problem.what}. {tape.problem.next}.</p>;
    case 'rows':
      if (tape.rows.length === 0) return <p className="note">No tick of {id} in the table yet.</p>;
      return (
        <table className="tape" data-state={state} aria-label={`Latest ticks of ${id}`}>
          <thead><tr><th scope="col">{cityOf(info?.mic ?? null, zone)} time</th><th scope="col" className="tape-price">price</th></tr></thead>
          <tbody><TapeRows rows={tape.rows} zone={zone} decimals={info?.decimals ?? null} /></tbody>
        </table>
      );
    default:
      return assertNever(tape);
  }
}
