import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatSchedule, MAX_CHANGES, parseSchedule, shardOf, shardsAt } from '../../../../electron/bigtable/layout/schedule.ts';
import { indexIdOf, tickKey } from '../../../../shared/rowKey.ts';
import { micros } from '../../../../shared/time.ts';

const changes = fc.uniqueArray(fc.record({ from: fc.bigInt({ min: -(10n ** 15n), max: 10n ** 16n }).map(micros), shards: fc.integer({ min: 1, max: 100 }) }), { selector: ({ from }) => from, maxLength: MAX_CHANGES })
  .map((all) => all.sort((a, b) => (a.from < b.from ? -1 : 1)));

describe('a schedule of shards', () => {
  test('what is written is read', () => fc.assert(fc.property(changes, (schedule) => { expect(parseSchedule(formatSchedule(schedule))).toEqual(schedule); })));

  test.each(['x', '1:0', '1:101', '1:2 1:3', '2:2 1:3', '1:2  3:4', ' 1:2', '1:2\n', '1:2,3:4', '999999999999999999:2', Array.from({ length: MAX_CHANGES + 1 }, (_, at) => `${at}:2`).join(' ')])('%j is none', (text) => {
    expect(parseSchedule(text)).toBeUndefined();
  });

  test('the last change at or before an event counts; one before the first', () => {
    const schedule = parseSchedule('100:4 200:2 300:1') ?? [];
    expect([99n, 100n, 199n, 200n, 299n, 300n, 10n ** 15n].map((time) => shardsAt(schedule, time))).toEqual([1, 4, 4, 2, 2, 1, 1]);
  });
});

describe('the shard of an event', () => {
  // For those who write such tables by other means: first four bytes of SHA-256 over the canonical key, big-endian, modulo the number of shards.
  test.each([
    ['SPX', 1_573_050_000_000_000n, 0, 'SPX#9221798986854775807#999999', 0x011001f7],
    ['SPX', 1_573_050_000_000_000n, 1, 'SPX#9221798986854775807#999998', 0xe863d155],
    ['^N225', -1n, 999_999, '^N225#9223372036854775808#000000', 0x22ca5126],
  ])('%s %s %s', (id, time, sequence, key, hash) => {
    const made = tickKey(indexIdOf(id), micros(time), sequence);
    expect(made).toBe(key);
    for (const shards of [2, 4, 7, 100]) expect(shardOf(made, shards)).toBe(hash % shards);
  });

  test('one hot index is split evenly, whatever its rhythm', () => {
    for (const step of [1n, 1_000n, 250_000n, 1_000_000n]) {
      const counts = [0, 0, 0, 0];
      for (let at = 0n; at < 4_000n; at += 1n) {
        const shard = shardOf(tickKey(indexIdOf('SPX'), micros(1_573_050_000_000_000n + at * step)), 4);
        counts[shard] = (counts[shard] ?? 0) + 1;
      }
      for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150);
    }
  });
});
