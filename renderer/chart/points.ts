/**
 * The points of one chart, in event order, whatever order they arrive in: history, live tail, late ticks, corrections, removals.
 * Identity is (time, sequence). History answers carry no sequences: their points are placeholders that any tick of the same
 * time takes over. Parallel arrays keep 50,000 points small and quick to walk.
 */
import type { HistoryAnswer, TickView } from '../../shared/channels.ts';
import { readAnswer, readMicros, readPrice } from './wireNumbers.ts';

/** Sequence of a point whose source gave none. Sorts before every real one. */
export const UNKNOWN_SEQUENCE = -1;
/** Older points beyond this are dropped: a page that runs for weeks must not grow. */
const MOST_POINTS = 150_000;
const MOST_REMOVED = 1000;
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
  /** False when nothing changed or the tick can't be read. */
  putTick(tick: Pick<TickView, 'eventMicros' | 'sequence' | 'price'>): boolean;
  /** Takes out an identity whose row is gone. */
  remove(eventMicros: string, sequence: number): boolean;
  /** Lays a history answer under the ticks that came meanwhile. Returns how many of its points could not be read. */
  putHistory(answer: HistoryAnswer): number;
  /** Call when a history request leaves: removals seen before it no longer hide its points. */
  beginHistory(): void;
  /** Drops points before `micros`, all but the newest of them, which the line at the left edge comes from. */
  trim(micros: number): void;
  clear(): void;
}

export function createPoints(): Points {
  let times: number[] = [];
  let sequences: number[] = [];
  let texts: string[] = [];
  let values: number[] = [];
  let revision = 0;
  let historyStep = 0;
  const removed = new Set<string>();

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

  function put(time: number, sequence: number, text: string, value: number): boolean {
    const newest = times.length - 1;
    if (newest < 0 || time > (times[newest] ?? 0)) {
      push(time, sequence, text, value);
      if (times.length > MOST_POINTS) cut(0, MOST_POINTS / 10);
      return true;
    }
    const placeholder = position(time, UNKNOWN_SEQUENCE);
    let placeholders = 0;
    while (times[placeholder + placeholders] === time && sequences[placeholder + placeholders] === UNKNOWN_SEQUENCE) placeholders++;
    if (placeholders === 1 && texts[placeholder] === text && times[placeholder + 1] !== time) {
      sequences[placeholder] = sequence; // the same event under its full name: nothing to redraw
      return false;
    }
    if (placeholders > 0) cut(placeholder, placeholders);
    const at = position(time, sequence);
    if (times[at] === time && sequences[at] === sequence) {
      if (texts[at] === text) return placeholders > 0;
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

  /** First position of the ticks that run to the end without a history point between. */
  function liveStart(): number {
    let at = times.length;
    while (at > 0 && sequences[at - 1] !== UNKNOWN_SEQUENCE) at--;
    return at;
  }

  function putHistory(answer: HistoryAnswer): number {
    const step = RESOLUTION_MS[answer.resolution];
    // Bars and ticks of the same minutes must not mix: bars end where the unbroken live tail begins, and replace stray ticks before it.
    const live = liveStart();
    const bound = step === 0 ? Number.POSITIVE_INFINITY : (times[live] ?? Number.POSITIVE_INFINITY);
    const kept: { time: number; sequence: number; text: string; value: number }[] = [];
    for (let i = step === 0 ? 0 : live; i < times.length; i++) {
      const sequence = sequences[i] ?? 0;
      if (sequence !== UNKNOWN_SEQUENCE) kept.push({ time: times[i] ?? 0, sequence, text: texts[i] ?? '', value: values[i] ?? 0 });
    }
    times = [];
    sequences = [];
    texts = [];
    values = [];
    historyStep = step;
    revision++;
    // The usual case, and the one that must be quick: a whole answer under the one tick that the quote brought.
    const whole = step === 0 && kept.length <= FEW && removed.size === 0 ? readAnswer(answer) : undefined;
    if (whole) {
      ({ times, values } = whole);
      texts = [...answer.prices];
      sequences = Array.from<number>({ length: times.length }).fill(UNKNOWN_SEQUENCE);
      for (const tick of kept) put(tick.time, tick.sequence, tick.text, tick.value);
      return 0;
    }
    let unreadable = 0;
    let next = 0;
    let newest = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < answer.times.length; i++) {
      const time = readMicros(answer.times[i] ?? '');
      const text = answer.prices[i] ?? '';
      const value = readPrice(text);
      if (time === undefined || value === undefined || time < newest) {
        unreadable++;
        continue;
      }
      newest = time;
      if (time >= bound) continue;
      while (next < kept.length && (kept[next]?.time ?? 0) < time) {
        const tick = kept[next++];
        if (tick) push(tick.time, tick.sequence, tick.text, tick.value);
      }
      if (kept[next]?.time === time || (removed.size > 0 && removed.has(`${time}`))) continue;
      push(time, UNKNOWN_SEQUENCE, text, value);
    }
    for (; next < kept.length; next++) {
      const tick = kept[next];
      if (tick) push(tick.time, tick.sequence, tick.text, tick.value);
    }
    return unreadable;
  }

  return {
    get times() { return times; },
    get sequences() { return sequences; },
    get texts() { return texts; },
    get values() { return values; },
    get length() { return times.length; },
    get revision() { return revision; },
    get historyStep() { return historyStep; },
    putTick({ eventMicros, sequence, price }) {
      const time = readMicros(eventMicros);
      const value = readPrice(price);
      if (time === undefined || value === undefined || !Number.isSafeInteger(sequence) || sequence < 0) return false;
      if (removed.size > 0) removed.delete(`${time}`);
      return put(time, sequence, price, value);
    },
    remove(eventMicros, sequence) {
      const time = readMicros(eventMicros);
      if (time === undefined) return false;
      if (removed.size >= MOST_REMOVED) removed.clear();
      const exact = position(time, sequence);
      if (times[exact] === time && sequences[exact] === sequence) {
        cut(exact, 1);
        if (times[exact - 1] !== time && times[exact] !== time) removed.add(`${time}`);
        return true;
      }
      const placeholder = position(time, UNKNOWN_SEQUENCE);
      removed.add(`${time}`);
      if (times[placeholder] !== time || sequences[placeholder] !== UNKNOWN_SEQUENCE) return false;
      cut(placeholder, 1);
      return true;
    },
    putHistory,
    beginHistory: () => removed.clear(),
    trim(bound) {
      const first = position(bound, UNKNOWN_SEQUENCE) - 1;
      if (first > 0) cut(0, first);
    },
    clear() {
      times = [];
      sequences = [];
      texts = [];
      values = [];
      historyStep = 0;
      removed.clear();
      revision++;
    },
  };
}
