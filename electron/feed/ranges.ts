/** Which key ranges a delta read asks for, and which of its rows answer which range. */
import type { EpochMicros } from '../../shared/time.ts';
import { keyAfter, type KeyRange } from '../../shared/rowKey.ts';
import { MAX_RANGES, type Row } from '../bigtable/reader.ts';
import { horizonKey } from './horizon.ts';
import type { Track } from './track.ts';

export interface AskedRange extends KeyRange {
  readonly track: Track;
  /** `top`: up to the newest row; `future`: beyond the horizon; `below`: behind the newest row. */
  readonly part: 'top' | 'future' | 'below';
  /** The range includes the newest known row itself. */
  readonly audited: boolean;
}

/** What a track keeps of it for the next time: only its end changes. */
export interface TopRange extends AskedRange {
  end: string;
}

/**
 * One or two ranges, in key order. Without `audit` only what is newer than the watermark; with it also the trailing window, at least the
 * newest row itself: the same that a scan limited to one row tells, without a request of its own. Rows beyond the horizon are asked for once.
 */
export function deltaRanges(track: Track, horizon: EpochMicros, audit: boolean): readonly AskedRange[] {
  const border = track.future === null ? '' : horizonKey(track.id, horizon);
  if (track.future !== null && track.future >= border) track.future = null;
  const watermark = track.watermark ?? '';
  const end = audit && track.trailingEnd > watermark ? track.trailingEnd : watermark;
  if (track.future === null) {
    // The same as last time for most indices, most of the time.
    const kept = audit ? track.audited : track.asked;
    if (kept?.[0].end === end) return kept;
    if (kept !== null && end > kept[0].start) {
      // Whoever asked for it has had his answer: an index is asked for once at a time.
      kept[0].end = end;
      return kept;
    }
    const top = `${track.id}#`;
    if (end <= top) return [];
    const made: [TopRange] = [{ start: top, end, track, part: 'top', audited: audit }];
    if (audit) track.audited = made;
    else track.asked = made;
    return made;
  }
  const top = `${track.id}#`;
  const beyond: AskedRange[] = [];
  const futureEnd = audit ? keyAfter(track.future) : track.future;
  if (futureEnd > top) beyond.push({ start: top, end: futureEnd, track, part: 'future', audited: audit });
  if (end > border) beyond.push({ start: border, end, track, part: 'top', audited: audit });
  return beyond;
}

export interface AnsweredRange {
  readonly range: AskedRange;
  readonly rows: readonly Row[];
  /** Exclusive end of what was read whole, from its start; null when nothing of it was. */
  readonly readTo: string | null;
}

const NO_ROWS: readonly Row[] = [];

/**
 * Deals the rows of one answer out to its ranges. `scannedTo` undefined: the answer is whole unless it reached `limit`. Rows come newest
 * first, so that a range which was cut is known whole down to its last row.
 */
export function dealRows(asked: readonly AskedRange[], rows: readonly Row[], limit: number, scannedTo?: string | null): AnsweredRange[] {
  const last = rows.at(-1)?.key ?? '';
  const wholeTo = scannedTo === undefined ? (rows.length >= limit ? last : null) : (scannedTo ?? '');
  let next = 0;
  const answered: AnsweredRange[] = [];
  for (const range of asked) {
    const first = next;
    while (next < rows.length && (rows[next]?.key ?? '') < range.end) next += 1;
    const own = next === first ? NO_ROWS : rows.slice(first, next);
    const whole = wholeTo === null || range.end <= wholeTo;
    const lastOwn = whole ? undefined : own.at(-1);
    answered.push({ range, rows: own, readTo: whole ? range.end : lastOwn === undefined ? null : keyAfter(lastOwn.key) });
  }
  return answered;
}

/**
 * Splits ranges into requests of at most `most`, each in key order and never one index over two. Those that always bring rows (`audits`) come
 * together: a request that is answered by nothing costs a third of one with a message. Each list is in key order.
 */
export function groupRanges(audits: readonly (readonly AskedRange[])[], others: readonly (readonly AskedRange[])[], most = MAX_RANGES): AskedRange[][] {
  const groups: AskedRange[][] = [];
  let current: AskedRange[] = [];
  let mixed = false;
  const close = (): void => {
    if (mixed) current.sort((a, b) => (a.start < b.start ? -1 : 1));
    if (current.length > 0) groups.push(current);
    current = [];
    mixed = false;
  };
  for (const list of [audits, others]) {
    mixed = list === others && current.length > 0;
    for (const ranges of list) {
      if (current.length + ranges.length > most) close();
      for (const range of ranges) current.push(range);
    }
  }
  close();
  return groups;
}
