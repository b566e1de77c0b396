/** What each of the questions Q1 to Q7 reads in the layout of a table: executed, bounded, and counted. */
import { failed, ok, type Problem, problem, type Result } from '../../shared/result.ts';
import { type IndexId, type KeyRange, tickRange, ticksBetween, ticksUpTo } from '../../shared/rowKey.ts';
import { type EpochMicros, micros, MIN_MICROS } from '../../shared/time.ts';
import { decodeTick } from '../bigtable/decode.ts';
import type { Reader } from '../bigtable/reader.ts';
import type { Cost } from './meter.ts';

export interface Explained {
  readonly question: 'Q1' | 'Q2' | 'Q3' | 'Q4' | 'Q5' | 'Q6' | 'Q7';
  readonly asks: string;
  /** Ticks of the answer. */
  readonly ticks: number;
  /** The bound was met: the whole answer would cost more. */
  readonly cut: boolean;
  readonly cost: Cost;
}

export interface ExplainOptions {
  /** Canonical, over a metered reader of the table. */
  readonly reader: Reader;
  readonly take: () => Cost;
  readonly index: IndexId;
  /** For Q5. */
  readonly indices: readonly IndexId[];
  readonly from: EpochMicros;
  readonly to: EpochMicros;
  readonly signal?: AbortSignal;
}

const FAMILIES = ['q', 'h'];
/** Most ticks that a question reads here. */
const MOST_TICKS = 20_000;
const LATEST = 20;
/** Columns of a chart, each an as-of read where there are no bars. */
const COLUMNS = 60;
const WINDOW = 600_000_000n;
const MOST_INDICES = 100;
const DEADLINE_MS = 20_000;
const IN_FLIGHT = 16;

export async function explain(options: ExplainOptions): Promise<Result<Explained[]>> {
  const { reader, take, index, from, to, signal } = options;
  const out: Explained[] = [];
  const read = async (range: KeyRange, limit: number): Promise<Result<number>> => {
    const outcome = await reader.read({ ranges: [range], limit, deadlineMs: DEADLINE_MS, families: FAMILIES, ...(signal ? { signal } : {}) });
    return outcome.ok ? ok(outcome.rows.filter((row) => decodeTick(row).ok).length) : failed(outcome.error);
  };
  const ask = async (question: Explained['question'], asks: string, reads: readonly { readonly range: KeyRange; readonly limit: number }[]): Promise<Problem | null> => {
    take();
    const started = performance.now();
    let ticks = 0;
    let cut = false;
    let trouble: Problem | null = null;
    let next = 0;
    const lane = async (): Promise<void> => {
      for (let one = reads[next++]; one && trouble === null; one = reads[next++]) {
        const found = await read(one.range, one.limit);
        if (!found.ok) trouble = found.error;
        else {
          ticks += found.value;
          cut ||= one.limit === MOST_TICKS && found.value >= one.limit;
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, reads.length) }, lane));
    const cost = take();
    // Its reads run beside each other: what counts is when the last of them ends.
    cost.elapsedMs = performance.now() - started;
    out.push({ question, asks, ticks, cut, cost });
    return trouble;
  };
  const window = micros(to - WINDOW > MIN_MICROS ? to - WINDOW : MIN_MICROS);
  const width = (to - from) / BigInt(COLUMNS) + 1n;
  const middle = micros(from + (to - from) / 2n);
  const some = options.indices.slice(0, MOST_INDICES);
  // The first read of a table finds out whether its server scans backwards: not the question's cost.
  await read(tickRange(index), 1);
  const trouble =
    (await ask('Q1', `latest price of ${index}`, [{ range: tickRange(index), limit: 1 }])) ??
    (await ask('Q2', `latest ${LATEST} ticks of ${index}`, [{ range: tickRange(index), limit: LATEST }])) ??
    (await ask('Q3', `ticks of ${index} in the span`, [{ range: ticksBetween(index, from, to), limit: MOST_TICKS }])) ??
    (await ask('Q4', `a chart of ${index}, ${COLUMNS} columns, without bars`, Array.from({ length: COLUMNS }, (_, at) => ({ start: from + BigInt(at) * width, end: from + BigInt(at + 1) * width - 1n }))
      .filter(({ start }) => start <= to).map(({ start, end }) => ({ range: ticksBetween(index, micros(start), micros(end < to ? end : to)), limit: 1 })))) ??
    (await ask('Q5', `${some.length} indices, the last ten minutes of the span`, some.map((id) => ({ range: ticksBetween(id, window, to), limit: MOST_TICKS })))) ??
    (await ask('Q6', `${index} as of the middle of the span`, [{ range: ticksUpTo(index, middle), limit: 1 }])) ??
    (await ask('Q7', `how late the writer of ${index} is: its latest row with its ingest time`, [{ range: tickRange(index), limit: 1 }]));
  return trouble ? failed(trouble) : ok(out);
}

/** Time of an index's newest tick; null where it has none. */
export async function newestTime(reader: Reader, index: IndexId, signal?: AbortSignal): Promise<Result<EpochMicros | null>> {
  const outcome = await reader.read({ ranges: [tickRange(index)], limit: 1, deadlineMs: DEADLINE_MS, families: FAMILIES, ...(signal ? { signal } : {}) });
  if (!outcome.ok) return failed(outcome.error);
  const [row] = outcome.rows;
  if (!row) return ok(null);
  const tick = decodeTick(row);
  return tick.ok ? ok(tick.value.time) : failed(problem(tick.error.code, tick.error.what, tick.error.next));
}
