/** Files of ticks as `export` and `history` write them: each with its identity, so that it goes back into its own row. Pure. */
import { failed, ok, problem, type Result } from '../../../shared/result.ts';
import { MAX_SEQUENCE } from '../../../shared/rowKey.ts';
import { type EpochMicros, parseMicros } from '../../../shared/time.ts';
import type { Header } from './columns.ts';
import type { Stamp } from './stamp.ts';

/** Where the identity's other half and the two columns stand that no vendor's file has. */
export interface OwnColumns {
  readonly sequence: number;
  readonly source: number | null;
  readonly ingest: number | null;
}

/** What of a tick is kept as it was. */
export interface Origin {
  readonly sequence: number;
  readonly source: string | null;
  readonly ingest: EpochMicros | null;
}

/** Longer ones can't be read back (decode.ts). */
const MAX_SOURCE_BYTES = 64;

/** Null for other headers. BAD_INPUT for bars: an export of them lacks official closes, and does not say whose bars of ours come from which ticks. */
export function ownHeader(names: readonly string[], line: number, file: string): Result<Header | null> {
  const at = (name: string): number | null => (names.includes(name) ? names.indexOf(name) : null);
  const [date, sequence, price, volume, symbol] = [at('eventmicros'), at('sequence'), at('price'), at('volume'), at('index')];
  if (date === null) return ok(null);
  if (at('resolution') !== null && at('open') !== null) {
    return failed(problem('BAD_INPUT', `${file}: an export of bars, which has neither official closes nor the ticks that bars are made from`, "give the vendor's file, or an export of ticks (--resolution tick) and then `frontrow bars`"));
  }
  if (sequence === null || price === null) return ok(null);
  return ok({
    line, names, kind: 'ticks', columns: { date, price, ...(volume === null ? {} : { volume }), ...(symbol === null ? {} : { symbol }) },
    own: { sequence, source: at('source'), ingest: at('ingestmicros') },
  });
}

/** Always microseconds: near 1970 their magnitude would say milliseconds. */
export function microsStamp(text: string): Stamp {
  const time = /^-?\d{1,18}$/.test(text.trim()) ? microsOf(text.trim()) : null;
  return time === null ? { kind: 'bad', reason: `not microseconds since 1970: ${JSON.stringify(text.slice(0, 40))}` } : { kind: 'instant', time, nanos: 0, unit: 'us' };
}

function microsOf(text: string): EpochMicros | null {
  try {
    return parseMicros(text);
  } catch {
    return null;
  }
}

/** The reason where a cell is none of these. */
export function originOf(cells: readonly string[], { sequence, source, ingest }: OwnColumns): Origin | string {
  const [n, from, handled] = [(cells[sequence] ?? '').trim(), source === null ? '' : (cells[source] ?? ''), ingest === null ? '' : (cells[ingest] ?? '').trim()];
  if (!/^\d{1,6}$/.test(n)) return `not a sequence of 0 to ${MAX_SEQUENCE}: ${JSON.stringify(n.slice(0, 40))}`;
  if (Buffer.byteLength(from) > MAX_SOURCE_BYTES) return `a source of more than ${MAX_SOURCE_BYTES} bytes`;
  const time = handled === '' ? null : /^-?\d{1,18}$/.test(handled) ? microsOf(handled) : undefined;
  if (time === undefined || (time === null && handled !== '')) return `not microseconds since 1970: ${JSON.stringify(handled.slice(0, 40))}`;
  return { sequence: Number(n), source: from === '' ? null : from, ingest: time };
}
