/** Files never seen: the same true rows written in any style are read right, refused, or read with a word of warning. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Whole } from './files.ts';
import { fileOf, readWhole, SPX } from './files.ts';
import { decimal } from '../../../../shared/decimal.ts';
import { DAY } from '../../../../shared/time.ts';
import { dateOf } from '../../../../shared/zone.ts';

interface Truth {
  readonly date: string;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
}
type Column = keyof Truth;
const COLUMNS: readonly Column[] = ['date', 'open', 'high', 'low', 'close', 'volume'];

const price = (places: number): fc.Arbitrary<string> => fc.integer({ min: 1, max: 99_999_999 }).map((units) => (units / 10 ** places).toFixed(places));
const rows = fc.tuple(fc.integer({ min: 0, max: 4 }), fc.uniqueArray(fc.integer({ min: 15_000, max: 20_000 }), { minLength: 1, maxLength: 6 })).chain(([places, days]) =>
  fc.tuple(...days.map((day) => fc.tuple(price(places), price(places), price(places), price(places), fc.nat(10 ** 9)).map(([a, b, c, d, volume]): Truth => {
    const sorted = [a, b, c, d].sort((x, y) => Number(x) - Number(y));
    return { date: dateOf(BigInt(day)), open: b, close: c, low: sorted[0]!, high: sorted[3]!, volume: String(volume) };
  }))));

const style = fc.record({
  order: fc.constantFrom('dmy', 'mdy', 'ymd', 'text'), separator: fc.constantFrom('/', '-', '.'), shortYear: fc.boolean(), padded: fc.boolean(),
  comma: fc.boolean(), grouped: fc.boolean(), delimiter: fc.constantFrom(',', ';', '\t', '|'), columns: fc.shuffledSubarray([...COLUMNS], { minLength: 6 }), end: fc.constantFrom('\n', '\r\n'), header: fc.boolean(),
});
type Style = typeof style extends fc.Arbitrary<infer T> ? T : never;

function dateText(date: string, { order, separator, shortYear, padded }: Style): string {
  const [year = '', month = '', day = ''] = date.split('-');
  const [m, d] = padded ? [month, day] : [String(Number(month)), String(Number(day))];
  const y = shortYear && order !== 'text' ? year.slice(2) : year;
  if (order === 'text') return `${['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'][Number(month) - 1]} ${day}, ${year}`;
  return (order === 'dmy' ? [d, m, y] : order === 'mdy' ? [m, d, y] : [y, m, d]).join(separator);
}

function numberText(number: string, { comma, grouped }: Style): string {
  const [whole = '', fraction] = number.split('.');
  const body = grouped ? whole.replace(/\B(?=(\d{3})+$)/g, comma ? '.' : ',') : whole;
  return fraction === undefined ? body : `${body}${comma ? ',' : '.'}${fraction}`;
}

function fileText(truth: readonly Truth[], asked: Style): string {
  const quoted = (cell: string): string => (cell.includes(asked.delimiter) ? `"${cell}"` : cell);
  const lines = truth.map((row) => asked.columns.map((column) => quoted(column === 'date' ? dateText(row.date, asked) : numberText(row[column], asked))).join(asked.delimiter));
  return [...(asked.header ? [asked.columns.join(asked.delimiter)] : []), ...lines].join(asked.end);
}

/** What a row says, on one line. */
const said = (row: Truth): string => [row.date, ...([row.open, row.high, row.low, row.close, row.volume].map((text) => decimal(text)))].join(' ');
function read(whole: Whole): string[] {
  return whole.rows.map((row) => (row.kind === 'bar' ? [row.sessionDate, row.open, row.high, row.low, row.close, row.volume].join(' ') : 'a tick'));
}

test('days in any style', async () => {
  const seen = { right: 0, refused: 0, warned: 0 };
  await fc.assert(fc.asyncProperty(rows, style, async (truth, asked) => {
    const whole = await readWhole(fileOf('any.csv', fileText(truth, asked)), SPX);
    if (typeof whole === 'string') {
      seen.refused += 1;
      expect(whole).toMatch(/^BAD_INPUT: any\.csv: .+; .+/);
      return;
    }
    const wanted = new Set(truth.map(said));
    const wrong = read(whole).filter((row) => !wanted.has(row));
    if (wrong.length > 0) {
      seen.warned += 1;
      expect(whole.warnings).not.toEqual([]);
    } else {
      seen.right += 1;
      // what is missing is told line by line
      expect(whole.rows.length + whole.rejects.length).toBeGreaterThanOrEqual(truth.length);
    }
  }), { numRuns: 400 });
  expect(seen.right).toBeGreaterThan(40); // it does not refuse its way through
}, 60_000);

test('minutes with local times are never read without a zone, and instants are the same in any spelling', async () => {
  await fc.assert(fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 5 }), fc.constantFrom('s', 'ms', 'us', 'ns', 'iso', 'local'), async (minutes, spelling) => {
    const at = minutes.map((minute) => 1_600_000_020n + BigInt(minute) * 60n);
    const stamp = (second: bigint): string => {
      if (spelling === 'local' || spelling === 'iso') return new Date(Number(second) * 1000).toISOString().slice(0, 19).replace('T', ' ') + (spelling === 'iso' ? 'Z' : '');
      return `${second}${'0'.repeat({ s: 0, ms: 3, us: 6, ns: 9 }[spelling])}`;
    };
    const whole = await readWhole(fileOf('any.csv', `time,open,high,low,close\n${at.map((second) => `${stamp(second)},1.5,3,0.5,2`).join('\n')}`), SPX);
    const midnights = spelling === 'local' && at.every((second) => (second * 1_000_000n) % DAY === 0n);
    if (spelling === 'local' && !midnights) expect(whole).toMatch(/zone its times are/);
    else if (spelling !== 'local') expect(typeof whole === 'string' ? whole : whole.rows.map(({ time }) => time)).toEqual(at.map((second) => second * 1_000_000n).sort((a, b) => Number(a - b)));
  }), { numRuns: 100 });
}, 60_000);

test.each([
  ['time,last,price\n2024-07-15T13:30:00Z,1,2\n', 'last'],
  ['time,price,close\n2024-07-15T13:30:00Z,2,1\n', 'close'],
  ['time,open,high,low,close,price\n2024-07-15T13:30:00Z,1,2,1,2,3\n', 'price'],
  ['time,price,high\n2024-07-15T13:30:00Z,2,1\n', 'high'],
])('of two columns that could be the price, the one that is not read is named: %j', async (text, unread) => {
  const whole = await readWhole(fileOf('any.csv', text), { ...SPX, period: '1m' });
  expect(typeof whole === 'string' ? whole : whole.warnings.join()).toContain(`columns not read: ${JSON.stringify(unread)}`);
});

test('a page of an error behind the rows is told as one, no footer', async () => {
  const whole = await readWhole(fileOf('any.csv', 'time,price\n2024-07-15T13:30:00Z,2\n<html><body>502 Bad Gateway</body></html>\n'), SPX);
  expect(typeof whole === 'string' ? whole : whole.rejects.map(({ reason }) => reason)).toEqual([expect.stringContaining('markup instead of data')]);
});
