import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LiveTick } from '../../../../electron/ingest/live/liveTick.ts';
import { createQuarantine } from '../../../../electron/ingest/live/quarantine.ts';
import { createWatermarks } from '../../../../electron/ingest/live/watermarks.ts';
import { decimal } from '../../../../shared/decimal.ts';
import { indexIdOf } from '../../../../shared/rowKey.ts';
import { micros } from '../../../../shared/time.ts';

const SPX = indexIdOf('SPX');
const tick = (time: number, n: number): LiveTick => ({ index: SPX, time: micros(BigInt(time)), nanos: 0, price: decimal('1'), volume: null, bid: null, ask: null, source: 's', n });

test('everyone comes out at its time, by time and then as it came; nobody beyond the bound gets in', () => {
  fc.assert(fc.property(fc.array(fc.nat(20), { maxLength: 30 }), fc.integer({ min: 0, max: 30 }), (times, bound) => {
    const quarantine = createQuarantine(bound);
    const inside = times.map((time, n) => tick(time, n)).filter((one) => quarantine.add(one));
    expect(inside).toHaveLength(Math.min(bound, times.length));
    const out: LiveTick[] = [];
    for (let now = 0; now <= 20; now += 1) {
      const due = quarantine.due(micros(BigInt(now)));
      expect(due.every(({ time }) => time === BigInt(now))).toBe(true);
      out.push(...due);
    }
    expect(out).toEqual(inside.toSorted((a, b) => Number(a.time - b.time) || (a.n ?? 0) - (b.n ?? 0)));
    expect([quarantine.next(), quarantine.list()]).toEqual([null, []]);
  }));
});

test('a watermark only rises; what the table held at the start counts once', () => {
  const marks = createWatermarks();
  const pass = (time: number): boolean => marks.pass(SPX, micros(BigInt(time)));
  expect([pass(-5), pass(3), pass(3), pass(2), pass(4), pass(3)]).toEqual([false, false, false, true, false, true]);
  expect(marks.behindStart(SPX, micros(1n))).toBe(false);
  marks.start(SPX, micros(2n));
  marks.start(SPX, micros(9n));
  expect([1n, 2n, 5n].map((time) => marks.behindStart(SPX, micros(time)))).toEqual([true, false, false]);
});
