/** The law of the whole way in: shuffled, repeated, split, late, corrected, busted, over failing stores and restarts, table and bars end as those of the sorted stream. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Writer } from '../../../electron/bigtable/reader.ts';
import { makeBars, type Maker } from '../../../electron/ingest/bars/makeBars.ts';
import type { TickRow } from '../../../electron/ingest/import/row.ts';
import { writeRows } from '../../../electron/ingest/import/writeRows.ts';
import { deleteTicks } from '../../../electron/ingest/live/deletions.ts';
import { sleep } from '../../../electron/ingest/sleep.ts';
import { decimal } from '../../../shared/decimal.ts';
import { infoFor } from '../../../shared/indices.ts';
import { type IndexId, indexIdOf } from '../../../shared/rowKey.ts';
import { sessionDayAt } from '../../../shared/sessionDay.ts';
import { DAY, fromMillis, micros, parseTime, SECOND } from '../../../shared/time.ts';
import { type Print, wantedBars } from '../../unit/ingest/bars/wanted.ts';
import { type Fate, type LiveTable, liveTable, unlucky } from './liveTable.ts';

let table: LiveTable;
beforeAll(async () => { table = await liveTable(); });
afterAll(() => table.close());

let ids = 0;
const newIndex = (): IndexId => indexIdOf(`S${(ids += 1)}`);
const T0 = parseTime('2024-03-11T00:00:00Z');
/** On both sides of what divides bars. */
const OFFSETS = [0n, 1n, 59_999_999n, 60n * SECOND, 299_999_999n, 300n * SECOND, 3_599_999_999n, 3600n * SECOND, DAY - 1n, DAY];

const makerOf = (writer: Writer): Maker => ({
  reader: table.reader, writer, retentionDays: 90, leases: null, sleep: () => sleep(1), patienceMs: 5000, machineMillis: () => Date.now(), signal: new AbortController().signal,
  clock: { kind: 'test', now: () => micros(T0 + 3n * DAY), elapsed: () => performance.now(), speed: () => 1, note: () => null },
});
async function bars(id: IndexId, writer: Writer): Promise<void> {
  const made = await makeBars(makerOf(writer), infoFor(id), { from: null, to: null });
  if (!made.ok) throw new Error(made.error.what);
}
/** All that the table says of an index but when it was written. */
async function said(id: IndexId): Promise<string[]> {
  const read = await table.reader.read({ ranges: [{ start: `${id}#`, end: `${id}$` }, { start: `${id}@`, end: `${id}A` }], deadlineMs: 20_000 });
  return read.rows.map(({ key, cells }) => [key.slice(id.length), ...[...cells].map(([name, { value }]) => [name, value.toString()]).filter(([name, value]) => name !== 'q:i' && value !== '').map((cell) => cell.join('=')).toSorted()].join(' '));
}

const event = fc.record({
  at: fc.constantFrom(...OFFSETS), n: fc.nat(2), slot: fc.integer({ min: 0, max: 3 }), values: fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.option(fc.integer({ min: 1, max: 3 }), { nil: null })), { minLength: 1, maxLength: 3 }), sent: fc.integer({ min: 1, max: 2 }), busted: fc.nat(4).map((x) => x === 0),
});
const fates = fc.array(fc.constantFrom<Fate>('fine', 'refused', 'unheard', 'half'), { maxLength: 10 });

test('table and bars of any stream equal those of the sorted stream', async () => {
  await fc.assert(fc.asyncProperty(fc.uniqueArray(event, { selector: ({ at, n, slot }) => `${at} ${n} ${slot}`, minLength: 1, maxLength: 18 }), fc.infiniteStream(fc.nat(1000)), fates, fc.integer({ min: 1, max: 3 }), async (events, dice, luck, runs) => {
    const [live, sorted] = [newIndex(), newIndex()];
    const tick = (id: IndexId, { at, n }: (typeof events)[number], [price, volume]: (typeof events)[number]['values'][number]) =>
      ({ index: id, time: micros(T0 + at), nanos: 0, price: decimal(String(price)), volume: volume === null ? null : decimal(String(volume)), bid: null, ask: null, source: 'test', n });
    // slot 0 is a file: its events come once and have no numbers of their own
    const numbered = events.filter(({ slot }) => slot > 0);
    const file = (id: IndexId): TickRow[] => events.filter(({ slot }) => slot === 0).toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.n - b.n)).map((one, line) => ({ kind: 'tick', line, ...tick(id, one, one.values[0]!) }));
    const imported = async (id: IndexId, writer: Writer): Promise<boolean> =>
      (await writeRows({ rows: file(id), source: 'file', keep: false, officialCloses: false, reader: table.reader, writer, now: () => fromMillis(Date.now()), machineMillis: () => Date.now(), onFuture: () => {} })).ok;

    // an event's own values stay in order; all else is shuffled
    const left = numbered.map((one) => one.values.flatMap((value) => Array.from({ length: one.sent }, () => ({ one, value }))));
    const stream: { one: (typeof events)[number]; value: (typeof events)[number]['values'][number] }[] = [];
    while (left.length > 0) {
      const lane = dice.next().value % left.length;
      const next = left[lane]?.shift();
      if (next) stream.push(next);
      else left.splice(lane, 1);
    }
    const writer = unlucky(table.writer, luck);
    for (let run = 0; run < runs; run += 1) {
      const writers = new Map([1, 2, 3].map((slot) => [slot, table.live(slot, { writer })]));
      for (const { one, value } of stream.slice(Math.floor((run * stream.length) / runs), Math.floor(((run + 1) * stream.length) / runs))) await writers.get(one.slot)?.write([tick(live, one, value)]);
      await imported(live, writer); // may be cut short
      for (const one of writers.values()) expect(await one.close()).toMatchObject({ ok: true });
      await writer.replay();
      if (dice.next().value % 2 === 0) await bars(live, writer);
    }
    for (let tries = 0; !(await imported(live, writer)); tries += 1) expect(tries).toBeLessThan(20);
    await writer.replay();

    await imported(sorted, table.writer);
    for (const slot of [1, 2, 3]) {
      const one = table.live(slot);
      for (const next of numbered.filter((each) => each.slot === slot).toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.n - b.n))) await one.write([tick(sorted, next, next.values.at(-1)!)]);
      expect(await one.close()).toMatchObject({ ok: true });
    }
    await bars(live, writer);
    await bars(sorted, table.writer);
    expect(await said(live)).toEqual(await said(sorted));

    const busted = numbered.filter((one) => one.busted);
    for (const id of [live, sorted]) {
      const identities = busted.map(({ at, n, slot }) => ({ index: id, time: micros(T0 + at), sequence: slot * 100_000 + n }));
      const done = await deleteTicks({ identities, reader: table.reader, conditional: table.conditional, writer: id === live ? writer : table.writer, now: () => fromMillis(Date.now()), machineMillis: () => Date.now(), elapsed: () => performance.now(), sleep: () => sleep(1), onAbsent: () => {}, onProblem: () => {}, signal: new AbortController().signal });
      expect(done).toEqual({ ok: true, value: { deleted: busted.length, absent: 0 } });
      await bars(id, table.writer);
    }
    const end = await said(live);
    expect(end).toEqual(await said(sorted));
    // and the bars are those that the rules make of these ticks
    const prints = (await table.ticks(live)).map(({ time, sequence, price, volume }): Print => ({ time, sequence, price: BigInt(price), volume: volume === null ? null : BigInt(volume), family: 'q' }));
    expect(prints).toHaveLength(events.length - busted.length);
    const wanted = [...wantedBars(live, prints, (time) => sessionDayAt(infoFor(live), micros(time)))].map(([key, columns]) => [key.slice(live.length), ...Object.entries(columns).map((cell) => cell.join('=')).toSorted()].join(' '));
    expect(end.filter((row) => row.startsWith('@'))).toEqual(wanted.toSorted());
  }), { numRuns: 25 });
}, 120_000);
