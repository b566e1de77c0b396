/** mplfinance's example files: `M/D/YYYY H:MM` unpadded (or `M/D/YYYY`, daily), columns by header name in any order, New York time. */
import { isIndexId } from '../../../shared/rowKey.ts';
import { failed, ok, problem } from '../../../shared/result.ts';
import { HOUR, MINUTE, utc } from '../../../shared/time.ts';
import { atLocalFirst, dateOf, isZone } from '../../../shared/zone.ts';
import { floorDiv, DAY } from '../../../shared/time.ts';
import { parseDecimal } from '../../../shared/decimal.ts';
import { type FileContext, type Format, NOTHING, type OpenFile, type Parsed, rejected } from '../format.ts';
import { localTimes } from '../localTimes.ts';
import { parsePrices } from '../sourceBar.ts';

const STAMP = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: (\d{1,2}):(\d{2}))?$/;
const COLUMNS = ['date', 'open', 'high', 'low', 'close'] as const;
const ZONE = 'America/New_York'; // its index files carry no zone; the sessions of the known days prove it

const cells = (text: string): string[] => text.split(',').map((cell) => cell.trim());
const header = (text: string | undefined): string[] => cells((text ?? '').replace(/^\uFEFF/, '')).map((cell) => cell.toLowerCase());

export const mplfinance: Format = {
  name: 'mplfinance',
  title: 'mplfinance CSV: Date,Open,... with M/D/YYYY [H:MM], New York time',
  detect(head) {
    const names = header(head[0]);
    if (!COLUMNS.every((column) => names.includes(column))) return 0;
    const stamp = cells(head[1] ?? '')[names.indexOf('date')];
    return stamp !== undefined && STAMP.test(stamp) ? 0.9 : 0;
  },
  open(context, head) {
    const names = header(head[0]);
    const missing = COLUMNS.find((column) => !names.includes(column));
    if (missing !== undefined) return failed(problem('BAD_INPUT', `${context.name}: line 1 names no column "${missing}"`, 'give a file with a header line, or another --format'));
    const zone = context.zone ?? ZONE;
    if (!isZone(zone)) return failed(problem('BAD_INPUT', `${context.name}: unknown zone ${zone}`, 'give --zone an IANA name such as America/New_York'));
    const index = context.index ?? symbolOf(context);
    if (index === null) return failed(problem('BAD_INPUT', `${context.name}: the file does not say which index it holds`, 'give --index ID'));
    return ok({ index, zone, parse: lineParser(names, zone) });
  },
};

function symbolOf(context: FileContext): OpenFile['index'] | null {
  const symbol = /^mplfinance_([A-Z0-9^.-]{1,24})_/.exec(context.name)?.[1];
  return symbol !== undefined && isIndexId(symbol) ? symbol : null;
}

function lineParser(names: readonly string[], zone: string): (text: string, line: number) => Parsed {
  const at = (name: string): number => names.indexOf(name);
  const [date, open, high, low, close, volume] = [at('date'), at('open'), at('high'), at('low'), at('close'), at('volume')];
  const resolve = localTimes(zone);
  return (text, line) => {
    if (line === 1 || text.trim() === '') return NOTHING;
    const row = cells(text);
    if (row.length < names.length) return rejected(line, 'short row');
    const stamp = STAMP.exec(row[date] ?? '');
    if (!stamp) return rejected(line, `not M/D/YYYY H:MM: ${JSON.stringify((row[date] ?? '').slice(0, 40))}`);
    const day = calendarDate(Number(stamp[3]), Number(stamp[1]), Number(stamp[2]));
    if (day === null) return rejected(line, `no such date: ${stamp[0]}`);
    const daily = stamp[4] === undefined;
    const [hour, minute] = [Number(stamp[4] ?? 0), Number(stamp[5] ?? 0)];
    if (minute > 59 || hour > 24) return rejected(line, `no such time: ${stamp[0]}`);
    const found = daily ? { time: atLocalFirst(zone, day, 0n) } : resolve(day, BigInt(hour) * HOUR + BigInt(minute) * MINUTE);
    if ('reason' in found) return rejected(line, found.reason);
    const prices = parsePrices({ open: row[open], high: row[high], low: row[low], close: row[close] });
    if (typeof prices === 'string') return rejected(line, prices);
    return { kind: 'bar', bar: { line, start: found.time, period: daily ? '1d' : '1m', date: day, ...prices, volume: parseDecimal(row[volume] ?? '') ?? null } };
  };
}

function calendarDate(year: number, month: number, day: number): string | null {
  try {
    return dateOf(floorDiv(utc(year, month, day), DAY));
  } catch {
    return null; // 2/30, 13/1
  }
}
