/** Latest ticks, newest first, on the exchange's clock to the millisecond; corrections and removals stay in sight. */
import './tape.css';
import { memo } from 'react';
import { compare, type Decimal, parseDecimal } from '../../shared/decimal.ts';
import { assertNever } from '../../shared/result.ts';
import { parseMicros } from '../../shared/time.ts';
import { Arrow, type Direction } from '../state/Change.tsx';
import { showClockMs, showPrice } from '../state/shown.ts';
import { useInfo, useQuote } from '../store/hooks.ts';
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

const TapeLine = memo(
  function TapeLine({ row, direction, zone, decimals }: { readonly row: TapeRow; readonly direction: Direction; readonly zone: string; readonly decimals: number }) {
    const { tick, mark, was } = row;
    return (
      <tr data-mark={mark ?? undefined}>
        <th scope="row">{showClockMs(zone, parseMicros(tick.eventMicros))}</th>
        <td className="tape-mark">{mark === null ? null : <span className="chip">{mark}</span>}</td>
        <td className="tape-price change" data-direction={direction}>
          {was === null ? null : <s>{showPrice(was, decimals)}</s>} <Arrow direction={direction} /><span className="sr">{direction}</span>
          <span className="price">{showPrice(tick.price, decimals)}</span>
        </td>
      </tr>
    );
  },
  (a, b) => a.row === b.row && a.direction === b.direction && a.zone === b.zone && a.decimals === b.decimals,
);

export function Tape({ id }: { readonly id: string }) {
  const tape = useTape(id);
  const info = useInfo(id);
  const state = useQuote(id)?.state;
  switch (tape.kind) {
    case 'loading':
      return <p className="note">Reading the latest ticks…</p>;
    case 'failed':
      return <p className="note bad">No ticks: {tape.problem.what}. {tape.problem.next}.</p>;
    case 'rows':
      if (tape.rows.length === 0) return <p className="note">No tick of {id} in the table yet.</p>;
      return (
        <table className="tape" data-state={state} aria-label={`Latest ticks of ${id}`}>
          <thead className="sr"><tr><th scope="col">time</th><th scope="col">note</th><th scope="col">price</th></tr></thead>
          <tbody>
            {tape.rows.slice(0, SHOWN).map((row, at) => (
              <TapeLine key={identityOf(row.tick)} row={row} direction={directionAt(tape.rows, at)} zone={info?.zone ?? 'UTC'} decimals={info?.decimals ?? 2} />
            ))}
          </tbody>
        </table>
      );
    default:
      return assertNever(tape);
  }
}
