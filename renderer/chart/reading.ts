/** Reads what a wish asks for: one answer, or many in turn where a forced resolution has more points than one may carry. */
import type { HistoryAnswer } from '../../shared/channels.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { ChartSource } from './chartSource.ts';
import { type Numbers, type ReadHistory, readAnswer } from './wireNumbers.ts';
import type { Wish } from './wish.ts';

const DETAIL_MS: Readonly<Record<string, number>> = { '1m': 60_000, '5m': 300_000, '1h': 3_600_000, '1d': 86_400_000 };
/** Bars of one answer at most, with some room: all of them cross, none is left out. */
const PART = 16_000;
/** A forced resolution reads so many parts, the newest. */
const MOST_PARTS = 60;
const AT_ONCE = 3;
/** Wide enough that no bar of a part is left out. */
const WIDEST = 16_384;
/** Answers of windows that lie behind, to go back to: points of all together. */
const KEPT_ANSWERS = 8;
const KEPT_POINTS = 80_000;

const micros = (millis: number): string => String(Math.floor(millis) * 1000);

export interface Reading {
  /**
   * `forced`: no point may be left out. `past`: the window ends well before the present, so its answer can be kept. `wanted` false: no more
   * parts are asked for. Null: not wanted any more.
   */
  read(wish: Wish, forced: boolean, past: boolean, wanted?: () => boolean): Promise<Result<ReadHistory> | null>;
}

export function createReading(id: string, source: Pick<ChartSource, 'load'>): Reading {
  const kept = new Map<string, ReadHistory>();

  const ask = ({ from, to, resolution, pixels, figures }: Omit<Wish, 'grain'>): Promise<Result<HistoryAnswer>> =>
    source.load({ index: id, fromMicros: micros(from), toMicros: micros(to), resolution, pixels, ...(figures ? { figures } : {}) });

  async function inParts(wish: Wish, step: number, wanted: () => boolean): Promise<Result<ReadHistory> | null> {
    const length = PART * step;
    const end = Math.ceil(wish.to / step) * step; // parts begin where bars do
    const count = Math.min(MOST_PARTS, Math.ceil((end - wish.from) / length));
    const starts = Array.from({ length: count }, (_, at) => end - (count - at) * length);
    const answers: Part[] = [];
    let next = 0;
    let trouble: Result<HistoryAnswer> | null = null;
    const worker = async (): Promise<void> => {
      for (let at = next++; at < starts.length && trouble === null && wanted(); at = next++) {
        const answer = await ask({ ...wish, from: Math.max(wish.from, starts[at] ?? 0), to: Math.min(wish.to, (starts[at] ?? 0) + length - 1), pixels: WIDEST });
        if (!answer.ok) trouble = answer;
        else if (wanted()) answers[at] = { answer: answer.value, numbers: readAnswer(answer.value) };
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    if (!wanted()) return null;
    return trouble ?? ok(joined(answers, count * length < end - wish.from));
  }

  function keep(key: string, answer: ReadHistory): void {
    kept.set(key, answer);
    let points = [...kept.values()].reduce((sum, { times }) => sum + times.length, 0);
    for (const [name, { times }] of kept) {
      if (kept.size <= KEPT_ANSWERS && points <= KEPT_POINTS) break;
      points -= times.length;
      kept.delete(name);
    }
  }

  return {
    async read(wish, forced, past, wanted = () => true) {
      const step = forced ? (DETAIL_MS[wish.resolution] ?? 0) : 0;
      const key = JSON.stringify([wish.from, wish.to, wish.resolution, wish.figures, wish.pixels]);
      const known = kept.get(key);
      if (known) {
        kept.delete(key);
        kept.set(key, known); // the newest again
        return ok(known);
      }
      const answer = await (step > 0 && (wish.to - wish.from) / step > PART ? inParts(wish, step, wanted) : ask(step > 0 ? { ...wish, pixels: WIDEST } : wish));
      if (answer?.ok && past) keep(key, answer.value);
      return answer;
    },
  };
}

/** A part as it came, and its numbers where all could be read. */
interface Part {
  readonly answer: HistoryAnswer;
  readonly numbers: Numbers | undefined;
}

/** Answers in order as one; what two parts tell is taken once. */
function joined(parts: readonly Part[], cut: boolean): ReadHistory {
  const last = parts.at(-1);
  if (!last) throw new RangeError('no answers to join');
  const figured = parts.every(({ answer }) => answer.opens && answer.highs && answer.lows && answer.volumes);
  let newest = Number.NEGATIVE_INFINITY;
  let rows = 0;
  const overlaps = parts.map(({ answer, numbers }) => {
    const { length } = answer.times;
    const timeAt = (at: number): number => numbers?.times[at] ?? Number(answer.times[at]);
    let overlap = 0;
    while (overlap < length && timeAt(overlap) <= newest) overlap++;
    if (overlap < length) newest = timeAt(length - 1);
    rows += answer.rows - overlap;
    return overlap;
  });
  const all = <T>(column: (part: Part) => readonly T[] | undefined): T[] => ([] as T[]).concat(...parts.map((part, at) => (column(part) ?? []).slice(overlaps[at])));
  return {
    ...last.answer, rows, truncated: cut || parts.some(({ answer }) => answer.truncated),
    times: all(({ answer }) => answer.times), sequences: all(({ answer }) => answer.sequences), prices: all(({ answer }) => answer.prices),
    ...(figured ? { opens: all(({ answer }) => answer.opens), highs: all(({ answer }) => answer.highs), lows: all(({ answer }) => answer.lows), volumes: all(({ answer }) => answer.volumes) } : {}),
    ...(parts.every(({ numbers }) => numbers) ? { numbers: { times: all(({ numbers }) => numbers?.times), values: all(({ numbers }) => numbers?.values) } } : {}),
  };
}
