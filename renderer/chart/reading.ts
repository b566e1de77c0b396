/** Reads what a wish asks for: one answer, or many in turn where a forced resolution has more points than one may carry. */
import type { HistoryAnswer } from '../../shared/channels.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { ChartSource } from './chartSource.ts';
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
  /** `forced`: no point may be left out. `past`: the window ends well before the present, so its answer can be kept. */
  read(wish: Wish, forced: boolean, past: boolean): Promise<Result<HistoryAnswer>>;
}

export function createReading(id: string, source: Pick<ChartSource, 'load'>): Reading {
  const kept = new Map<string, HistoryAnswer>();

  const ask = ({ from, to, resolution, pixels, figures }: Omit<Wish, 'grain'>): Promise<Result<HistoryAnswer>> =>
    source.load({ index: id, fromMicros: micros(from), toMicros: micros(to), resolution, pixels, ...(figures ? { figures } : {}) });

  async function inParts(wish: Wish, step: number): Promise<Result<HistoryAnswer>> {
    const length = PART * step;
    const count = Math.min(MOST_PARTS, Math.ceil((wish.to - wish.from) / length));
    const starts = Array.from({ length: count }, (_, at) => wish.to - (count - at) * length);
    const answers: HistoryAnswer[] = [];
    let next = 0;
    let trouble: Result<HistoryAnswer> | null = null;
    const worker = async (): Promise<void> => {
      for (let at = next++; at < starts.length && trouble === null; at = next++) {
        const answer = await ask({ ...wish, from: Math.max(wish.from, starts[at] ?? 0), to: (starts[at] ?? 0) + length - 1, pixels: WIDEST });
        if (answer.ok) answers[at] = answer.value;
        else trouble = answer;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return trouble ?? ok(joined(answers, count * length < wish.to - wish.from));
  }

  return {
    async read(wish, forced, past) {
      const step = forced ? (DETAIL_MS[wish.resolution] ?? 0) : 0;
      const key = JSON.stringify([wish.from, wish.to, wish.resolution, wish.figures, wish.pixels]);
      const known = kept.get(key);
      if (known) {
        kept.delete(key);
        kept.set(key, known); // the newest again
        return ok(known);
      }
      const answer = await (step > 0 && (wish.to - wish.from) / step > PART ? inParts(wish, step) : ask(step > 0 ? { ...wish, pixels: WIDEST } : wish));
      if (answer.ok && past) {
        kept.set(key, answer.value);
        let points = [...kept.values()].reduce((sum, { times }) => sum + times.length, 0);
        for (const [name, { times }] of kept) {
          if (kept.size <= KEPT_ANSWERS && points <= KEPT_POINTS) break;
          points -= times.length;
          kept.delete(name);
        }
      }
      return answer;
    },
  };
}

/** Answers in order as one. A bar that overlaps two parts is in both: the later part's counts. */
function joined(answers: readonly HistoryAnswer[], cut: boolean): HistoryAnswer {
  const last = answers.at(-1);
  if (!last) throw new RangeError('no answers to join');
  const [times, sequences, prices]: [string[], number[], string[]] = [[], [], []];
  const [opens, highs, lows, volumes]: [string[], string[], string[], (string | null)[]] = [[], [], [], []];
  const figures = answers.every((answer) => answer.opens && answer.highs && answer.lows && answer.volumes);
  let rows = 0;
  for (const answer of answers) {
    let overlap = 0;
    while (overlap < answer.times.length && times.length > 0 && Number(answer.times[overlap]) <= Number(times.at(-1))) overlap++;
    for (let at = overlap; at < answer.times.length; at++) {
      times.push(answer.times[at] ?? '');
      sequences.push(answer.sequences[at] ?? 0);
      prices.push(answer.prices[at] ?? '');
      if (!figures) continue;
      opens.push(answer.opens?.[at] ?? '');
      highs.push(answer.highs?.[at] ?? '');
      lows.push(answer.lows?.[at] ?? '');
      volumes.push(answer.volumes?.[at] ?? null);
    }
    rows += answer.rows - overlap;
  }
  return { ...last, times, sequences, prices, rows, truncated: cut || answers.some(({ truncated }) => truncated), ...(figures ? { opens, highs, lows, volumes } : {}) };
}
