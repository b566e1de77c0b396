/** The whole lab: candidates loaded, asked in turn, checked against the answers from memory, and dropped. */
import { failed, ok, type Problem, problem, ProblemError, type Result } from '../../../shared/result.ts';
import type { LabLayout, LabStore, MakeLayout } from './layout.ts';
import type { LabCost, OpenLab } from './labStore.ts';
import { derivedLag, loadLayout, tableOf, type WriteFigures } from './load.ts';
import { createModel, type Found, makeQuestions, type Question, type QuestionName, sameAnswer } from './questions.ts';
import { hottestShare, type LabEvent, makeWorkload, type Workload, type WorkloadShape } from './workload.ts';

export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** Means of one asking, and milliseconds. */
export interface QuestionFigures extends Percentiles {
  readonly name: QuestionName;
  readonly runs: number;
  readonly requests: number;
  /** Looked at by the server. */
  readonly rowsScanned: number;
  readonly bytesScanned: number;
  readonly rowsReturned: number;
  readonly bytesReturned: number;
  /** Ticks or bars of the answer. */
  readonly events: number;
  /** The server gave no figures: what it returned was counted, and it may have looked at more. */
  readonly counted: boolean;
  /** Answers that lack what the layout could not keep; null: all were right. */
  readonly incomplete: { readonly answers: number; readonly reason: string } | null;
}

export interface LayoutFigures {
  readonly layout: Pick<LabLayout, 'name' | 'title' | 'keys' | 'idea' | 'rowSpan'>;
  readonly tables: number;
  /** Why it was not measured; then nothing below is there. */
  readonly refused: string | null;
  readonly writes: WriteFigures | null;
  /** Events that it could not keep, of all. */
  readonly lost: number;
  readonly derivedLag: Percentiles | null;
  readonly questions: readonly QuestionFigures[];
}

export interface LabFigures {
  readonly shape: WorkloadShape;
  readonly repeat: number;
  readonly tablets: number;
  readonly ticks: number;
  readonly bars: number;
  readonly resolution: string;
  readonly hottestShare: number;
  readonly reverseScans: boolean;
  readonly questions: readonly Pick<Question, 'name' | 'asks'>[];
  readonly layouts: readonly LayoutFigures[];
}

export interface LabRun {
  readonly lab: OpenLab;
  readonly shape: WorkloadShape;
  readonly candidates: readonly MakeLayout[];
  readonly repeat: number;
  readonly tablets: number;
  /** Microseconds, whole milliseconds. */
  readonly version: bigint;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

const MOST_TABLES = 1000; // of an instance
/** A question that takes longer, over all layouts, is asked less often, and its figures say so. */
const QUESTION_MS = 4000;
const LEAST_RUNS = 3;
const LAG_SAMPLES = 100;

/**
 * All candidates are loaded first and then asked in turn, so that whatever else the machine does, and the garbage of one, falls on all alike.
 * Fails where the store does, where an answer is wrong (a fault of the lab), and with CANCELLED. Its tables are dropped whatever happens.
 */
export async function runLab(run: LabRun): Promise<Result<LabFigures, Problem>> {
  const { lab, shape, repeat, tablets } = run;
  const workload = makeWorkload(shape);
  const questions = makeQuestions(workload, repeat);
  const all = [...workload.events, ...workload.barEvents];
  const made: string[] = [];
  try {
    const reverseScans = await probeReverse(run);
    const right = answersTo(questions, createModel(all));
    const candidates: Candidate[] = [];
    for (const make of run.candidates) candidates.push(await prepare(make(workload), workload, all, right, questions, made, run));
    for (const [at, question] of questions.entries()) await askAll(candidates, question, at, reverseScans, run);
    return ok({
      shape, repeat, tablets, ticks: workload.events.length, bars: workload.barEvents.length, resolution: workload.resolution,
      hottestShare: hottestShare(workload), reverseScans, questions: questions.map(({ name, asks }) => ({ name, asks })), layouts: candidates.map(({ figures }) => figures),
    });
  } catch (error) {
    if (error instanceof ProblemError) return failed(error.problem);
    throw error;
  } finally {
    await lab.drop(made);
  }
}

/** A server that does not know reverse scans reads forward and does not say so, or refuses. */
async function probeReverse({ lab, version, signal }: LabRun): Promise<boolean> {
  const table = 'probe-reverse';
  await lab.create(table);
  try {
    await lab.write(table, ['a', 'b'].map((key) => ({ key, cells: [{ qualifier: 'p', value: '1' }] })), version, signal);
    const [row] = await lab.read({ table, start: 'a', end: 'c', limit: 1, reversed: true }, signal).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return [];
    });
    return row?.key === 'b';
  } finally {
    await lab.drop([table]);
  }
}

const answersTo = (questions: readonly Question[], model: ReturnType<typeof createModel>): Found[][][] => questions.map(({ times }) => times.map(model));

interface Candidate {
  readonly layout: LabLayout;
  /** By question and time: of all events, and of those that this layout keeps. */
  readonly right: readonly Found[][][];
  readonly expected: readonly Found[][][];
  readonly figures: LayoutFigures & { questions: QuestionFigures[] };
}

async function prepare(layout: LabLayout, workload: Workload, all: readonly LabEvent[], right: Found[][][], questions: readonly Question[], made: string[], run: LabRun): Promise<Candidate> {
  const { lab, signal, version } = run;
  const { name, title, keys, idea, rowSpan } = layout;
  const about = { layout: { name, title, keys, idea, ...(rowSpan === undefined ? {} : { rowSpan }) }, tables: layout.tables.length, questions: [] };
  const refused = layout.tables.length > MOST_TABLES ? `${layout.tables.length} tables; an instance holds at most ${MOST_TABLES}` : null;
  if (refused !== null) return { layout, right, expected: right, figures: { ...about, refused, writes: null, lost: 0, derivedLag: null } };
  for (const [at, table] of layout.tables.entries()) {
    if (at % 20 === 0) run.onProgress(`${name}: making ${layout.tables.length === 1 ? 'its table' : `table ${at + 1} of ${layout.tables.length}`}`);
    if (signal.aborted) throw new ProblemError(problem('CANCELLED', 'the lab was stopped', 'run it again'));
    made.push(tableOf(layout, table));
    await lab.create(tableOf(layout, table));
  }
  const writes = await loadLayout(layout, workload, lab, version, run.tablets, signal, (done) => run.onProgress(`${name}: ${done} of ${all.length} events written`));
  const lags = await derivedLag(layout, workload.events.slice(-LAG_SAMPLES), lab, version, signal);
  const kept = layout.keeps?.of(all) ?? all;
  return {
    layout, right, expected: kept.length === all.length ? right : answersTo(questions, createModel(kept)),
    figures: { ...about, refused, writes, lost: all.length - kept.length, derivedLag: lags.length > 0 ? percentiles(lags) : null },
  };
}

/** One question at all layouts in turn, each time beginning with another; the first time does not count. */
async function askAll(candidates: readonly Candidate[], { name, asks, times }: Question, place: number, reverseScans: boolean, { lab, signal, onProgress }: LabRun): Promise<void> {
  const lanes = candidates.filter(({ figures }) => figures.refused === null).map((candidate) => ({
    ...candidate, cost: NOTHING, spent: [] as number[], events: 0, incomplete: 0,
    store: { reverseScans, read: (read) => lab.read({ ...read, table: tableOf(candidate.layout, read.table) }, signal) } satisfies LabStore as LabStore,
  }));
  const [warm] = times;
  if (warm) for (const { layout, store } of lanes) await layout.answer(warm, store);
  lab.take();
  const begun = performance.now();
  for (const [at, each] of times.entries()) {
    onProgress(`${name}, ${asks}: ${at + 1} of ${times.length}`);
    for (const turn of lanes.keys()) {
      const lane = lanes[(at + turn) % lanes.length];
      if (!lane) continue;
      const started = performance.now();
      const found = await lane.layout.answer(each, lane.store);
      lane.spent.push(performance.now() - started);
      lane.cost = sum(lane.cost, lab.take());
      lane.events += found.length;
      const expected = lane.expected[place]?.[at] ?? [];
      if (!sameAnswer(found, expected)) throw new ProblemError(problem('INTERNAL', `layout ${lane.layout.name} answers ${name} wrongly: ${found.length} events where ${expected.length} are expected, or others`, 'report this with the options of the run'));
      if (!sameAnswer(found, lane.right[place]?.[at] ?? [])) lane.incomplete += 1;
    }
    if (at + 1 >= LEAST_RUNS && performance.now() - begun > QUESTION_MS) break;
  }
  for (const { layout, figures, cost, spent, events, incomplete } of lanes) {
    const runs = spent.length;
    figures.questions.push({
      name, runs, ...percentiles(spent), requests: cost.requests / runs, rowsScanned: cost.rowsSeen / runs, rowsReturned: cost.rowsReturned / runs, bytesReturned: cost.bytes / runs,
      bytesScanned: (cost.bytes + (cost.cellsSeen - cost.cellsReturned) * (figures.writes?.bytesPerCell ?? 0)) / runs, events: events / runs, counted: cost.told < cost.requests,
      incomplete: incomplete > 0 ? { answers: incomplete, reason: layout.keeps?.reason ?? 'not all events were kept' } : null,
    });
  }
}

const NOTHING: LabCost = { requests: 0, rowsSeen: 0, rowsReturned: 0, cellsSeen: 0, cellsReturned: 0, bytes: 0, told: 0 };

const sum = (a: LabCost, b: LabCost): LabCost => ({
  requests: a.requests + b.requests, rowsSeen: a.rowsSeen + b.rowsSeen, rowsReturned: a.rowsReturned + b.rowsReturned,
  cellsSeen: a.cellsSeen + b.cellsSeen, cellsReturned: a.cellsReturned + b.cellsReturned, bytes: a.bytes + b.bytes, told: a.told + b.told,
});

/** Nearest rank. */
export function percentiles(samples: readonly number[]): Percentiles {
  const sorted = [...samples].sort((a, b) => a - b);
  const rank = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { p50: rank(0.5), p95: rank(0.95), p99: rank(0.99) };
}
