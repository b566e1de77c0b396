/**
 * QuantConnect Lean's minute files: no header, milliseconds since local midnight; the date and the kind are in the name
 * (`YYYYMMDD_trade.csv`), the zone in Lean's market hours. Trade: O,H,L,C,volume. Quote: bid O,H,L,C,size, ask O,H,L,C,size.
 */
import { add, type Decimal, divide, decimal, parseDecimal } from '../../../shared/decimal.ts';
import { failed, ok, problem, type Result } from '../../../shared/result.ts';
import { isZone } from '../../../shared/zone.ts';
import { type FileContext, type Format, NOTHING, type OpenFile, type Parsed, rejected } from '../format.ts';
import { localTimes } from '../localTimes.ts';
import { isDate } from '../moveDays.ts';
import { checkPrices, type Outside, parsePrices, type Prices } from '../sourceBar.ts';
import { leanSymbol } from '../symbols.ts';

const NAME = /(?:^|[_/])(?:lean_([A-Za-z0-9^.-]{1,24})_\w+?_)?(\d{4})(\d{2})(\d{2})_(trade|quote)\.csv$/;
const DAY_MILLIS = 86_400_000;
const TWO = decimal('2');

type Kind = 'trade' | 'quote';

const WIDTH: Readonly<Record<Kind, number>> = { trade: 6, quote: 11 };

function lean(kind: Kind, title: string): Format {
  return {
    name: `lean-${kind}`,
    title,
    detect(head, name) {
      const row = (head[0] ?? '').split(',');
      if (row.length !== WIDTH[kind] || !/^\d{1,8}$/.test(row[0] ?? '') || !row.every((cell) => parseDecimal(cell) !== undefined)) return 0;
      return NAME.exec(name)?.[5] === kind ? 1 : 0.6;
    },
    open: (context) => open(context, kind),
  };
}

export const leanTrade = lean('trade', 'QuantConnect Lean minute trades: ms since local midnight,O,H,L,C,volume');
export const leanQuote = lean('quote', 'QuantConnect Lean minute quotes: ms, bid O,H,L,C,size, ask O,H,L,C,size; read as their mid');

function open(context: FileContext, kind: Kind): Result<OpenFile> {
  const name = NAME.exec(context.name);
  const date = name ? `${name[2]}-${name[3]}-${name[4]}` : context.day;
  if (date === null || !isDate(date)) {
    return failed(problem('BAD_INPUT', `${context.name}: no date in the name, and Lean files carry it nowhere else`, `name it like 20190102_${kind}.csv, or give --day`));
  }
  const known = name?.[1] === undefined ? undefined : leanSymbol(name[1].toUpperCase());
  const index = context.index ?? known?.id;
  if (index === undefined) return failed(problem('BAD_INPUT', `${context.name}: the file does not say which index it holds`, 'give --index ID'));
  const zone = context.zone ?? known?.zone ?? leanSymbol(index)?.zone ?? null;
  if (zone === null) return failed(problem('BAD_INPUT', `${context.name}: the zone of ${index}'s stamps is not known`, 'give --zone, an IANA name such as Europe/Berlin'));
  if (!isZone(zone)) return failed(problem('BAD_INPUT', `${context.name}: unknown zone ${zone}`, 'give --zone an IANA name such as Europe/Berlin'));
  return ok({ index, zone, parse: lineParser(kind, date, zone, context.outside) });
}

function lineParser(kind: Kind, date: string, zone: string, outside: Outside): (text: string, line: number) => Parsed {
  const resolve = localTimes(zone);
  return (text, line) => {
    if (text.trim() === '') return NOTHING;
    const row = text.split(',');
    if (row.length < WIDTH[kind]) return rejected(line, 'short row');
    const stamp = row[0]?.trim() ?? '';
    if (!/^\d{1,8}$/.test(stamp) || Number(stamp) >= DAY_MILLIS) return rejected(line, `not milliseconds of a day: ${JSON.stringify(stamp.slice(0, 40))}`);
    const found = resolve(date, BigInt(stamp) * 1000n);
    if ('reason' in found) return rejected(line, found.reason);
    const prices = kind === 'trade' ? quad(row, 1, outside) : mid(row, outside);
    if (typeof prices === 'string') return rejected(line, prices);
    const volume = kind === 'trade' ? (parseDecimal(row[5]?.trim() ?? '') ?? null) : null;
    return { kind: 'bar', bar: { line, start: found.time, period: '1m', date, ...prices, volume } };
  };
}

const quad = (row: readonly string[], from: number, outside: Outside): Prices | string =>
  parsePrices({ open: row[from], high: row[from + 1], low: row[from + 2], close: row[from + 3] }, outside);

/** The mid of each of the four, exact: half of a sum of two decimals needs one more digit, never a double. */
function mid(row: readonly string[], outside: Outside): Prices | string {
  const bid = quad(row, 1, outside);
  if (typeof bid === 'string') return `bid: ${bid}`;
  const ask = quad(row, 6, outside);
  if (typeof ask === 'string') return `ask: ${ask}`;
  return checkPrices({ open: half(bid.open, ask.open), high: half(bid.high, ask.high), low: half(bid.low, ask.low), close: half(bid.close, ask.close) }, outside);
}

function half(a: Decimal, b: Decimal): Decimal {
  const sum = add(a, b);
  const point = sum.indexOf('.');
  const places = point === -1 ? 1 : sum.length - point; // one more than the sum's
  return divide(sum, TWO, places) ?? sum;
}
