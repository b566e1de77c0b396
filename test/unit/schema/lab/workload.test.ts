/** The invented market of the lab, and the right answers from memory. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createModel, makeQuestions, newestFirst, sameAnswer } from '../../../../electron/schema/lab/questions.ts';
import { hottestShare, makeWorkload, type WorkloadShape } from '../../../../electron/schema/lab/workload.ts';

const shape: WorkloadShape = { indices: 8, rate: 2, skew: 1.1, bytes: 60, span: 300, window: 60, seed: 7 };
const shapes = fc.record({ indices: fc.integer({ min: 1, max: 12 }), rate: fc.constantFrom(0.5, 3, 40), skew: fc.constantFrom(0, 1.1, 3), bytes: fc.constant(60), span: fc.constantFrom(10, 60), window: fc.constant(5), seed: fc.maxSafeNat() });

describe('workload', () => {
  test('is the same for the same seed, and another for another', () => {
    const prices = (seed: number): unknown => makeWorkload({ ...shape, seed }).events.map(({ price, time }) => `${time} ${price}`);
    expect(prices(7)).toEqual(prices(7));
    expect(prices(7)).not.toEqual(prices(8));
  });

  test('has so many ticks, each an identity of its own, all within the span', () =>
    fc.assert(fc.property(shapes, (given) => {
      const { events, start, end } = makeWorkload(given);
      expect(events).toHaveLength(Math.round(given.rate * given.span));
      expect(new Set(events.map(({ series, time, sequence }) => `${series.text} ${time} ${sequence}`)).size).toBe(events.length);
      expect(events.every(({ time, ingest }) => time >= start && time < end && ingest > time)).toBe(true);
    }), { numRuns: 40 }));

  test('has late ticks and several of one microsecond, and more of the first index the more it is skewed', () => {
    const { events } = makeWorkload({ ...shape, rate: 20 });
    const newest = new Map<string, bigint>();
    let late = 0;
    for (const { series, time } of events) {
      if (time < (newest.get(series.text) ?? 0n)) late += 1;
      else newest.set(series.text, time);
    }
    expect(late / events.length).toBeGreaterThan(0.003);
    expect(events.some(({ sequence }) => sequence > 0)).toBe(true);
    expect(hottestShare(makeWorkload({ ...shape, skew: 3 }))).toBeGreaterThan(2 * hottestShare(makeWorkload({ ...shape, skew: 0 })));
  });

  test('a bar has the last price of its ticks, in the order of events, not of arrival', () => {
    const { events, barEvents } = makeWorkload({ ...shape, rate: 20 });
    for (const bar of barEvents) {
      const [last] = events.filter(({ series, time }) => `${series.text}@${bar.series.text.split('@')[1] ?? ''}` === bar.series.text && time >= bar.time && time < bar.ingest).map((event) => ({ ...event, series: event.series.text })).sort(newestFirst);
      expect(last?.price).toBe(bar.price);
    }
    expect(barEvents.length).toBeGreaterThan(8);
  });
});

describe('questions', () => {
  const workload = makeWorkload(shape);
  const model = createModel([...workload.events, ...workload.barEvents]);

  test('are the same each time, and every kind is asked', () => {
    const asked = makeQuestions(workload, 3);
    expect(makeQuestions(workload, 3)).toEqual(asked);
    expect(asked.map(({ name, times }) => [name, times.length])).toEqual(['Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q5r', 'Q6', 'Q7'].map((name) => [name, 3]));
  });

  test('the answers from memory are newest first and within what is asked', () => {
    for (const { times } of makeQuestions(workload, 10)) {
      for (const ask of times) {
        const found = model(ask);
        expect([...found].sort(newestFirst)).toEqual(found);
        if (ask.kind === 'between' || ask.kind === 'window') expect(found.every(({ time }) => time >= ask.from && time <= ask.to)).toBe(true);
        if (ask.kind === 'asOf') expect(found.every(({ time }) => time <= ask.time)).toBe(true);
      }
    }
  });

  test('an answer that lacks one event, or has another price, is not the same', () => {
    const [first] = workload.ticks;
    if (!first) throw new Error('no index');
    const found = model({ kind: 'latest', series: first, count: 5 });
    expect(sameAnswer(found, found)).toBe(true);
    expect(sameAnswer(found, found.slice(1))).toBe(false);
    expect(sameAnswer(found, found.map((event, at) => (at === 4 ? { ...event, price: '0' } : event)))).toBe(false);
  });
});
