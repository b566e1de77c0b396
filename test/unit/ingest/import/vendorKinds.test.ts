/** Every vendor's kind of file: the same true bars, written as that vendor writes them and packed in any way, read back exactly. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ImportOptions } from '../../../../electron/ingest/import/plan.ts';
import { decimal } from '../../../../shared/decimal.ts';
import { indexIdOf } from '../../../../shared/rowKey.ts';
import { formatIso, micros } from '../../../../shared/time.ts';
import { atLocalFirst, dateOf, localDate, timeOfDay } from '../../../../shared/zone.ts';
import { accepted, AUTO, SPX } from './files.ts';

interface Truth {
  readonly time: bigint;
  /** Of a day; `time` is then its first instant in New York. */
  readonly date: string;
  readonly o: string;
  readonly h: string;
  readonly l: string;
  readonly c: string;
  readonly v: string;
}
interface Kind {
  readonly name: string;
  readonly of: 'minutes' | 'days';
  readonly options?: Partial<ImportOptions>;
  readonly file?: (rows: readonly Truth[]) => string;
  readonly format: string;
  /** Fixed line ends, encodings and columns of its own. */
  readonly write: (rows: readonly Truth[]) => string;
  /** The file has no volume. */
  readonly bare?: boolean;
  /** Ticks: one price, the open's. */
  readonly ticks?: boolean;
}

const pad = (value: bigint, size = 2): string => String(value).padStart(size, '0');
/** Year, month, day, hour, minute by the wall clock of a zone. */
function wall(zone: string, time: bigint): readonly [y: string, m: string, d: string, h: string, min: string] {
  const [y = '', m = '', d = ''] = localDate(zone, micros(time)).split('-');
  const minutes = timeOfDay(zone, micros(time)) / 60_000_000n;
  return [y, m, d, pad(minutes / 60n), pad(minutes % 60n)];
}
const day = (date: string, write: (y: string, m: string, d: string) => string): string => {
  const [y = '', m = '', d = ''] = date.split('-');
  return write(y, m, d);
};
const table = (header: string, rows: readonly Truth[], line: (row: Truth) => string): string => [...(header === '' ? [] : [header]), ...rows.map(line)].join('\n');
const grouped = (number: string, group: string, point: string): string => {
  const [whole = '', fraction = ''] = number.split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, group)}${point}${fraction}`;
};
const nano = (price: string): string => String(BigInt(price.replace('.', '')) * 10_000_000n);
const four = (price: string): string => `${price}00`;
const [NY, ATHENS, WARSAW, CHICAGO] = ['America/New_York', 'Europe/Athens', 'Europe/Warsaw', 'America/Chicago'] as const;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const ohlc = ({ o, h, l, c }: Truth): string => `${o},${h},${l},${c}`;
const iso = (time: bigint): string => formatIso(micros(time));
const mt = (zone: string, time: bigint): readonly [string, string] => { const [y, m, d, h, min] = wall(zone, time); return [`${y}.${m}.${d}`, `${h}:${min}`]; };
const stooqHead = '<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>';
const databento = 'ts_event,rtype,publisher_id,instrument_id,open,high,low,close,volume,symbol';
const serial = (date: string): bigint => BigInt(Date.parse(`${date}T00:00:00Z`)) / 86_400_000n + 25_569n;
const bar = ({ time, o, h, l, c, v }: Truth): Record<string, unknown> => ({ time: iso(time), open: o, high: h, low: l, close: c, volume: Number(v) });
/** Numbers as JSON numbers with their digits as written. */
const jsonBar = ({ time, o, h, l, c, v }: Truth, stamp = String(time / 1000n)): string => `{"v":${v},"vw":${o},"o":${o},"c":${c},"h":${h},"l":${l},"t":${stamp},"n":3}`;

const KINDS: readonly Kind[] = [
  { name: 'Yahoo', of: 'days', format: 'yahoo', write: (rows) => table('Date,Open,High,Low,Close,Adj Close,Volume', rows, (r) => `${r.date},${ohlc(r)},${r.c},${r.v}`) },
  { name: 'Stooq bulk days', of: 'days', options: { index: null }, format: 'stooq', write: (rows) => table(stooqHead, rows, (r) => `^SPX,D,${r.date.replaceAll('-', '')},000000,${ohlc(r)},${r.v},0`) },
  { name: 'Stooq minutes', of: 'minutes', options: { index: null, zone: WARSAW }, format: 'stooq', write: (rows) => table(stooqHead, rows, (r) => { const [y, m, d, h, min] = wall(WARSAW, r.time); return `^SPX,1,${y}${m}${d},${h}${min}00,${ohlc(r)},${r.v},0`; }) },
  { name: 'Stooq download in Polish', of: 'days', format: 'generic', write: (rows) => table('Data,Otwarcie,Najwyzszy,Najnizszy,Zamkniecie,Wolumen', rows, (r) => `${r.date},${ohlc(r)},${r.v}`) },
  { name: 'HistData minutes', of: 'minutes', format: 'histdata', write: (rows) => table('', rows, (r) => { const [y, m, d, h, min] = wall('-05:00', r.time); return `${y}${m}${d} ${h}${min}00;${ohlc(r).replaceAll(',', ';')};${r.v}`; }) },
  { name: 'HistData ticks', of: 'minutes', ticks: true, bare: true, format: 'histdata-tick', write: (rows) => table('', rows, (r) => { const [y, m, d, h, min] = wall('-05:00', r.time); return `${y}${m}${d} ${h}${min}00000,${r.o},${r.h},0`; }) },
  { name: 'MetaTrader 5', of: 'minutes', options: { zone: ATHENS }, format: 'mt5', write: (rows) => table('<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>', rows, (r) => [...mt(ATHENS, r.time), r.o, r.h, r.l, r.c, r.v, 0, 5].join('\t')) },
  { name: 'MetaTrader 5 days', of: 'days', format: 'mt5', options: { period: '1d' }, write: (rows) => table('<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>', rows, (r) => [r.date.replaceAll('-', '.'), '00:00:00', r.o, r.h, r.l, r.c, r.v, 0, 5].join('\t')) },
  { name: 'MetaTrader 4', of: 'minutes', options: { zone: ATHENS }, format: 'mt4', write: (rows) => table('', rows, (r) => [...mt(ATHENS, r.time), r.o, r.h, r.l, r.c, r.v].join(',')) },
  { name: 'MetaTrader 4, tabs', of: 'minutes', options: { zone: ATHENS }, format: 'mt4', write: (rows) => table('', rows, (r) => [...mt(ATHENS, r.time), r.o, r.h, r.l, r.c, r.v].join('\t')) },
  { name: 'Alpha Vantage', of: 'minutes', format: 'alphavantage', write: (rows) => table('timestamp,open,high,low,close,volume', rows.toReversed(), (r) => { const [y, m, d, h, min] = wall(NY, r.time); return `${y}-${m}-${d} ${h}:${min}:00,${four(r.o)},${four(r.h)},${four(r.l)},${four(r.c)},${r.v}`; }) },
  {
    name: 'Alpha Vantage JSON', of: 'minutes', options: { index: null }, format: 'alphavantage-json',
    write: (rows) => JSON.stringify({
      'Meta Data': { '1. Information': 'Intraday', '2. Symbol': 'SPX', '4. Interval': '1min', '6. Time Zone': 'US/Eastern' },
      'Time Series (1min)': Object.fromEntries(rows.toReversed().map((r) => { const [y, m, d, h, min] = wall(NY, r.time); return [`${y}-${m}-${d} ${h}:${min}:00`, { '1. open': four(r.o), '2. high': four(r.h), '3. low': four(r.l), '4. close': four(r.c), '5. volume': r.v }]; })),
    }, null, 1),
  },
  { name: 'Polygon flat file', of: 'minutes', options: { index: null }, format: 'massive', write: (rows) => table('ticker,volume,open,close,high,low,window_start,transactions', rows, (r) => `I:SPX,${r.v},${r.o},${r.c},${r.h},${r.l},${r.time}000,1`) },
  { name: 'Polygon aggregates', of: 'minutes', options: { index: null }, format: 'massive-json', write: (rows) => `{"ticker":"I:SPX","queryCount":${rows.length},"resultsCount":${rows.length},"adjusted":true,"results":[${rows.map((r) => jsonBar(r)).join(',')}],"status":"OK","request_id":"6a7e","count":${rows.length}}` },
  { name: 'Databento raw', of: 'minutes', options: { index: null }, format: 'databento', write: (rows) => table(databento, rows, (r) => `${r.time}000,33,1,17077,${[r.o, r.h, r.l, r.c].map(nano).join(',')},${r.v},SPX`) },
  { name: 'Databento pretty', of: 'minutes', options: { index: null }, format: 'databento', write: (rows) => table(databento, rows, (r) => `${iso(r.time).replace('Z', '000Z')},33,1,17077,${[r.o, r.h, r.l, r.c].map((p) => `${p}0000000`).join(',')},${r.v},SPX`) },
  { name: 'Databento JSON', of: 'minutes', options: { index: null }, format: 'databento', write: (rows) => table('', rows, (r) => JSON.stringify({ hd: { ts_event: `${r.time}000`, rtype: 33, publisher_id: 1, instrument_id: 17077 }, open: nano(r.o), high: nano(r.h), low: nano(r.l), close: nano(r.c), volume: r.v, symbol: 'SPX' })) },
  ...(['dmy', 'mdy'] as const).map((order): Kind => ({ name: `Investing.com ${order}`, of: 'days', options: { order }, format: 'investing', write: (rows) => table('"Date","Price","Open","High","Low","Vol.","Change %"', rows.toReversed(), (r) => `"${day(r.date, (y, m, d) => (order === 'dmy' ? `${d}/${m}/${y}` : `${m}/${d}/${y}`))}","${grouped(r.c, ',', '.')}","${grouped(r.o, ',', '.')}","${grouped(r.h, ',', '.')}","${grouped(r.l, ',', '.')}","${(Number(r.v) / 1e6).toFixed(6)}M","-0.45%"`) })),
  { name: 'Investing.com, dates in words', of: 'days', format: 'investing', write: (rows) => table('"Date","Price","Open","High","Low","Vol.","Change %"', rows.toReversed(), (r) => `"${day(r.date, (y, m, d) => `${MONTHS[Number(m) - 1]} ${d}, ${y}`)}","${grouped(r.c, ',', '.')}","${grouped(r.o, ',', '.')}","${grouped(r.h, ',', '.')}","${grouped(r.l, ',', '.')}","${(Number(r.v) / 1e3).toFixed(3)}K","0.86%"`) },
  { name: 'Nasdaq stock', of: 'days', format: 'nasdaq', write: (rows) => table('Date,Close/Last,Volume,Open,High,Low', rows.toReversed(), (r) => `${day(r.date, (y, m, d) => `${m}/${d}/${y}`)},$${r.c},${r.v},$${r.o},$${r.h},$${r.l}`) },
  { name: 'Nasdaq index', of: 'days', bare: true, format: 'nasdaq', write: (rows) => table('Date,Close/Last,Open,High,Low', rows.toReversed(), (r) => `${day(r.date, (y, m, d) => `${m}/${d}/${y}`)},${r.c},${r.o},${r.h},${r.l}`) },
  { name: 'spreadsheet days', of: 'days', format: 'generic', write: (rows) => table('Date,Open,High,Low,Close,Volume', rows, (r) => `${serial(r.date)},${ohlc(r)},${r.v}`) },
  { name: 'spreadsheet times', of: 'minutes', options: { zone: NY }, format: 'generic', write: (rows) => table('Date,Open,High,Low,Close,Volume', rows, (r) => `${serial(localDate(NY, micros(r.time)))}${(Number(timeOfDay(NY, micros(r.time))) / 86_400e6).toFixed(10).slice(1)},${ohlc(r)},${r.v}`) },
  { name: 'Lean trades', of: 'minutes', options: { index: null }, format: 'lean-trade', file: ([first]) => `lean_SPX_1min_${localDate(CHICAGO, micros(first!.time)).replaceAll('-', '')}_trade.csv`, write: (rows) => table('', rows, (r) => `${timeOfDay(CHICAGO, micros(r.time)) / 1000n},${ohlc(r)},${r.v}`) },
  { name: 'Lean quotes', of: 'minutes', bare: true, options: { zone: NY }, format: 'lean-quote', file: ([first]) => `${localDate(NY, micros(first!.time)).replaceAll('-', '')}_quote.csv`, write: (rows) => table('', rows, (r) => `${timeOfDay(NY, micros(r.time)) / 1000n},${ohlc(r)},1,${ohlc(r)},2`) },
  { name: 'Barchart', of: 'days', format: 'barchart', write: (rows) => `${table('Time,Open,High,Low,Last,Change,%Chg,Volume', rows.toReversed(), (r) => `${day(r.date, (y, m, d) => `${m}/${d}/${y}`)},${ohlc(r)},1.5,+0.54%,${r.v}`)}\n"Downloaded from Barchart.com as of 07-06-2024 09:12am CDT"` },
  { name: 'Barchart minutes', of: 'minutes', options: { zone: CHICAGO }, format: 'barchart', write: (rows) => `${table('Time,Open,High,Low,Last,Change,%Chg,Volume', rows.toReversed(), (r) => { const [y, m, d, h, min] = wall(CHICAGO, r.time); return `${m}/${d}/${y} ${h}:${min},${ohlc(r)},1.5,+0.54%,${r.v}`; })}\n"Downloaded from Barchart.com as of 07-06-2024 09:12am CDT"` },
  { name: 'German', of: 'days', format: 'generic', write: (rows) => table('Datum;Erster;Hoch;Tief;Schlusskurs;Stuecke', rows.toReversed(), (r) => [day(r.date, (y, m, d) => `${d}.${m}.${y}`), ...[r.o, r.h, r.l, r.c].map((p) => grouped(p, '.', ',')), r.v].join(';')) },
  { name: 'Swiss', of: 'days', format: 'generic', write: (rows) => table('Datum;Eröffnung;Hoch;Tief;Schluss;Volumen', rows, (r) => [day(r.date, (y, m, d) => `${d}.${m}.${y}`), ...[r.o, r.h, r.l, r.c].map((p) => grouped(p, "'", '.')), grouped(`${r.v}.`, "'", '')].join(';')) },
  { name: 'stamps at the end', of: 'minutes', options: { stamp: 'end', period: '1m' }, format: 'generic', write: (rows) => table('time,open,high,low,close,volume', rows, (r) => `${iso(r.time + 60_000_000n)},${ohlc(r)},${r.v}`) },
  ...([['s', 6], ['ms', 3], ['us', 0]] as const).map(([unit, less]): Kind => ({ name: `epoch ${unit}`, of: 'minutes', format: 'generic', write: (rows) => table('unix,close,low,high,open,volume', rows, (r) => `${String(r.time).slice(0, less === 0 ? undefined : -less)},${r.c},${r.l},${r.h},${r.o},${r.v}`) })),
  { name: 'epoch ns', of: 'minutes', format: 'generic', write: (rows) => table('time,open,high,low,close,volume', rows, (r) => `${r.time}000,${ohlc(r)},${r.v}`) },
  { name: 'offsets that differ', of: 'minutes', format: 'generic', write: (rows) => table('time,open,high,low,close,volume', rows, (r) => { const zone = ['+05:30', '-04:00', '+00:00'][Number(r.v) % 3]!; const [y, m, d, h, min] = wall(zone, r.time); return `${y}-${m}-${d}T${h}:${min}:00${zone},${ohlc(r)},${r.v}`; }) },
  { name: 'ticks', of: 'minutes', ticks: true, bare: true, format: 'generic', write: (rows) => table('time;price', rows, (r) => `${iso(r.time)};${r.o}`) },
  { name: 'a JSON list', of: 'minutes', format: 'json', write: (rows) => JSON.stringify(rows.map(bar), null, 2) },
  { name: 'a JSON list under keys', of: 'minutes', options: { index: null }, format: 'json', write: (rows) => JSON.stringify({ status: 'ok', data: [{ meta: { symbol: 'SPX' }, values: rows.toReversed().map(bar) }] }) },
  { name: 'JSON numbers', of: 'minutes', format: 'json', write: (rows) => `[\n${rows.map((r) => jsonBar(r, `${r.time}001`)).join(',\n')}]` },
  { name: 'JSON lines', of: 'minutes', format: 'json-lines', write: (rows) => rows.map((r) => JSON.stringify(bar(r))).join('\n') },
];

const price = fc.integer({ min: 100_001, max: 2_999_999 }).map((cents) => (cents % 10 === 0 ? cents + 1 : cents)).map((cents) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`);
const figures = fc.tuple(price, price, price, price, fc.integer({ min: 1_000_000, max: 999_999_999 })).map(([a, b, c, d, v]) => {
  const sorted = [a, b, c, d].toSorted((x, y) => Number(x) - Number(y));
  return { o: b, c, l: sorted[0]!, h: sorted[3]!, v: String(v) };
});
// 15:00 to 19:59 UTC: one date and one offset in every zone of the kinds; a month without clock changes
const minutes = fc.tuple(fc.integer({ min: 2001, max: 2030 }), fc.integer({ min: 1, max: 28 }), fc.uniqueArray(fc.integer({ min: 900, max: 1199 }), { minLength: 2, maxLength: 6 })).chain(([year, date, at]) =>
  fc.tuple(...at.toSorted((a, b) => a - b).map((minute) => figures.map((all): Truth => ({ ...all, date: '', time: (BigInt(Date.UTC(year, 6, date)) + BigInt(minute) * 60_000n) * 1000n })))));
const days = fc.uniqueArray(fc.integer({ min: 4000, max: 21_000 }), { minLength: 2, maxLength: 6 }).chain((all) =>
  fc.tuple(...all.toSorted((a, b) => a - b).map((nth) => figures.map((numbers): Truth => ({ ...numbers, date: dateOf(BigInt(nth)), time: atLocalFirst(NY, dateOf(BigInt(nth)), 0n) })))));
const packing = fc.record({ end: fc.constantFrom('\n', '\r\n'), final: fc.boolean(), mark: fc.boolean(), encoding: fc.constantFrom('utf8', 'utf8', 'utf16le'), zipped: fc.boolean() });

test.each(KINDS)('$name', async (kind) => {
  await fc.assert(fc.asyncProperty(kind.of === 'days' ? days : minutes, packing, async (rows, { end, final, mark, encoding, zipped }) => {
    const bytes = Buffer.from(`${mark ? '\uFEFF' : ''}${kind.write(rows).replaceAll('\n', end)}${final ? end : ''}`, encoding as 'utf8');
    const whole = await accepted(zipped ? gzipSync(bytes) : bytes, { ...SPX, ...kind.options }, kind.file?.(rows) ?? 'file.txt');
    expect(whole.format).toBe(kind.format);
    const got = whole.rows.map((row) => [row.index, row.time, ...(row.kind === 'bar' ? [row.open, row.high, row.low, row.close] : [row.price]), row.volume]);
    const want = rows.map((r) => ['SPX', r.time, ...(kind.ticks === true ? [r.o] : [r.o, r.h, r.l, r.c]).map(decimal), kind.bare === true ? null : decimal(r.v)]);
    expect(got.map((cells) => (kind.ticks === true && kind.bare === true ? cells.slice(0, -1) : cells).join(' '))).toEqual(want.map((cells) => (kind.ticks === true && kind.bare === true ? cells.slice(0, -1) : cells).join(' ')));
    if (kind.of === 'days') expect(whole.rows.map((row) => row.kind === 'bar' && row.sessionDate)).toEqual(rows.map(({ date }) => date));
    expect(whole.rejects.filter(({ reason }) => !reason.startsWith('footer'))).toEqual([]);
  }), { numRuns: 4 });
});

test.each(KINDS.filter(({ options, format }) => options?.zone !== undefined && format !== 'lean-quote'))('$name without its zone: asked for', async (kind) => {
  const [rows] = fc.sample(kind.of === 'days' ? days : minutes, { numRuns: 1, seed: 7 });
  await expect(accepted(kind.write(rows!), { ...SPX, ...kind.options, zone: null }, kind.file?.(rows!) ?? 'file.txt')).rejects.toThrow(/zone its times are/);
});

test.each(KINDS.filter(({ options }) => options?.order !== undefined))('$name without its order: asked for with both readings, unless a day past the 12th tells', async (kind) => {
  await fc.assert(fc.asyncProperty(days, async (rows) => {
    const told = rows.some(({ date }) => Number(date.slice(8)) > 12);
    const read = accepted(kind.write(rows), { ...SPX, ...kind.options, order: null });
    if (told) expect((await read).rows.map((row) => row.kind === 'bar' && row.sessionDate)).toEqual(rows.map(({ date }) => date));
    else await expect(read).rejects.toThrow(/read in 2 ways, .* as dmy .*or .* as mdy/);
  }), { numRuns: 8 });
});

test('a JSON file that is cut, holds two lists, or none is refused', async () => {
  const refused = async (text: string, options = SPX): Promise<string> => accepted(text, options).then(() => 'accepted', (error: unknown) => (error as Error).message);
  const list = '[{"t":1710163800000,"o":1,"h":3,"l":0.5,"c":2}]';
  expect(await refused(list.slice(0, -5))).toMatch(/not complete JSON/);
  expect(await refused(`{"bars":{"SPX":${list},"NDX":${list}}}`)).toMatch(/2 lists of prices \(bars.SPX, bars.NDX\)/);
  expect(await refused('[[1710163800000,1,2,3,4]]')).toMatch(/without a list of objects/);
  expect(await refused('{"status":"ERROR","request_id":"6a","error":"Unknown API Key"}')).toMatch(/message in place of data: error: Unknown API Key/);
  expect(await refused('{"ticker":"I:SPX","queryCount":0,"resultsCount":0,"adjusted":true,"status":"OK"}')).toMatch(/no data for the request/);
  expect(await refused(`{"ticker":"I:SPX","resultsCount":1,"results":${list}}`, { ...AUTO, format: 'alphavantage-json' })).toMatch(/not an answer of Alpha Vantage/);
  expect(await refused('{"time":"2024-03-11T13:30:00Z","x":1}\n{"y":2}\n')).toMatch(/name no time and price/);
});

test('each bad row of JSON is told with its line, and every digit stays', async () => {
  const pretty = await accepted('{"data": [\n{"t": 1710163800000000001, "p": 1},\n{"t": 1710163800000000001, "price": 5111.020000000000001},\n3,\n{"t": "x", "price": 1}\n]}', { ...SPX, format: 'json' });
  expect(pretty).toMatchObject({ rows: [{ line: 3, price: '5111.020000000000001', nanos: 1 }], rejects: [{ line: 2, reason: 'no price' }, { line: 3, reason: 'not an object' }, { line: 5 }] });
  const lines = await accepted(`{"time":"2024-03-11T13:30:00Z","price":5}\n\n{"time":"2024-03-11T13:30:01Z","price":7,"volume":9}\n{"time":"2024-03-11T13:30:02Z","pri\n`);
  expect(lines).toMatchObject({ format: 'json-lines', rows: [{ line: 1, volume: null }, { line: 3, volume: '9' }], rejects: [{ line: 4, reason: 'not a JSON object' }] });
  expect(indexIdOf('SPX')).toBe(lines.rows[0]?.index);
});
