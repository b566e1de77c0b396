/** Bars as a reader of the rules would make them: from the sorted list of all ticks, one bar after the other, in scaled integers. */
import { barKey, type IndexId, type Resolution } from '../../../../shared/rowKey.ts';
import { micros } from '../../../../shared/time.ts';

export interface Print {
  readonly time: bigint;
  readonly sequence: number;
  /** Whole units: the price is written as it is. */
  readonly price: bigint;
  readonly volume: bigint | null;
  readonly family: 'q' | 'h';
}

const LENGTHS: readonly (readonly [Resolution, bigint])[] = [['1m', 60_000_000n], ['5m', 300_000_000n], ['1h', 3_600_000_000n]];
const floor = (time: bigint, length: bigint): bigint => time - (((time % length) + length) % length);

/** Columns by row key. `dayOf`: start and date of the day that holds an instant, null for none. */
export function wantedBars(id: IndexId, prints: readonly Print[], dayOf: (time: bigint) => { start: bigint; date: string } | null): Map<string, Record<string, string>> {
  const sorted = prints.toSorted((a, b) => (a.time === b.time ? a.sequence - b.sequence : a.time < b.time ? -1 : 1));
  const groups = new Map<string, { prints: Print[]; date: string | null }>();
  const into = (key: string, print: Print, date: string | null): void => {
    const group = groups.get(key);
    if (group) group.prints.push(print);
    else groups.set(key, { prints: [print], date });
  };
  for (const print of sorted) {
    for (const [resolution, length] of LENGTHS) into(barKey(id, resolution, micros(floor(print.time, length))), print, null);
    const day = dayOf(print.time);
    if (day) into(barKey(id, '1d', micros(day.start)), print, day.date);
  }
  return new Map([...groups].map(([key, { prints: held, date }]) => {
    const prices = held.map(({ price }) => price);
    const volumes = held.flatMap(({ volume }) => volume ?? []);
    const extreme = (pick: (a: bigint, b: bigint) => boolean): bigint => prices.reduce((best, price) => (pick(price, best) ? price : best));
    return [key, {
      'b:o': String(prices[0]), 'b:h': String(extreme((a, b) => a > b)), 'b:l': String(extreme((a, b) => a < b)), 'b:c': String(prices.at(-1)),
      'b:k': String(held.length), 'b:q': String(held.filter(({ family }) => family === 'q').length),
      ...(volumes.length > 0 ? { 'b:v': String(volumes.reduce((sum, volume) => sum + volume)) } : {}), ...(date === null ? {} : { 'b:d': date }),
    }];
  }));
}
