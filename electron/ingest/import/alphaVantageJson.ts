/** Alpha Vantage's JSON answer as the records of its CSV: the zone is in its metadata, numbered keys name the columns. */
import { failed, ok, problem, type Result } from '../../../shared/result.ts';
import type { Resolution } from '../../../shared/rowKey.ts';
import { isZone } from '../../../shared/zone.ts';
import type { CsvRecord } from './records.ts';

export interface JsonSeries {
  readonly symbol: string;
  readonly zone: string;
  readonly period: Resolution | null;
  readonly records: readonly CsvRecord[];
}

const PERIODS: Readonly<Record<string, Resolution>> = { '1min': '1m', '5min': '5m', '60min': '1h' };
const FIELDS = ['open', 'high', 'low', 'close', 'volume'] as const;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** `text`: the whole file. The first record is a header; `line` is the line on which a row's stamp stands. */
export function readAlphaVantageJson(file: string, text: string): Result<JsonSeries> {
  const refuse = (what: string, next = 'download it again'): Result<never> => failed(problem('BAD_INPUT', `${file}: ${what}`, next));
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    return refuse(`not complete JSON (${error instanceof Error ? error.message.slice(0, 120) : 'unreadable'})`);
  }
  if (!isObject(body)) return refuse('JSON, but not an answer of Alpha Vantage', 'convert it to CSV');
  const meta = body['Meta Data'];
  const name = Object.keys(body).find((key) => /^(?:Weekly|Monthly)? ?(?:Adjusted )?Time Series/i.test(key));
  const series = name === undefined ? undefined : body[name];
  if (!isObject(meta) || !isObject(series)) {
    const note = Object.entries(body).find(([key, value]) => typeof value === 'string' && /note|information|message|error|detail/i.test(key));
    return refuse(note ? `the vendor's message in place of data: ${note[0]}: ${String(note[1]).slice(0, 160)}` : 'JSON, but not an answer of Alpha Vantage', note ? 'wait for the quota or correct the request, and download again' : 'convert it to CSV');
  }
  if (/weekly|monthly/i.test(name ?? '')) return refuse('weeks and months are not kept', 'download days');
  // the number before the name differs between intraday and daily answers
  const told = (ending: string): string => {
    const found = Object.entries(meta).find(([key]) => key.replace(/^\d+\. /, '') === ending)?.[1];
    return typeof found === 'string' ? found : '';
  };
  const zone = told('Time Zone');
  if (!isZone(zone)) return refuse(`its metadata names no zone we know: ${JSON.stringify(zone.slice(0, 40))}`, 'give the CSV instead, with --zone');
  const interval = told('Interval');
  const lines = new Map<string, number>();
  for (const [i, line] of text.split('\n').entries()) {
    const stamp = /^\s*"(\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d)?)"\s*:/.exec(line)?.[1];
    if (stamp !== undefined) lines.set(stamp, i + 1);
  }
  const records: CsvRecord[] = [{ line: 0, cells: ['timestamp', ...FIELDS] }];
  for (const [stamp, row] of Object.entries(series)) {
    const values = isObject(row) ? row : {};
    const cells = FIELDS.map((field) => {
      const found = Object.entries(values).find(([key]) => key.replace(/^\d+\. /, '') === field)?.[1];
      return typeof found === 'string' ? found : '';
    });
    records.push({ line: lines.get(stamp) ?? 1, cells: [stamp, ...cells] });
  }
  return ok({ symbol: told('Symbol'), zone, period: PERIODS[interval] ?? (/daily/i.test(name ?? '') ? '1d' : null), records });
}
