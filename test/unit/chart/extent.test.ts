import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createExtent } from '../../../renderer/chart/extent.ts';
import { createPoints } from '../../../renderer/chart/points.ts';
import type { Span } from '../../../renderer/chart/span.ts';
import { PLAIN_TIMELINE } from '../../../renderer/chart/timeline.ts';

const SECOND = 1000;
const START = Date.UTC(2026, 10, 30, 15);
const span = (from: number): Span => ({ from, to: from + 3_600_000, timeline: PLAIN_TIMELINE, open: true, still: false, live: true, sessionStart: null, until: Number.POSITIVE_INFINITY });

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('append' as const), cents: fc.array(fc.integer({ min: 1, max: 99_999 }), { minLength: 1, maxLength: 60 }) }) },
  fc.record({ kind: fc.constant('correct' as const), at: fc.nat(), cents: fc.integer({ min: 1, max: 99_999 }) }),
  fc.record({ kind: fc.constant('move' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('limit' as const), back: fc.nat({ max: 50 }) }),
);

test('lowest, highest and count of what is in view, however points come and the view moves', () => {
  fc.assert(fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
    const points = createPoints();
    const extent = createExtent(points);
    let view = span(START);
    let [next, back] = [0, 0];
    for (const one of steps) {
      if (one.kind === 'append') for (const cents of one.cents) points.putTick({ eventMicros: String((START + next++ * SECOND) * 1000), sequence: 0, price: String(cents) });
      else if (one.kind === 'correct' && next > 0) points.putTick({ eventMicros: String((START + (one.at % next) * SECOND) * 1000), sequence: 0, price: String(one.cents) });
      else if (one.kind === 'move') view = span(START + (one.at % (next + 1)) * SECOND);
      else if (one.kind === 'limit') [back, view] = [one.back, { ...view }]; // the clock only goes back with another view
      const limit = (START + (next - 1 - back) * SECOND) * 1000;
      const seen = points.values.filter((_, at) => (points.times[at] ?? 0) >= view.from * 1000 && (points.times[at] ?? 0) <= limit);
      expect(extent.read(view, limit)).toEqual({ low: Math.min(...seen), high: Math.max(...seen), count: seen.length });
    }
  }), { numRuns: 60 });
});
