/** One index of a foreign table (of one salt) as a stream of canonical rows. */
import { type IndexId, keyAfter, type KeyRange, reverseTime } from '../../../shared/rowKey.ts';
import type { Problem } from '../../../shared/result.ts';
import { floorDiv } from '../../../shared/time.ts';
import type { Row } from '../reader.ts';
import { afterPrefix, keyAt, rangeOf, readKey, spanOf } from './foreignKey.ts';
import { type ForeignLayout, NANOS } from './foreignLayout.ts';
import { turned } from './foreignNumber.ts';
import { canonicalRows, keepsOrder, quoted } from './foreignRow.ts';
import type { Asking, OpenSpan, Scan } from './foreignScan.ts';
import type { Lane, LanePage } from './merge.ts';

export interface LaneOptions {
  readonly layout: ForeignLayout;
  readonly scan: Scan;
  /** On screen and in the table. */
  readonly id: IndexId;
  readonly physical: string;
  readonly salt: number;
  /** Canonical tick keys of `id`. */
  readonly range: KeyRange;
  readonly families: readonly string[];
  readonly signal?: AbortSignal | undefined;
  /** A key of another index within the keys of this one. */
  readonly stranger: (key: string) => void;
  readonly unreadable: (key: string, why: Problem) => void;
}

const MAX_BUCKETS = 64;

/** Null where the layout has no instant in the range. */
export function foreignLane(options: LaneOptions): Lane | null {
  const { layout, scan, id, physical, salt, range } = options;
  const { from, to } = instantsOf(id, range);
  const span = spanOf(layout, physical, salt, from, to);
  if (span === null) return null;
  let open: OpenSpan | null = { span, range: rangeOf(layout, span) };
  const ordered = keepsOrder(layout);

  function take(rows: readonly Row[], out: Row[]): void {
    for (const row of rows) {
      const key = readKey(layout, row.key);
      if (key === undefined) options.unreadable(row.key, NOT_A_KEY(row.key));
      else if (key.id !== physical) options.stranger(row.key);
      else if (key.salt === salt) {
        const made = canonicalRows(layout, id, key, row);
        if (!made.ok) options.unreadable(row.key, made.error);
        else for (const each of made.value) if (each.key >= range.start && each.key < range.end) out.push(each);
      }
    }
  }

  /** All rows of the instant that a page ended in: they come in the other order. */
  async function wholeInstant(whole: OpenSpan, last: Row, page: Row[], asking: Asking): Promise<{ readonly error: Problem | null; readonly rest: KeyRange } | null> {
    const key = readKey(layout, last.key);
    if (!key) return null;
    const written = turned(key.time, layout.time);
    const at = keyAt(layout, whole.span, written);
    const instant = { start: at, end: afterPrefix(at) };
    const found = await scan({ span: { ...whole.span, from: written, to: written }, range: instant }, 0, asking);
    if (found.error) {
      // Half of an instant is not its beginning in canonical order: none of it is given.
      const begin = `${id}#${reverseTime(floorDiv(key.time * NANOS[layout.time.unit], 1000n))}`;
      page.splice(0, page.length, ...page.filter((row) => !row.key.startsWith(begin)));
      return { error: found.error, rest: whole.range };
    }
    const rows: Row[] = [];
    take(found.rows, rows);
    const have = new Set(page.map((row) => row.key));
    for (const row of rows) if (!have.has(row.key)) page.push(row);
    return { error: null, rest: layout.time.base === null ? { start: whole.range.start, end: instant.start } : { start: instant.end, end: whole.range.end } };
  }

  return {
    async page(most, deadlineMs): Promise<LanePage> {
      const until = performance.now() + deadlineMs;
      const asking: Asking = { left: () => until - performance.now(), signal: options.signal, families: options.families };
      const out: Row[] = [];
      let error: Problem | null = null;
      let buckets = 1;
      const enough = (): boolean => most > 0 && out.length >= most;
      while (open !== null && error === null && !enough()) {
        const page = await scan(open, most === 0 ? 0 : layout.bucket ? buckets : most - out.length, asking);
        buckets = Math.min(MAX_BUCKETS, buckets * 2);
        take(page.rows, out);
        ({ error } = page);
        const last = page.rows.at(-1);
        if (page.whole) open = null;
        else if (last) {
          const instant = ordered ? null : await wholeInstant(open, last, out, asking);
          error ??= instant?.error ?? null;
          const rest: KeyRange = instant?.rest ?? (layout.time.base === null ? { start: open.range.start, end: last.key } : { start: keyAfter(last.key), end: open.range.end });
          open = rest.start < rest.end ? { span: open.span, range: rest } : null;
        }
      }
      if (!ordered) out.sort((a, b) => (a.key < b.key ? -1 : 1));
      const last = out.at(-1);
      if (open === null && error === null) return { rows: out, knownTo: null, error };
      return { rows: out, knownTo: last ? keyAfter(last.key) : '', error };
    },
  };
}

const NEWEST = 2n ** 63n - 1n;

/** Instants, in microseconds, that a range of tick keys of `id` may hold; at its ends one too many, never one too few. */
function instantsOf(id: IndexId, { start, end }: KeyRange): { readonly from: bigint; readonly to: bigint } {
  const digitsOf = (key: string): string => (key.startsWith(`${id}#`) ? (/^\d{0,19}/.exec(key.slice(id.length + 1))?.[0] ?? '') : '');
  const [newest, oldest] = [digitsOf(start).padEnd(19, '0'), digitsOf(end).padEnd(19, '9')];
  return { from: NEWEST - BigInt(oldest), to: NEWEST - BigInt(newest) };
}

const NOT_A_KEY = (key: string): Problem => ({ code: 'BAD_DATA', what: `row key ${quoted(key)} is not a key of the layout`, next: 'check the layout file, or remove the row', retryable: false });
