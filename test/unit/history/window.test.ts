import { describe, expect, test } from 'vitest';
import type { PageContext } from '../../../electron/bigtable/pages.ts';
import type { Reader, ReadRequest } from '../../../electron/bigtable/reader.ts';
import { boundedReader, costMeter } from '../../../electron/history/meteredReader.ts';
import { READS_IN_FLIGHT, windowTicks } from '../../../electron/history/window.ts';
import { builtInIndices } from '../../../shared/indices.ts';
import { type IndexId, indexIdOf, tickKey } from '../../../shared/rowKey.ts';
import { DAY, type EpochMicros, micros, MINUTE, SECOND } from '../../../shared/time.ts';
import { memoryTable } from '../feed/memoryTable.ts';

const NOW = micros(1_573_052_400_000_000n);
const clock = (now: EpochMicros): PageContext['clock'] => ({ kind: 'wall', now: () => now, elapsed: () => 0, speed: () => 1, note: () => null });
const indices = [...builtInIndices.values()].map(({ id }) => id);

/** Counts by itself what passes, with answers that come late and out of turn. */
function counting(reader: Reader): { reader: Reader; most: () => number; count: { requests: number; rows: number; bytes: number } } {
  let [inFlight, most, turn] = [0, 0, 0];
  const count = { requests: 0, rows: 0, bytes: 0 };
  return {
    count, most: () => most,
    reader: {
      ...reader,
      async read(request: ReadRequest) {
        inFlight += 1;
        most = Math.max(most, inFlight);
        turn += 1;
        await new Promise((resolve) => setTimeout(resolve, (turn * 7) % 5));
        const outcome = await reader.read(request);
        inFlight -= 1;
        count.requests += 1;
        count.rows += outcome.rows.length;
        for (const { key, cells } of outcome.rows) count.bytes += key.length + [...cells.values()].reduce((sum, { value }) => sum + value.length, 0);
        return outcome;
      },
    },
  };
}

interface Event { readonly index: IndexId; readonly time: bigint; readonly sequence: number; readonly price: string }

/** Indices of very different rates over 30 minutes: shared instants, several ticks in one microsecond, one index that is silent, one that only prints outside of the window. */
function market(): { table: ReturnType<typeof memoryTable>; events: Event[] } {
  const table = memoryTable();
  const events: Event[] = [];
  let seed = 42;
  const random = (): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  for (const [i, index] of indices.entries()) {
    if (i === 3) continue;
    for (let n = 0; n < (i === 0 ? 6_000 : 20 + i * 12); n += 1) {
      const time = NOW - BigInt(Math.floor(random() * 1800)) * SECOND - (i === 4 ? 15n * MINUTE : 0n);
      const event = { index, time, sequence: n, price: `${1000 + i}.${(n % 9) + 1}` };
      events.push(event);
      table.put(tickKey(index, micros(time), n), { [n % 3 === 0 ? 'h:p' : 'q:p']: event.price });
    }
  }
  return { table, events };
}

const [from, to] = [micros(NOW - 10n * MINUTE), NOW];

async function read(context: PageContext, wanted: readonly IndexId[], given: { from: EpochMicros; to: EpochMicros } = { from, to }): Promise<Event[]> {
  const found: Event[] = [];
  for await (const page of windowTicks(context, { indices: wanted, ...given })) {
    if (!page.ok) throw new Error(page.error.what);
    found.push(...page.value.map(({ index, time, sequence, price }) => ({ index, time, sequence, price })));
  }
  return found;
}

describe('25 indices for ten minutes', () => {
  test('are one list, as sorting all of them would give it, at most 16 reads at a time, for the stated cost', async () => {
    const { table, events } = market();
    const counted = counting(table.reader);
    const meter = costMeter();
    const found = await read({ reader: boundedReader(meter.around(counted.reader), READS_IN_FLIGHT), clock: clock(NOW), retentionDays: 90 }, indices);
    const wanted = events.filter(({ time }) => time >= from && time <= to)
      .sort((a, b) => (a.time === b.time ? (a.index === b.index ? b.sequence - a.sequence : a.index < b.index ? -1 : 1) : a.time > b.time ? -1 : 1));
    expect(wanted.length).toBeGreaterThan(3000);
    expect(found).toEqual(wanted);
    expect(counted.most()).toBe(READS_IN_FLIGHT);
    expect(meter.cost()).toEqual(counted.count);
    expect(counted.count.requests).toBeGreaterThan(indices.length);
  });

  test('an index with many pages keeps its place among those with few', async () => {
    const { table, events } = market();
    // 2,000 indices more make pages of 50 rows
    const many = [...indices, ...Array.from({ length: 1_975 }, (_, n) => indexIdOf(`NONE${n}`))];
    const found = await read({ reader: boundedReader(table.reader, READS_IN_FLIGHT), clock: clock(NOW), retentionDays: 90 }, many);
    expect(found).toHaveLength(events.filter(({ time }) => time >= from && time <= to).length);
    expect(found.every(({ time }, at) => at === 0 || time <= found[at - 1]!.time)).toBe(true);
    expect(Math.max(...table.requests.map(({ limit }) => limit ?? 0))).toBe(50);
  });
});

test('each index ends at the retention bound by event time, which moves with the clock; what is kept for ever does not', async () => {
  const { table, events } = market();
  for (const now of [NOW, micros(NOW + 90n * DAY), micros(NOW + 90n * DAY + 5n * MINUTE), micros(NOW + 200n * DAY)]) {
    const bound = now - 90n * DAY;
    const kept = events.filter(({ time, sequence }) => time >= from && time <= to && (time >= bound || sequence % 3 === 0));
    expect(await read({ reader: table.reader, clock: clock(now), retentionDays: 90 }, indices)).toHaveLength(kept.length);
  }
});

test('a read that fails ends the list with its reason, and stops the others', async () => {
  const { table } = market();
  let reads = 0;
  const failing: Reader = { ...table.reader, read: async (request) => ((reads += 1) === 10 ? { ok: false, error: { code: 'STORE_UNREACHABLE', what: 'gone', next: 'wait', retryable: true }, rows: [], scannedTo: null, elapsedMs: 0 } : table.reader.read(request)) };
  const pages: boolean[] = [];
  for await (const page of windowTicks({ reader: failing, clock: clock(NOW), retentionDays: 90 }, { indices, from, to })) pages.push(page.ok);
  expect(pages.at(-1)).toBe(false);
  expect(pages.slice(0, -1)).not.toContain(false);
  expect(table.requests.every(({ signal }) => signal?.aborted === true)).toBe(true);
});

test('no indices, nothing there', async () => {
  expect(await read({ reader: memoryTable().reader, clock: clock(NOW), retentionDays: 90 }, [])).toEqual([]);
  expect(await read({ reader: memoryTable().reader, clock: clock(NOW), retentionDays: 90 }, indices)).toEqual([]);
});
