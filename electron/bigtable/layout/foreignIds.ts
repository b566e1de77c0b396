/** Which ids a foreign table holds: found by asking for one row outside all that is known, as in a table of ours. */
import { type IndexId, keyAfter, type KeyRange } from '../../../shared/rowKey.ts';
import { type Problem, problem } from '../../../shared/result.ts';
import type { Reader } from '../reader.ts';
import { afterPrefix, prefixBeforeId, prefixBeforeTime, rangeOf, readKey, saltsOf } from './foreignKey.ts';
import type { ForeignLayout } from './foreignLayout.ts';
import { largest } from './foreignNumber.ts';
import { screenId } from './foreignId.ts';
import { quoted } from './foreignRow.ts';

const RANGES_PER_REQUEST = 100;
const MAX_STEPS = 20_000;
/** So long what was found is the truth. */
const FRESH_MS = 5_000;

export interface ForeignIds {
  /** Looks for ids that are not known yet. Null when all of the table was seen. Never rejects. */
  refresh(deadlineMs: number, signal?: AbortSignal): Promise<Problem | null>;
  /** A key of the layout was met elsewhere: of an id within another's keys (`A#B` within those of `A`), which looking may pass over. */
  met(key: string): void;
  /** Id in the table by id on screen, in the order of the screen's. */
  readonly known: ReadonlyMap<IndexId, string>;
}

export function createForeignIds(reader: Reader, layout: ForeignLayout, elapsed: () => number, unreadable: (key: string, why: Problem) => void): ForeignIds {
  if (layout.ids) {
    const listed = sorted(layout.ids);
    return { known: listed, refresh: () => Promise.resolve(null), met: () => {} };
  }
  let known: ReadonlyMap<IndexId, string> = new Map();
  let holes: KeyRange[] = [];
  let seenAt = Number.NEGATIVE_INFINITY;
  let running: Promise<Problem | null> | null = null;
  const salts = saltsOf(layout);
  const before = [...new Set(salts.map((salt) => prefixBeforeId(layout, salt)))];
  const everything = before.map((prefix): KeyRange => (prefix === '' ? { start: '\0', end: '\u00ff'.repeat(16) } : { start: prefix, end: afterPrefix(prefix) }));

  /** All keys of an id, of every salt. */
  const regionsOf = (id: string): KeyRange[] => salts.map((salt) => rangeOf(layout, { prefix: prefixBeforeTime(layout, id, salt), from: 0n, to: largest(layout.time.format) }));

  function note(key: string): void {
    const found = readKey(layout, key);
    if (!found) {
      holes = joined([...holes, strange(key)]);
      unreadable(key, problem('BAD_DATA', `row key ${quoted(key)} is not a key of the layout`, 'check the layout file, or remove the row'));
      return;
    }
    holes = joined([...holes, ...regionsOf(found.id)]);
    const id = screenId(found.id);
    if (id !== null && known.has(id)) return;
    if (id === null) unreadable(key, problem('BAD_DATA', `id ${quoted(found.id)} is too long to show`, 'give it a shorter name in `ids` of the layout file'));
    else known = sorted(new Map([...known, [id, found.id]]));
  }

  /** What to pass over at a key of another shape: what is no key of an id whose name it seems to begin with. */
  function strange(key: string): KeyRange {
    const prefix = before.find((one) => key.startsWith(one)) ?? '';
    const cut = layout.separator === '' ? -1 : key.indexOf(layout.separator, prefix.length);
    if (cut <= prefix.length) return { start: key, end: keyAfter(key) };
    const regions = regionsOf(key.slice(prefix.length, cut)).filter(({ start }) => start.startsWith(prefix));
    const next = regions.find(({ start }) => key < start)?.start;
    const whole = afterPrefix(key.slice(0, cut + layout.separator.length));
    return { start: key, end: next !== undefined && next < whole ? next : whole };
  }

  async function look(deadlineMs: number, signal?: AbortSignal): Promise<Problem | null> {
    const until = elapsed() + deadlineMs;
    let from = '';
    for (let steps = 0; steps < MAX_STEPS; steps += 1) {
      const asked = gaps(everything, holes).flatMap(({ start, end }) => (end <= from ? [] : [{ start: start < from ? from : start, end }])).slice(0, RANGES_PER_REQUEST);
      const last = asked.at(-1);
      if (!last) {
        seenAt = elapsed();
        return null;
      }
      const left = until - elapsed();
      if (left <= 0) return problem('STORE_TIMEOUT', `looking for ids took longer than ${Math.round(deadlineMs)} ms; ${known.size} found so far`, 'ask again: it goes on where it stopped; or list them as `ids` in the layout file', true);
      const outcome = await reader.read({ ranges: asked, limit: 1, deadlineMs: left, ...(signal ? { signal } : {}) });
      if (!outcome.ok) return outcome.error;
      const [row] = outcome.rows;
      if (row) note(row.key);
      // Nothing lies before the key that was found.
      from = row ? row.key : last.end;
    }
    return problem('BAD_DATA', `the table has more than ${MAX_STEPS} ids or keys of another shape`, 'list the ids to show as `ids` in the layout file');
  }

  return {
    get known() {
      return known;
    },
    met: note,
    refresh(deadlineMs, signal) {
      if (elapsed() - seenAt < FRESH_MS) return Promise.resolve(null);
      running ??= look(deadlineMs, signal).finally(() => { running = null; });
      return running;
    },
  };
}

const sorted = (ids: ReadonlyMap<IndexId, string>): ReadonlyMap<IndexId, string> => new Map([...ids].sort(([a], [b]) => (`${a}#` < `${b}#` ? -1 : 1)));

function joined(ranges: readonly KeyRange[]): KeyRange[] {
  const out: KeyRange[] = [];
  for (const range of [...ranges].sort((a, b) => (a.start < b.start ? -1 : 1))) {
    const last = out.at(-1);
    if (last && range.start <= last.end) out[out.length - 1] = { start: last.start, end: range.end > last.end ? range.end : last.end };
    else out.push(range);
  }
  return out;
}

/** `ranges` without `holes`; both sorted and disjoint. */
function gaps(ranges: readonly KeyRange[], holes: readonly KeyRange[]): KeyRange[] {
  return ranges.flatMap((range) => {
    const left: KeyRange[] = [];
    let { start } = range;
    for (const hole of holes) {
      if (hole.end <= start) continue;
      if (hole.start >= range.end) break;
      if (hole.start > start) left.push({ start, end: hole.start });
      start = hole.end;
    }
    if (start < range.end) left.push({ start, end: range.end });
    return left;
  });
}
