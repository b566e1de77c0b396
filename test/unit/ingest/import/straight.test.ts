/** Files that stand in order, read without a spool: the same rows, counts and rejected lines as with one, and never a row that was stored. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { importFile } from '../../../../electron/ingest/import/importFile.ts';
import type { TickRow } from '../../../../electron/ingest/import/row.ts';
import { writeRows } from '../../../../electron/ingest/import/writeRows.ts';
import { decimal } from '../../../../shared/decimal.ts';
import { indexIdOf } from '../../../../shared/rowKey.ts';
import { micros } from '../../../../shared/time.ts';
import { AUTO, fileOf, readBoth, SPX } from './files.ts';

const tick = fc.record({ step: fc.constantFrom(0, 0, 1, 999, 1000, 60_000_000_000), price: fc.constantFrom('5', '5.0', '6', 'x', '') });
test('ticks of any rising instants, with bad lines among them', async () => {
  await fc.assert(fc.asyncProperty(fc.array(tick, { minLength: 1, maxLength: 15 }), fc.boolean(), async (ticks, shuffled) => {
    let at = 1_710_163_800_000_000_000n;
    const lines = ticks.map(({ step, price }) => `${(at += BigInt(step))},${price}`);
    if (shuffled) lines.reverse();
    await readBoth(fileOf('ticks.csv', `time,price\n${lines.join('\n')}\n`), SPX);
  }), { numRuns: 40 });
});

const bar = fc.record({ step: fc.constantFrom(0, 1, 1, 5), close: fc.constantFrom('5', '6') });
test('minutes with repeated starts, over the night on which clocks go back', async () => {
  await fc.assert(fc.asyncProperty(fc.array(bar, { minLength: 2, maxLength: 15 }), fc.integer({ min: 0, max: 150 }), async (bars, from) => {
    let minute = from;
    const lines = bars.map(({ step, close }) => {
      minute += step;
      return `2024-11-03 ${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')},5,9,1,${close}`;
    });
    await readBoth(fileOf('bars.csv', `time,open,high,low,close\n${lines.join('\n')}\n`), { ...SPX, zone: 'America/New_York', period: '1m' });
  }), { numRuns: 40 });
});

const straightOf = async (text: string, options = SPX): Promise<boolean> => {
  const read = await importFile(fileOf('file.csv', text), options, { straight: true });
  if (!read.ok) throw new Error(read.error.what);
  const { spool } = read.value;
  const spooled = spool.counts().rows > 0;
  spool.close();
  return !spooled;
};
test('only a file whose rows are written in its own order is passed straight', async () => {
  const instants = ['2024-03-11T13:30:00Z,5', '2024-03-11T13:30:00Z,5', '2024-03-11T13:31:00Z,6'];
  expect(await straightOf(`time,price\n${instants.join('\n')}\n`)).toBe(true);
  expect(await straightOf(`time,price\n${instants.toReversed().join('\n')}\n`)).toBe(false);
  // 09:30 in New York is 13:30Z, and 09:35Z comes before it
  expect(await straightOf('time,price\n2024-03-11 09:30:00,5\n2024-03-11T09:35:00Z,5\n', { ...SPX, zone: 'America/New_York' })).toBe(false);
  expect(await straightOf('time,symbol,price\n2024-03-11T13:30:00Z,SPX,5\n2024-03-11T13:31:00Z,NDX,5\n2024-03-11T13:32:00Z,SPX,5\n', AUTO)).toBe(false);
});

test('a file without a good row is refused after its rows, and none was given', async () => {
  expect(await readBoth(fileOf('bad.csv', 'time,price\n2024-03-11T13:30:00Z,x\n2024-03-11T13:31:00Z,y\n'), SPX)).toMatch(/no good row \(line 2: price is not a number/);
});

test('a tick below the microsecond goes by its nanoseconds', async () => {
  const whole = await readBoth(fileOf('nanos.csv', 'time,price\n1710163800000000900,7\n1710163800000000100,5\n1710163800000000100,6\n'), SPX);
  if (typeof whole === 'string') throw new Error(whole);
  expect(whole.rows.map((row) => (row.kind === 'tick' ? [row.nanos, row.price] : []))).toEqual([[100, '5'], [100, '6'], [900, '7']]);
});

describe('more ticks of one microsecond than there are sequences', () => {
  const said = /more than 100000 ticks at one microsecond \(line 100002\): check the time column/;
  test('end a file in order at the first that is too many', async () => {
    const read = await importFile(fileOf('same.csv', `time,price\n${'1710163800,5\n'.repeat(100_100)}`), SPX, { straight: true });
    if (!read.ok) throw new Error(read.error.what);
    let count = 0;
    await expect((async () => { for await (const some of read.value.rows()) count += some.length; return count; })()).rejects.toThrow(said);
    read.value.spool.close();
  });
  test('are not held, however many come from the spool', async () => {
    function* endless(): Generator<TickRow> {
      for (let line = 2; ; line += 1) yield { kind: 'tick', line, index: indexIdOf('SPX'), time: micros(1n), nanos: 0, price: decimal('5'), bid: null, ask: null, volume: null };
    }
    const never = (): never => { throw new Error('nothing is read or written of it'); };
    await expect(writeRows({ rows: endless(), source: 'x', keep: true, officialCloses: false, reader: { read: never, renew: never, close: never }, writer: { write: never }, now: () => micros(1n), machineMillis: () => 0, onFuture: never })).rejects.toThrow(said);
  });
});
