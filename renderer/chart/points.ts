/**
 * The points of one chart, in event order, whatever order they arrive in: history, live tail, late ticks, corrections, removals.
 * Identity is (time, sequence). Parallel arrays keep 50,000 points small and quick to walk.
 */
import type { HistoryAnswer, TickView } from '../../shared/channels.ts';
import { readAnswer, readMicros, readPrice } from './wireNumbers.ts';

/** Older points beyond this are dropped: a page that runs for weeks must not grow. */
const MOST_POINTS = 150_000;
/** So many identities that changed under a request are remembered; a feed that changes more has the next answer bring them. */
const MOST_CHANGED = 10_000;
/** So many ticks are put in one by one; more are merged. */
const FEW = 50;
const RESOLUTION_MS = { tick: 0, '1m': 60_000, '5m': 300_000, '1h': 3_600_000, '1d': 86_400_000 } as const;

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
  /** False when nothing changed or the tick can't be read. */
  putTick(tick: Pick<TickView, 'eventMicros' | 'sequence' | 'price'>): boolean;
  /** Takes out an identity whose row is gone. */
  remove(eventMicros: string, sequence: number): boolean;
  /** Lays a history answer under what came since its request left. Returns how many of its points could not be read. */
  putHistory(answer: HistoryAnswer): number;
  /** Call when a history request leaves: from here on the tail knows better than the answer. `until`: the end of the asked span, microseconds. */
  beginHistory(until: number): void;
  /** Drops points before `micros`, all but the newest of them, which the line at the left edge comes from. */
  trim(micros: number): void;
  clear(): void;
}

interface Point {
  readonly time: number;
  readonly sequence: number;
  readonly text: string;
  readonly value: number;
  /** Known better by the tail than by the answer under way. */
  readonly news: boolean;
}

const order = (time: number, sequence: number, other: Point): number => time - other.time || sequence - other.sequence;

export function createPoints(): Points {
  let times: number[] = [];
  let sequences: number[] = [];
  let texts: string[] = [];
  let values: number[] = [];
  let revision = 0;
  let historyStep = 0;
  let historyUntil = Number.NEGATIVE_INFINITY;
  let askedUntil = Number.POSITIVE_INFINITY;
  /** Identities that the tail put or removed since the request left. */
  const put = new Set<string>();
  const removed = new Set<string>();
  let asking = true; // what comes before the first request is news to its answer too

  const nameOf = (time: number, sequence: number): string => `${time} ${sequence}`;
  function note(set: Set<string>, other: Set<string>, time: number, sequence: number): void {
    if (!asking) return;
    if (set.size >= MOST_CHANGED) set.clear();
    const name = nameOf(time, sequence);
    set.add(name);
    other.delete(name);
  }

  /** First position whose (time, sequence) is at or after the given one. */
  function position(time: number, sequence: number): number {
    let low = 0;
    let high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const at = times[middle] ?? 0;
      if (at < time || (at === time && (sequences[middle] ?? 0) < sequence)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function cut(from: number, count: number): void {
    for (const array of [times, sequences, values]) array.splice(from, count);
    texts.splice(from, count);
    revision++;
  }

  function push(time: number, sequence: number, text: string, value: number): void {
    times.push(time);
    sequences.push(sequence);
    texts.push(text);
    values.push(value);
  }

  /** False when the point is there already. */
  function place(time: number, sequence: number, text: string, value: number): boolean {
    const newest = times.length - 1;
    if (newest < 0 || time > (times[newest] ?? 0)) {
      push(time, sequence, text, value);
      if (times.length > MOST_POINTS) cut(0, MOST_POINTS / 10);
      return true;
    }
    const at = position(time, sequence);
    if (times[at] === time && sequences[at] === sequence) {
      if (texts[at] === text) return false;
      texts[at] = text;
      values[at] = value;
      revision++;
      return true;
    }
    if (at === times.length) {
      push(time, sequence, text, value);
      return true;
    }
    times.splice(at, 0, time);
    sequences.splice(at, 0, sequence);
    texts.splice(at, 0, text);
    values.splice(at, 0, value);
    revision++;
    return true;
  }

  /**
   * The points at hand that stay under an answer: what the tail brought since its request left, what is newer than all it tells, and ticks
   * that it may have left out to fit the width. Bars replace the ticks of their time, all but the tail's unbroken end.
   */
  function kept(answer: HistoryAnswer, newest: number): Point[] {
    const whole = answer.rows <= answer.times.length;
    const bars = answer.resolution !== 'tick';
    const found: Point[] = [];
    for (let i = times.length - 1; i >= 0; i--) {
      const [time = 0, sequence = 0] = [times[i], sequences[i]];
      const news = time > newest || put.has(nameOf(time, sequence));
      if (bars && !news) break;
      const barBefore = historyStep > 0 && time <= historyUntil;
      if (news || (!whole && !barBefore)) found.push({ time, sequence, text: texts[i] ?? '', value: values[i] ?? 0, news });
    }
    return found.reverse();
  }

  function putHistory(answer: HistoryAnswer): number {
    const step = RESOLUTION_MS[answer.resolution];
    const readNewest = readMicros(answer.times.at(-1) ?? '') ?? Number.NEGATIVE_INFINITY;
    const stay = kept(answer, readNewest);
    // A bar that is not over yet stands in the future: its ticks are the tail's.
    const bound = step === 0 ? Number.POSITIVE_INFINITY : Math.min(askedUntil + 1, stay[0]?.time ?? Number.POSITIVE_INFINITY);
    times = [];
    sequences = [];
    texts = [];
    values = [];
    historyStep = step;
    revision++;
    asking = false;
    // The usual case, and the one that must be quick: a whole answer under the one tick that the quote brought.
    const whole = step === 0 && stay.length <= FEW && removed.size === 0 ? readAnswer(answer) : undefined;
    if (whole) {
      ({ times, values } = whole);
      texts = [...answer.prices];
      sequences = [...answer.sequences];
      historyUntil = times.at(-1) ?? Number.NEGATIVE_INFINITY;
      for (const { time, sequence, text, value, news } of stay) if (news || !has(time, sequence)) place(time, sequence, text, value);
      put.clear();
      return 0;
    }
    let unreadable = 0;
    let next = 0;
    let before: Point | undefined;
    historyUntil = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < answer.times.length; i++) {
      const [time, sequence, text = ''] = [readMicros(answer.times[i] ?? ''), answer.sequences[i] ?? 0, answer.prices[i]];
      const value = readPrice(text);
      if (time === undefined || value === undefined || (before && order(time, sequence, before) <= 0)) {
        unreadable++;
        continue;
      }
      const point = { time, sequence, text, value, news: false };
      before = point;
      if (time >= bound) continue;
      historyUntil = time;
      for (let tick = stay[next]; tick && order(time, sequence, tick) > 0; tick = stay[++next]) push(tick.time, tick.sequence, tick.text, tick.value);
      const twin = stay[next];
      if (twin && order(time, sequence, twin) === 0) {
        next++;
        if (twin.news) push(time, sequence, twin.text, twin.value);
        else push(time, sequence, text, value);
      } else if (removed.size === 0 || !removed.has(nameOf(time, sequence))) push(time, sequence, text, value);
    }
    for (let tick = stay[next]; tick; tick = stay[++next]) push(tick.time, tick.sequence, tick.text, tick.value);
    put.clear();
    removed.clear();
    return unreadable;
  }

  function has(time: number, sequence: number): boolean {
    const at = position(time, sequence);
    return times[at] === time && sequences[at] === sequence;
  }

  return {
    get times() { return times; },
    get sequences() { return sequences; },
    get texts() { return texts; },
    get values() { return values; },
    get length() { return times.length; },
    get revision() { return revision; },
    get historyStep() { return historyStep; },
    get historyUntil() { return historyUntil; },
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
      if (!has(time, sequence)) return false;
      cut(position(time, sequence), 1);
      return true;
    },
    putHistory,
    beginHistory(until) {
      put.clear();
      removed.clear();
      asking = true;
      askedUntil = until;
    },
    trim(bound) {
      const first = position(bound, 0) - 1;
      if (first > 0) cut(0, first);
    },
    clear() {
      times = [];
      sequences = [];
      texts = [];
      values = [];
      historyStep = 0;
      historyUntil = Number.NEGATIVE_INFINITY;
      put.clear();
      removed.clear();
      revision++;
    },
  };
}
