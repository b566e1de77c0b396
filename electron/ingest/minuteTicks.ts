/** A minute bar as four ticks: its own prices at seconds 0, 15, 40 and 59. */
import { compare, type Decimal } from '../../shared/decimal.ts';
import type { IndexId } from '../../shared/rowKey.ts';
import { type EpochMicros, micros, SECOND } from '../../shared/time.ts';
import type { SourceBar } from './sourceBar.ts';

export interface SourceTick {
  readonly index: IndexId;
  readonly time: EpochMicros;
  /** n of its instant: 0 unless an instant has several ticks. */
  readonly sequence: number;
  readonly price: Decimal;
}

const SECONDS = [0n, 15n, 40n, 59n] as const;

/** Open, then low and high (high first where the bar falls), close: real prices, none invented. */
export function ticksOfMinute(index: IndexId, bar: SourceBar): readonly SourceTick[] {
  const falls = compare(bar.close, bar.open) < 0;
  const prices = [bar.open, falls ? bar.high : bar.low, falls ? bar.low : bar.high, bar.close];
  return SECONDS.map((second, nth) => ({ index, time: micros(bar.start + second * SECOND), sequence: 0, price: prices[nth] ?? bar.close }));
}

/** Ticks of several files in time order, with sequences 0, 1, ... within one instant of one index. */
export function inTimeOrder(ticks: readonly SourceTick[]): SourceTick[] {
  const sorted = ticks.toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : a.index < b.index ? -1 : a.index > b.index ? 1 : 0));
  let before: SourceTick | undefined;
  return sorted.map((tick) => {
    const again: boolean = before !== undefined && before.time === tick.time && before.index === tick.index;
    before = again && before ? { ...tick, sequence: before.sequence + 1 } : tick;
    return before;
  });
}
