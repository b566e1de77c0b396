/** A history answer under what the live tail knows better: one sorted series of both. Pure but for the columns it makes. */
import { type Columns, emptyColumns, insertAt, isAt, positionIn, pushTo } from './columns.ts';
import { type ReadHistory, readAnswer, readMicros, readPrice } from './wireNumbers.ts';

/** So many ticks are put in one by one; more are merged. */
const FEW = 50;
const RESOLUTION_MS = { tick: 0, '1m': 60_000, '5m': 300_000, '1h': 3_600_000, '1d': 86_400_000 } as const;

/** What was at hand when the answer came. */
export interface Held {
  readonly columns: Columns;
  /** Milliseconds between the points that history sent before, 0 for ticks, and the time of its newest. */
  readonly historyStep: number;
  readonly historyUntil: number;
  /** The span that was asked for, microseconds. */
  readonly asked: { readonly from: number; readonly until: number };
  /** Identities that the tail put or removed since the request left, by `identityOf`. */
  readonly put: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

export interface Merged {
  readonly columns: Columns;
  readonly historyStep: number;
  readonly historyUntil: number;
  /** Points of the answer that could not be read and are left out. */
  readonly unreadable: number;
}

interface Point {
  readonly time: number;
  readonly sequence: number;
  readonly text: string;
  readonly value: number;
  /** Known better by the tail than by the answer under way. */
  readonly news: boolean;
}

export const identityOf = (time: number, sequence: number): string => `${time} ${sequence}`;
const order = (time: number, sequence: number, other: Point): number => time - other.time || sequence - other.sequence;

/**
 * The points at hand that stay under an answer: what the tail brought since its request left, what is newer than all it tells, and ticks
 * of the asked span that it may have left out to fit the width. Bars replace the ticks of their time, all but the tail's unbroken end.
 */
function staying({ columns, historyStep, historyUntil, asked, put }: Held, answer: ReadHistory, newest: number): Point[] {
  const { times, sequences, texts, values } = columns;
  const whole = answer.rows <= answer.times.length;
  const bars = answer.resolution !== 'tick';
  const found: Point[] = [];
  for (let i = times.length - 1; i >= 0; i--) {
    const [time = 0, sequence = 0] = [times[i], sequences[i]];
    const news = time > newest || put.has(identityOf(time, sequence));
    if (bars && !news) break;
    const barBefore = historyStep > 0 && time <= historyUntil;
    if (news || (!whole && !barBefore && time >= asked.from)) found.push({ time, sequence, text: texts[i] ?? '', value: values[i] ?? 0, news });
  }
  return found.reverse();
}

/** The answer's points and those that stay, each identity once. */
export function mergeHistory(held: Held, answer: ReadHistory): Merged {
  const step = RESOLUTION_MS[answer.resolution];
  const stay = staying(held, answer, readMicros(answer.times.at(-1) ?? '') ?? Number.NEGATIVE_INFINITY);
  // The usual case, and the one that must be quick: a whole answer under the one tick that the quote brought.
  const read = stay.length <= FEW && held.removed.size === 0 ? (answer.numbers ?? readAnswer(answer)) : undefined;
  const whole = read !== undefined && (step === 0 || (read.times.at(-1) ?? 0) < boundOf(held, stay)) ? read : undefined;
  if (!whole) return merged(held, answer, step, stay);
  const columns: Columns = { times: [...whole.times], sequences: [...answer.sequences], texts: [...answer.prices], values: [...whole.values] }; // copies: an answer may be kept
  const historyUntil = columns.times.at(-1) ?? Number.NEGATIVE_INFINITY;
  for (const { time, sequence, text, value, news } of stay) {
    const at = positionIn(columns, time, sequence);
    if (!isAt(columns, at, time, sequence)) insertAt(columns, at, time, sequence, text, value);
    else if (news) [columns.texts[at], columns.values[at]] = [text, value];
  }
  return { columns, historyStep: step, historyUntil, unreadable: 0 };
}

/** A bar that is not over yet stands in the future: its ticks are the tail's. */
const boundOf = ({ asked }: Held, stay: readonly Point[]): number => Math.min(asked.until + 1, stay[0]?.time ?? Number.POSITIVE_INFINITY);

function merged(held: Held, answer: ReadHistory, historyStep: number, stay: readonly Point[]): Merged {
  const { removed } = held;
  const { numbers } = answer;
  const bound = historyStep === 0 ? Number.POSITIVE_INFINITY : answer.opens ? held.asked.until + 1 : boundOf(held, stay); // a bar with figures tells more than its ticks at hand
  const columns = emptyColumns();
  let historyUntil = Number.NEGATIVE_INFINITY;
  let unreadable = 0;
  let next = 0;
  let [lastTime, lastSequence] = [Number.NEGATIVE_INFINITY, 0];
  for (let i = 0; i < answer.times.length; i++) {
    const [sequence, text = ''] = [answer.sequences[i] ?? 0, answer.prices[i]];
    const time = numbers ? numbers.times[i] : readMicros(answer.times[i] ?? '');
    const value = numbers ? numbers.values[i] : readPrice(text);
    if (time === undefined || value === undefined || time < lastTime || (time === lastTime && sequence <= lastSequence)) {
      unreadable++;
      continue;
    }
    [lastTime, lastSequence] = [time, sequence];
    if (time >= bound) continue;
    historyUntil = time;
    for (let tick = stay[next]; tick && order(time, sequence, tick) > 0; tick = stay[++next]) pushTo(columns, tick.time, tick.sequence, tick.text, tick.value);
    const twin = stay[next];
    if (twin && order(time, sequence, twin) === 0) {
      next++;
      if (twin.news) pushTo(columns, time, sequence, twin.text, twin.value);
      else pushTo(columns, time, sequence, text, value);
    } else if (removed.size === 0 || !removed.has(identityOf(time, sequence))) pushTo(columns, time, sequence, text, value);
  }
  for (let tick = stay[next]; tick; tick = stay[++next]) pushTo(columns, tick.time, tick.sequence, tick.text, tick.value);
  return { columns, historyStep, historyUntil, unreadable };
}
