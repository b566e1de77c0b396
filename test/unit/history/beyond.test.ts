import { expect, test } from 'vitest';
import { MOST_COUNTED, ticksBeyond } from '../../../electron/history/beyond.ts';
import { indexIdOf, tickKey } from '../../../shared/rowKey.ts';
import { DAY, micros } from '../../../shared/time.ts';
import { memoryTable } from '../feed/memoryTable.ts';

const NOW = micros(1_800_000_000_000_000n);
const [A, B, C] = [indexIdOf('A'), indexIdOf('B'), indexIdOf('C')];

test('ticks past the bound are counted by index; the bound itself, kept ticks and bars are not among them', async () => {
  const table = memoryTable();
  for (let day = 0; day < 100; day += 1) table.put(tickKey(A, micros(NOW - BigInt(day) * DAY)), { 'q:p': '1' });
  table.put(tickKey(B, micros(NOW - 99n * DAY)), { 'h:p': '1' });
  table.put('A@1d#9999999999999999999', { 'b:c': '1' });
  for (let n = 0; n <= MOST_COUNTED; n += 1) table.put(tickKey(C, micros(NOW - 50n * DAY), n), { 'q:p': '1' });
  expect(await ticksBeyond(table.reader, [A, B, C], 30, NOW)).toEqual({ ok: true, value: [{ index: 'A', rows: 69, more: false }, { index: 'C', rows: MOST_COUNTED, more: true }] });
  expect(await ticksBeyond(table.reader, [A, B, C], 36_500, NOW)).toEqual({ ok: true, value: [] });
});
