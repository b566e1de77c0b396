import { expect, test } from 'vitest';
import { labels, lanes, percentAt, ribbonSpan } from '../../../../renderer/ribbon/lanes.ts';
import { HOUR, micros, parseTime } from '../../../../shared/time.ts';

const now = parseTime('2019-11-06T14:41:07Z');
const at = (hour: number) => micros(parseTime('2019-11-06T00:00:00Z') + BigInt(hour * 60) * (HOUR / 60n));
const window = (open: number, close: number, note: string | null = null) => ({ date: '2019-11-06', open: at(open), close: at(close), note });

test('24 hours around now in whole hours', () => {
  const span = ribbonSpan(now);
  expect(span.to - span.from).toBe(24n * HOUR);
  expect(span.from % HOUR).toBe(0n);
  expect(percentAt(span, now)).toBeGreaterThan(37);
  expect(percentAt(span, now)).toBeLessThan(42);
});

test('exchanges with the same hours share a box; a region is a lane; boxes stay inside', () => {
  const exchanges = [
    { mic: 'XETR', city: 'Frankfurt', region: 'Europe' }, { mic: 'XPAR', city: 'Paris', region: 'Europe' }, { mic: 'XEUR', city: 'Frankfurt', region: 'Europe' },
    { mic: 'XTKS', city: 'Tokyo', region: 'Asia Pacific' },
  ] as const;
  const book = new Map([['XETR', [window(8, 16.5)]], ['XEUR', [window(8, 16.5)]], ['XPAR', [window(8, 16.5, 'half day')]], ['XTKS', [window(0, 2.5), window(3.5, 6)]]]);
  const made = lanes(exchanges, book, ribbonSpan(now));
  expect(made.map((lane) => lane.region)).toEqual(['Europe', 'Asia Pacific']);
  expect(made[0]?.boxes).toHaveLength(1);
  expect(made[0]?.boxes[0]).toMatchObject({ cities: ['Frankfurt', 'Paris'], notes: ['Paris: half day'] });
  expect(made[1]?.boxes).toHaveLength(1); // Tokyo's morning lies before the span
  for (const box of made.flatMap((lane) => lane.boxes)) {
    expect(box.left).toBeGreaterThanOrEqual(0);
    expect(box.left + box.width).toBeLessThanOrEqual(100.0001);
  }
});

test('names never run into each other; with less room they shorten', () => {
  const exchanges = [{ mic: 'A', city: 'Frankfurt', region: 'Europe' }, { mic: 'B', city: 'London', region: 'Europe' }, { mic: 'C', city: 'Lisbon', region: 'Europe' }] as const;
  const book = new Map([['A', [window(8, 16)]], ['B', [window(8, 16)]], ['C', [window(9, 17)]]]);
  const [lane] = lanes(exchanges, book, ribbonSpan(now));
  const wide = labels(lane!, 0.1);
  expect([...wide.values()]).toEqual(['Frankfurt, London', 'Lisbon']);
  expect([...labels(lane!, 0.3).values()]).toEqual(['Frankfurt +1', 'Lisbon']);
  expect([...labels(lane!, 2).values()]).toEqual(['Lisbon']);
});
