import { expect, test } from 'vitest';
import { gather, type PageContext, tickPages } from '../../../electron/bigtable/pages.ts';
import { indexIdOf, tickKey } from '../../../shared/rowKey.ts';
import { micros, MIN_MICROS } from '../../../shared/time.ts';
import { memoryTable } from '../feed/memoryTable.ts';

const SPX = indexIdOf('SPX');
const NOW = micros(1_800_000_000_000_000n);
const rowAt = (n: number): string => tickKey(SPX, micros(NOW - BigInt(n) * 1_000_000n));

function tableOf(rows: number): ReturnType<typeof memoryTable> & { context: PageContext } {
  const table = memoryTable();
  for (let n = 0; n < rows; n += 1) table.put(rowAt(n), { 'q:p': n % 5000 === 17 ? 'not a price' : String(n + 1) });
  return { ...table, context: { reader: table.reader, clock: { kind: 'wall', now: () => NOW, elapsed: () => 0, speed: () => 1, note: () => null }, retentionDays: 90 } };
}
const all = { index: SPX, from: MIN_MICROS, to: NOW };

test.each([0, 8_000, 8_001, 17_000])('in bulk the ticks are the same: %d rows', async (rows) => {
  const { context } = tableOf(rows);
  const [bulk, paged] = [await gather(tickPages(context, { ...all, bulk: true })), await gather(tickPages(context, all))];
  expect(bulk.ok && paged.ok && bulk.value.map(({ key }) => key)).toEqual(paged.ok && paged.value.map(({ key }) => key));
});

test('in bulk the next page is under way while one is used, and given up where its consumer leaves', async () => {
  const { context, requests } = tableOf(30_000);
  for await (const page of tickPages(context, { ...all, bulk: true })) {
    expect(page.ok).toBe(true);
    break;
  }
  expect(requests).toHaveLength(2);
  expect(requests.map(({ signal }) => signal?.aborted)).toEqual([true, true]);
});

test('a limit reads nothing ahead', async () => {
  const { context, requests } = tableOf(3_000);
  const found = await gather(tickPages(context, { ...all, limit: 10, bulk: true }));
  expect(found.ok && found.value).toHaveLength(10);
  expect(requests.map(({ limit }) => limit)).toEqual([10]);
});
