import fc from 'fast-check';
import { expect, test } from 'vitest';
import { barData, pointData } from '../../../../renderer/copy/chartData.ts';
import { tableCopy, tableCsv } from '../../../../renderer/copy/table.ts';
import { setReader } from '../../../../shared/format.ts';

const cell = (text: string, numeric = false) => ({ text, numeric });

test('numbers go as they are, text can not break the table nor run', () => {
  const rows = [[cell('=cmd()'), cell('-1234567.80', true)], [cell('a\tb\n"c", <d>'), cell('', true)]];
  const { text, html } = tableCopy(['name', 'last'], rows);
  expect(text).toBe('name\tlast\n\'=cmd()\t-1234567.80\na b "c", <d>\t\n');
  expect(html).toContain('<td x:num="-1234567.80" sdval="-1234567.80" sdnum="1033;">-1234567.80</td>');
  expect(html).toContain('<td>a b &quot;c&quot;, &lt;d&gt;</td>');
  expect(tableCsv(['name', 'last'], rows)).toBe('name,last\r\n\'=cmd(),-1234567.80\r\n"a b ""c"", <d>",\r\n');
});

test('a table too long for HTML is still text', () => expect(tableCopy(['n'], Array.from({ length: 5001 }, () => [cell('1', true)]))).toEqual({ html: '', text: `n\n${'1\n'.repeat(5001)}` }));

test('whatever the text, every line has as many cells as heads', () =>
  fc.assert(fc.property(fc.array(fc.tuple(fc.string(), fc.string())), (rows) => {
    const { text } = tableCopy(['a', 'b'], rows.map((row) => row.map((one) => cell(one))));
    const lines = text.slice(0, -1).split('\n');
    expect(lines.map((line) => line.split('\t').length)).toEqual(Array.from({ length: rows.length + 1 }, () => 2));
  })));

const AT = Date.UTC(2024, 10, 5, 14, 30, 0, 250);

test('the points between the edges, exact, whatever the reader\'s locale', () => {
  setReader({ locale: 'de-DE', hours: '12' });
  const texts = ['1', '5782.7600', '-37.63', '4'];
  const { heads, rows } = pointData({ times: [AT * 1000 - 1, AT * 1000, AT * 1000 + 1_000_001, AT * 1000 + 9_000_000], texts, length: 4 }, { from: AT, to: AT + 5000, zone: 'America/New_York' });
  setReader({ locale: undefined, hours: '24' });
  expect(heads).toEqual(['time', 'time in America/New_York', 'price']);
  expect(rows.map((row) => row.map(({ text }) => text))).toEqual([['2024-11-05T14:30:00.250000Z', '2024-11-05 09:30:00', '5782.7600'], ['2024-11-05T14:30:01.250001Z', '2024-11-05 09:30:01', '-37.63']]);
  expect(rows[0]?.map(({ numeric }) => numeric)).toEqual([false, false, true]);
});

test('the bars on screen, with volume where there is any', () => {
  const bar = (start: number, volume: string | null) => ({ start, end: start + 60_000, open: 1, high: 2, low: 0.5, close: 1.5, texts: { open: '1.0', high: '2.0', low: '0.5', close: '1.50' }, volume });
  const { rows } = barData([bar(AT - 120_000, '7'), bar(AT - 30_000, '12'), bar(AT + 30_000, null), bar(AT + 90_000, '9')], { from: AT, to: AT + 60_000, zone: 'UTC' });
  expect(rows.map((row) => row.slice(2).map(({ text }) => text))).toEqual([['1.0', '2.0', '0.5', '1.50', '12'], ['1.0', '2.0', '0.5', '1.50', '']]);
});
