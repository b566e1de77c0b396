import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPoints, type Points } from '../../../renderer/chart/points.ts';
import type { HistoryAnswer } from '../../../shared/channels.ts';

const T0 = 1_573_050_000_000_000;
const at = (step: number): string => String(T0 + step * 1_000_000);

function history(points: readonly (readonly [step: number, price: string, sequence?: number])[], resolution: HistoryAnswer['resolution'] = 'tick'): HistoryAnswer {
  return { index: 'SPX', times: points.map(([step]) => at(step)), sequences: points.map(([, , sequence = 0]) => sequence), prices: points.map(([, price]) => price), resolution, kind: 'tick', rows: points.length, truncated: false };
}
const seen = (points: Points): string[] => points.times.map((time, index) => `${(time - T0) / 1_000_000} ${points.texts[index]}`);

type Action =
  | { readonly kind: 'tick'; readonly step: number; readonly sequence: number; readonly price: string }
  | { readonly kind: 'remove'; readonly step: number; readonly sequence: number }
  | { readonly kind: 'ask' | 'answer' };

const step = fc.integer({ min: 0, max: 30 });
const sequence = fc.integer({ min: 0, max: 2 });
const price = fc.integer({ min: 10_000, max: 99_999 }).map((cents) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`);
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('tick' as const), step, sequence, price }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), step, sequence }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'ask' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'answer' as const }) },
);

describe('points', () => {
  test('any order of history, tail, late ticks, corrections and removals ends in the sorted stream', () => {
    fc.assert(fc.property(fc.array(action, { maxLength: 120 }), (actions) => {
      const points = createPoints();
      const store = new Map<string, { step: number; sequence: number; price: string }>(); // what the table holds
      const rows = () => [...store.values()].sort((a, b) => a.step - b.step || a.sequence - b.sequence);
      let underWay: HistoryAnswer | undefined; // read at some time between its request and its arrival
      for (const one of actions) {
        if (one.kind === 'tick') {
          store.set(`${one.step} ${one.sequence}`, one);
          points.putTick({ eventMicros: at(one.step), sequence: one.sequence, price: one.price });
        } else if (one.kind === 'remove') {
          if (store.delete(`${one.step} ${one.sequence}`)) points.remove(at(one.step), one.sequence);
        } else if (one.kind === 'ask') {
          points.beginHistory(T0 + 31_000_000);
          underWay = history(rows().map((row) => [row.step, row.price, row.sequence] as const));
        } else if (underWay) {
          points.putHistory(underWay);
          underWay = undefined;
        }
      }
      expect(seen(points)).toEqual(rows().map((row) => `${row.step} ${row.price}`));
      expect(points.sequences).toEqual(rows().map((row) => row.sequence));
    }), { numRuns: 400 });
  });

  test('a history answer that left before a removal does not bring the row back', () => {
    const points = createPoints();
    points.putTick({ eventMicros: at(1), sequence: 0, price: '10' });
    points.putTick({ eventMicros: at(2), sequence: 0, price: '11' });
    points.beginHistory(T0 + 3_000_000);
    points.remove(at(2), 0);
    points.putHistory(history([[0, '9'], [1, '10'], [2, '11']]));
    expect(seen(points)).toEqual(['0 9', '1 10']);
  });

  test('what happened while the tail was silent comes with the next answer: rows gone, corrected, new', () => {
    const points = createPoints();
    points.putHistory(history([[1, '10'], [2, '11', 3], [3, '12']]));
    points.putTick({ eventMicros: at(4), sequence: 0, price: '13' });
    points.beginHistory(T0 + 6_000_000);
    points.putTick({ eventMicros: at(4), sequence: 1, price: '14' }); // after the request left: news
    points.putHistory(history([[1, '10'], [2, '11.5', 3], [4, '13.5'], [5, '15']]));
    expect(seen(points)).toEqual(['1 10', '2 11.5', '4 13.5', '4 14', '5 15']);
  });

  test('ticks that an answer left out to fit the width stay; what the tail put since the request wins over it', () => {
    const points = createPoints();
    points.putHistory(history([[1, '10'], [2, '11'], [3, '12']]));
    points.beginHistory(T0 + 9_000_000);
    points.putTick({ eventMicros: at(3), sequence: 0, price: '12.5' });
    points.putHistory({ ...history([[1, '10'], [3, '12']]), rows: 3 });
    expect(seen(points)).toEqual(['1 10', '2 11', '3 12.5']);
  });

  test('events of one instant are told apart by their sequences, and only an append keeps the revision', () => {
    const points = createPoints();
    points.putHistory(history([[1, '10'], [2, '11'], [2, '11', 7]]));
    const before = points.revision;
    expect(points.putTick({ eventMicros: at(2), sequence: 7, price: '11' })).toBe(false); // the same event
    expect(points.putTick({ eventMicros: at(3), sequence: 0, price: '12' })).toBe(true);
    expect(points.revision).toBe(before);
    expect(points.putTick({ eventMicros: at(2), sequence: 7, price: '11.5' })).toBe(true); // a correction
    expect(points.revision).toBeGreaterThan(before);
    expect(seen(points)).toEqual(['1 10', '2 11', '2 11.5', '3 12']);
    expect(points.remove(at(2), 1)).toBe(false);
    expect(points.remove(at(2), 0)).toBe(true);
    expect(seen(points)).toEqual(['1 10', '2 11.5', '3 12']);
  });

  test('bars and ticks of the same minutes never mix', () => {
    const points = createPoints();
    points.putTick({ eventMicros: at(130), sequence: 0, price: '20' });
    points.putTick({ eventMicros: at(140), sequence: 0, price: '21' });
    points.putHistory(history([[59, '10'], [119, '11'], [179, '99']], '1m'));
    expect(seen(points)).toEqual(['59 10', '119 11', '130 20', '140 21']); // these ticks are what the bar to 179 is made of
  });

  test('a bar that is not over gives way to its ticks, and bars fill what the tail missed', () => {
    const points = createPoints();
    points.beginHistory(T0 + 150_000_000);
    points.putHistory(history([[59, '10'], [119, '11'], [179, '99']], '1m'));
    expect(seen(points)).toEqual(['59 10', '119 11']);
    points.putTick({ eventMicros: at(140), sequence: 0, price: '21' });
    points.putTick({ eventMicros: at(400), sequence: 0, price: '25' }); // after an outage
    points.beginHistory(T0 + 410_000_000);
    points.putHistory(history([[59, '10'], [119, '11'], [179, '12'], [239, '13'], [299, '14'], [359, '15']], '1m'));
    expect(seen(points)).toEqual(['59 10', '119 11', '179 12', '239 13', '299 14', '359 15', '400 25']);
  });

  test('what is no time or price is refused, never drawn', () => {
    const points = createPoints();
    expect(points.putTick({ eventMicros: 'soon', sequence: 0, price: '1' })).toBe(false);
    expect(points.putTick({ eventMicros: at(1), sequence: 0, price: '1e5' })).toBe(false);
    expect(points.putTick({ eventMicros: at(1), sequence: -1, price: '1' })).toBe(false);
    expect(points.putHistory({ ...history([[1, '10'], [2, 'NaN'], [0, '9']]) })).toBe(2);
    expect(seen(points)).toEqual(['1 10']);
  });

  test('a price becomes the very double that its text names', () => {
    fc.assert(fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.integer({ min: 0, max: 12 }), (units, places) => {
      const digits = units.toString().padStart(places + 1, '0');
      const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
      const points = createPoints();
      points.putTick({ eventMicros: at(0), sequence: 0, price: text });
      points.putHistory(history([[1, text]]));
      expect(points.values).toEqual([Number(text), Number(text)]);
    }));
  });

  test('trimming keeps the point that the line comes from', () => {
    const points = createPoints();
    points.putHistory(history([[0, '1'], [1, '2'], [2, '3'], [3, '4']]));
    points.trim(T0 + 2_500_000);
    expect(seen(points)).toEqual(['2 3', '3 4']);
  });

  test('stays bounded', () => {
    const points = createPoints();
    for (let i = 0; i < 160_000; i++) points.putTick({ eventMicros: String(T0 + i), sequence: 0, price: '1' });
    expect(points.length).toBeLessThanOrEqual(150_000);
    expect(points.times.at(-1)).toBe(T0 + 159_999);
  });
});
