/** A bounded look at a table of unknown layout: a few rows of as many different beginnings of keys as possible. */
import { failed, ok, type Result } from '../../shared/result.ts';
import { keyAfter } from '../../shared/rowKey.ts';
import { afterPrefix } from '../bigtable/layout/foreignKey.ts';
import type { Reader, Row } from '../bigtable/reader.ts';

export interface Sample {
  /** In key order, each once. */
  readonly rows: readonly Row[];
  /** Every beginning of keys was met: passing over them reached the end of the table. */
  readonly complete: boolean;
  readonly requests: number;
}

export const DEFAULT_SAMPLE = 500;
const END = '\u00ff'.repeat(16);
const ROWS_PER_STOP = 10;
const ROWS_PER_PAGE = 100;
const MAX_SPLITS = 20;
const DEADLINE_MS = 20_000;

/** At most about `most` rows; `splits` are the ends of the server's key ranges. */
export async function sampleTable(reader: Reader, splits: readonly string[], most = DEFAULT_SAMPLE, signal?: AbortSignal): Promise<Result<Sample>> {
  const found = new Map<string, Row>();
  let requests = 0;
  const stop = async (start: string, limit = ROWS_PER_STOP): Promise<Result<readonly Row[]>> => {
    requests += 1;
    const outcome = await reader.read({ ranges: [{ start, end: END }], limit, deadlineMs: DEADLINE_MS, ...(signal ? { signal } : {}) });
    if (!outcome.ok) return failed(outcome.error);
    for (const row of outcome.rows) found.set(row.key, row);
    return ok(outcome.rows);
  };
  let complete = false;
  const left: string[] = [];
  for (let start = '\0'; found.size < most;) {
    const rows = await stop(start);
    if (!rows.ok) return rows;
    const last = rows.value.at(-1);
    if (last) left.push(keyAfter(last.key));
    if (!last || rows.value.length < ROWS_PER_STOP) {
      complete = true;
      break;
    }
    start = nextBeginning(rows.value[0]?.key ?? last.key, last.key);
  }
  // Few beginnings: on from where each was left, a page of each in turn.
  let open: readonly string[] = complete ? left : [];
  while (open.length > 0 && found.size < most) {
    const share = Math.max(ROWS_PER_STOP, Math.min(ROWS_PER_PAGE, Math.ceil((most - found.size) / open.length)));
    const going: string[] = [];
    for (const start of open) {
      if (found.size >= most) break;
      const before = found.size;
      const rows = await stop(start, share);
      if (!rows.ok) return rows;
      const last = rows.value.at(-1);
      // nothing new: it has come to where another one began
      if (last && rows.value.length === share && found.size > before) going.push(keyAfter(last.key));
    }
    open = going;
  }
  const every = Math.max(1, Math.ceil(splits.length / MAX_SPLITS));
  for (const [at, split] of splits.entries()) {
    if (at % every !== 0 || split >= END) continue;
    const rows = await stop(split);
    if (!rows.ok) return rows;
  }
  return ok({ rows: [...found.values()].sort((a, b) => (a.key < b.key ? -1 : 1)), complete, requests });
}

/** Where keys begin differently than these: after what stands before the long number in them. Pure. */
export function nextBeginning(first: string, last: string): string {
  const [a, b] = [beginningOf(first), beginningOf(last)];
  // Rows of one page with several beginnings: the last of them may have more rows, none of which would be news.
  const beginning = b === '' ? a : b;
  return beginning === '' ? keyAfter(last) : afterPrefix(beginning);
}

/** Up to a number of 9 or more digits, or a byte that is no text; else up to the last sign that is neither letter nor digit. */
function beginningOf(key: string): string {
  const number = /^(.+?)(?:\d{9,}|[0-9a-f]{14,}|[0-9A-F]{14,}|(?<=.)[\0-\x1f\x7f-\xff])/s.exec(key)?.[1];
  return number ?? /^.*[^A-Za-z0-9]/s.exec(key)?.[0] ?? '';
}
