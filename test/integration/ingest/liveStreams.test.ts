/** Streams in any order, over failing stores and restarts: the table is that of the sorted stream. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimal } from '../../../shared/decimal.ts';
import type { IndexId } from '../../../shared/rowKey.ts';
import { type Fate, unlucky } from './liveTable.ts';
import { done, liveWrites, newIndex, T0, tick } from './liveWrites.ts';

const held = liveWrites();
const { prints, write } = held;

test('shuffled, repeated, split, late, corrected streams over failing stores and restarts: the table is that of the sorted stream', async () => {
  const event = fc.record({ at: fc.nat(6), n: fc.nat(2), slot: fc.integer({ min: 1, max: 3 }), values: fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.option(fc.integer({ min: 1, max: 3 }), { nil: null })), { minLength: 1, maxLength: 3 }), sent: fc.integer({ min: 1, max: 3 }) });
  const fate = fc.constantFrom<Fate>('fine', 'refused', 'unheard', 'half');
  await fc.assert(fc.asyncProperty(
    fc.uniqueArray(event, { selector: ({ at, n, slot }) => `${at} ${n} ${slot}`, minLength: 1, maxLength: 20 }), fc.infiniteStream(fc.nat(1000)), fc.array(fate, { maxLength: 8 }), fc.integer({ min: 1, max: 3 }), fc.boolean(),
    async (events, dice, fates, runs, skewed) => {
      const [live, sorted] = [newIndex(), newIndex()];
      // an event's own values stay in order, each sent once or more; all else is shuffled
      const lanes = events.map(({ at, n, slot, values, sent }) => values.flatMap(([price, volume]) => Array.from({ length: sent }, () => ({ slot, tick: (id: IndexId) => tick(id, BigInt(at), String(price), n, { volume: volume === null ? null : decimal(String(volume)) }) }))));
      const stream: (typeof lanes)[number] = [];
      const left = lanes.map((lane) => [...lane]);
      while (left.length > 0) {
        const lane = dice.next().value % left.length;
        const next = left[lane]?.shift();
        if (next) stream.push(next);
        else left.splice(lane, 1);
      }
      const writer = unlucky(held.table.writer, fates);
      let clock = Date.now();
      const counted = { written: 0, duplicates: 0, corrected: 0 };
      for (let run = 0; run < runs; run += 1) {
        const part = stream.slice(Math.floor((run * stream.length) / runs), Math.floor(((run + 1) * stream.length) / runs));
        const writers = new Map([1, 2, 3].map((slot) => [slot, held.table.live(slot, { writer, machineMillis: () => clock })]));
        for (const one of part) await writers.get(one.slot)?.write([one.tick(live)]);
        for (const one of writers.values()) {
          const { written, duplicates, corrected } = await done(one);
          counted.written += written;
          counted.duplicates += duplicates;
          counted.corrected += corrected;
        }
        if (skewed) clock -= 60_000;
        await writer.replay();
      }
      for (const slot of [1, 2, 3]) await write(lanes.flat().filter((one) => one.slot === slot).map((one) => one.tick(sorted)).toSorted((a, b) => Number(a.time - b.time)), slot);
      expect(await prints(live)).toEqual(await prints(sorted));
      const changes = events.map(({ values }) => values.filter((value, i) => i === 0 || String(value) !== String(values[i - 1])).length - 1).reduce((a, b) => a + b, 0);
      expect(counted).toEqual({ written: events.length, corrected: changes, duplicates: stream.length - events.length - changes });
    }), { numRuns: 60 });
}, 60_000);

test('a source without numbers, shuffled and split over writers and restarts: the events are those of the sorted stream', async () => {
  await fc.assert(fc.asyncProperty(
    fc.array(fc.record({ at: fc.nat(3), price: fc.integer({ min: 1, max: 3 }), slot: fc.integer({ min: 1, max: 2 }), run: fc.nat(2) }), { maxLength: 25 }), fc.array(fc.constantFrom<Fate>('fine', 'refused', 'unheard', 'half'), { maxLength: 6 }),
    async (events, fates) => {
      const id = newIndex();
      const writer = unlucky(held.table.writer, fates);
      for (const run of [0, 1, 2]) {
        const writers = new Map([1, 2].map((slot) => [slot, held.table.live(slot, { writer })]));
        for (const one of events.filter((event) => event.run === run)) await writers.get(one.slot)?.write([tick(id, BigInt(one.at), String(one.price), null)]);
        for (const one of writers.values()) await done(one);
      }
      const found = await held.table.ticks(id);
      const names = (list: readonly { at: number; price: unknown; slot: number }[]): string[] => list.map(({ at, price, slot }) => `${at} ${String(price)} ${slot}`).sort();
      expect(names(found.map(({ time, price, sequence }) => ({ at: Number(time - T0), price, slot: Math.floor(sequence / 100_000) })))).toEqual(names(events));
      expect(found.every(({ time, sequence }, i) => sequence % 100_000 === 0 || (found[i - 1]?.time === time && found[i - 1]?.sequence === sequence - 1))).toBe(true);
    }), { numRuns: 30 });
}, 60_000);
