/**
 * The points of one chart, in event order, whatever order they arrive in: history, live tail, late ticks, corrections, removals.
 * Identity is (time, sequence).
 */
import type { TickView } from '../../shared/channels.ts';
import { type Columns, cutFrom, emptyColumns, insertAt, isAt, positionIn, pushTo } from './columns.ts';
import { identityOf, mergeHistory } from './mergeHistory.ts';
import { type ReadHistory, readMicros, readPrice } from './wireNumbers.ts';

/** Older points beyond this are dropped: a page that runs for weeks must not grow. */
const MOST_POINTS = 150_000;
/** So many identities that changed under a request are remembered; a feed that changes more has the next answer bring them. */
const MOST_CHANGED = 10_000;

export interface Points {
  /** Event times, microseconds since 1970 as doubles: exact in the years 1685..2255; ticks outside are refused. */
  readonly times: readonly number[];
  readonly sequences: readonly number[];
  /** Exact price text as its producer wrote it. */
  readonly texts: readonly string[];
  /** The same prices as doubles, for pixels only. */
  readonly values: readonly number[];
  readonly length: number;
  /** Grows on every change but an append at the end: whoever draws step by step starts over when it moved. */
  readonly revision: number;
  /** Milliseconds between the points that history sent, by its resolution; 0 for ticks. */
  readonly historyStep: number;
  /** Time of the newest point that history sent, microseconds: what is later came with the tail. -Infinity without history. */
  readonly historyUntil: number;
  /** The answer left points out to fit the width. */
  readonly thinned: boolean;
  /** False when nothing changed or the tick can't be read. */
  putTick(tick: Pick<TickView, 'eventMicros' | 'sequence' | 'price'>): boolean;
  /** Takes out an identity whose row is gone. */
  remove(eventMicros: string, sequence: number): boolean;
  /** Lays a history answer under what came since its request left. Returns how many of its points could not be read. */
  putHistory(answer: ReadHistory): number;
  /** Call when a history request leaves: from here on the tail knows better than the answer. The asked span in microseconds. */
  beginHistory(until: number, from?: number): void;
  /** Drops points before `micros`, all but the newest of them, which the line at the left edge comes from. */
  trim(micros: number): void;
  clear(): void;
}

export function createPoints(): Points {
  let columns: Columns = emptyColumns();
  let revision = 0;
  let historyStep = 0;
  let thinned = false;
  let historyUntil = Number.NEGATIVE_INFINITY;
  let asked = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };
  /** Identities that the tail put or removed since the request left. */
  const put = new Set<string>();
  const removed = new Set<string>();
  let asking = true; // what comes before the first request is news to its answer too

  function note(set: Set<string>, other: Set<string>, time: number, sequence: number): void {
    if (!asking) return;
    if (set.size >= MOST_CHANGED) set.clear();
    const name = identityOf(time, sequence);
    set.add(name);
    other.delete(name);
  }

  function cut(from: number, count: number): void {
    cutFrom(columns, from, count);
    revision++;
  }

  /** False when the point is there already. */
  function place(time: number, sequence: number, text: string, value: number): boolean {
    const { times, texts, values } = columns;
    const newest = times.length - 1;
    if (newest < 0 || time > (times[newest] ?? 0)) {
      pushTo(columns, time, sequence, text, value);
      if (times.length > MOST_POINTS) cut(0, MOST_POINTS / 10);
      return true;
    }
    const at = positionIn(columns, time, sequence);
    if (isAt(columns, at, time, sequence)) {
      if (texts[at] === text) return false;
      texts[at] = text;
      values[at] = value;
      revision++;
      return true;
    }
    if (at === times.length) {
      pushTo(columns, time, sequence, text, value);
      return true;
    }
    insertAt(columns, at, time, sequence, text, value);
    revision++;
    return true;
  }

  return {
    get times() { return columns.times; },
    get sequences() { return columns.sequences; },
    get texts() { return columns.texts; },
    get values() { return columns.values; },
    get length() { return columns.times.length; },
    get revision() { return revision; },
    get historyStep() { return historyStep; },
    get historyUntil() { return historyUntil; },
    get thinned() { return thinned; },
    putTick({ eventMicros, sequence, price }) {
      const time = readMicros(eventMicros);
      const value = readPrice(price);
      if (time === undefined || value === undefined || !Number.isSafeInteger(sequence) || sequence < 0) return false;
      note(put, removed, time, sequence);
      return place(time, sequence, price, value);
    },
    remove(eventMicros, sequence) {
      const time = readMicros(eventMicros);
      if (time === undefined) return false;
      note(removed, put, time, sequence);
      const at = positionIn(columns, time, sequence);
      if (!isAt(columns, at, time, sequence)) return false;
      cut(at, 1);
      return true;
    },
    putHistory(answer) {
      const merged = mergeHistory({ columns, historyStep, historyUntil, asked, put, removed }, answer);
      ({ columns, historyStep, historyUntil } = merged);
      thinned = answer.rows > answer.times.length;
      revision++;
      asking = false;
      put.clear();
      removed.clear();
      return merged.unreadable;
    },
    beginHistory(until, from = Number.NEGATIVE_INFINITY) {
      put.clear();
      removed.clear();
      asking = true;
      asked = { from, until };
    },
    trim(bound) {
      const first = positionIn(columns, bound, 0) - 1;
      if (first > 0) cut(0, first);
    },
    clear() {
      columns = emptyColumns();
      historyStep = 0;
      historyUntil = Number.NEGATIVE_INFINITY;
      put.clear();
      removed.clear();
      revision++;
    },
  };
}
