/** A tick as a live source gives it, and its row. */
import type { Decimal } from '../../../shared/decimal.ts';
import type { Tick } from '../../../shared/quote.ts';
import { type IndexId, tickKey } from '../../../shared/rowKey.ts';
import type { EpochMicros } from '../../../shared/time.ts';
import type { Family, WriteRow } from '../../bigtable/reader.ts';

export interface LiveTick {
  readonly index: IndexId;
  /** Event time; a source with nanoseconds gives it by `fromNanos`, and what is left in `nanos`. */
  readonly time: EpochMicros;
  readonly nanos: number;
  readonly price: Decimal;
  readonly volume: Decimal | null;
  readonly bid: Decimal | null;
  readonly ask: Decimal | null;
  readonly source: string;
  /** The source's own number of this event at its microsecond, 0 to 99999; the same event always has the same. Null: the source has none, and every tick is an event of its own. */
  readonly n: number | null;
}

export interface TickIdentity {
  readonly index: IndexId;
  readonly time: EpochMicros;
  readonly sequence: number;
}

const OPTIONAL = ['v', 'b', 'a', 'n'] as const;

type Values = Pick<Tick, 'price' | 'volume' | 'bid' | 'ask'> & { readonly nanos: number | null };

/** What makes two ticks of one identity the same. */
export const valuesOf = ({ price, volume, bid, ask, nanos }: Values): string => [price, volume, bid, ask, nanos ?? 0].join(' ');

/** A correction writes all columns, an unknown as empty text: no old value stays beside the new ones, whatever arrives late. */
export function liveRow(tick: LiveTick, sequence: number, ingest: EpochMicros, family: Family, correction: boolean): WriteRow {
  const cells = [
    { family, qualifier: 'p', value: tick.price as string },
    { family, qualifier: 'i', value: ingest.toString() },
    { family, qualifier: 's', value: tick.source },
  ];
  const optional = { v: tick.volume, b: tick.bid, a: tick.ask, n: tick.nanos === 0 ? null : String(tick.nanos) };
  for (const qualifier of OPTIONAL) {
    const value = optional[qualifier];
    if (value !== null || correction) cells.push({ family, qualifier, value: value ?? '' });
  }
  return { key: tickKey(tick.index, tick.time, sequence), cells };
}
