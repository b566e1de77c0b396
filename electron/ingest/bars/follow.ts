/**
 * Keeps the bars of many indices as their ticks are. Every few seconds the trailing minutes of each are read again, which finds what is
 * new and what came a little late; between those passes an audit compares all the rest with its ticks, page by page and round after round,
 * which finds whatever was added, corrected or deleted anywhere. Where it is, the table itself tells: the newest own minute.
 */
import { alignedStart } from '../../../shared/bars.ts';
import type { IndexInfo } from '../../../shared/quote.ts';
import { failed, ok, type Problem, type Result } from '../../../shared/result.ts';
import { barRange, type IndexId } from '../../../shared/rowKey.ts';
import { type EpochMicros, micros, MIN_MICROS, MINUTE } from '../../../shared/time.ts';
import { gather, pagesOf, tickPages } from '../../bigtable/pages.ts';
import { storedBar } from './barRow.ts';
import { makeBars, type Maker, patchBars, type Run, spanOf, takenBy } from './makeBars.ts';
import { horizonOf, remake, type Step } from './remake.ts';

export interface Follow {
  readonly maker: Maker;
  /** The indices to follow: asked for again as new ones may appear. */
  readonly list: () => Promise<Result<readonly IndexInfo[]>>;
  /** Nothing before it is made; null: from the first tick on. */
  readonly from: EpochMicros | null;
  /** Hears of every run that changed something. */
  readonly onRun: (run: Run) => void | Promise<void>;
  /** While the first bars of an index are made. */
  readonly onCatchUp?: (run: Run, reached: EpochMicros) => void;
  /** The store's trouble, or an index that another makes; null when all is well again. */
  readonly onTrouble?: (problem: Problem | null) => void;
  readonly passMs?: number;
  readonly listMs?: number;
  /** Most rows that an audit reads between two passes, and how long it rests after a round. */
  readonly auditRows?: number;
  readonly restMs?: number;
}

/** Late ticks within it are seen by the next pass, later ones by the audit. */
const TRAILING = 2n * MINUTE;
const AT_ONCE = 16;
/** What a request costs beside its rows. */
const ROWS_PER_REQUEST = 50;

interface Followed {
  info: IndexInfo;
  /** Start of the newest minute made; null: none yet. */
  newest: EpochMicros | null;
  print: string | null;
  caughtUp: boolean;
}

/** Ends when the signal aborts, or with a problem that waiting does not cure. */
export async function followBars(options: Follow): Promise<Result<null>> {
  const { maker, passMs = 5000, listMs = 30_000 } = options;
  const elapsed = (): number => maker.clock.elapsed();
  const followed = new Map<IndexId, Followed>();
  const audit = createAudit(options, followed);
  let listed = -Infinity;
  let troubled = false;
  const note = (trouble: Problem | null): void => {
    if (trouble === null && troubled) options.onTrouble?.(null);
    else if (trouble !== null && !troubled) options.onTrouble?.(trouble);
    troubled = trouble !== null;
  };

  while (!maker.signal.aborted) {
    const begun = elapsed();
    let trouble: Problem | null = null;
    if (begun - listed >= listMs || followed.size === 0) {
      const list = await options.list();
      if (list.ok) {
        listed = begun;
        for (const info of list.value) {
          const known = followed.get(info.id);
          if (known) known.info = info;
          else followed.set(info.id, { info, newest: null, print: null, caughtUp: false });
        }
      } else trouble = list.error;
    }
    trouble ??= await eachOf([...followed.values()], (one) => pass(options, one));
    trouble ??= await audit(begun + passMs);
    if (maker.signal.aborted) break;
    if (trouble && !curable(trouble)) return failed(trouble);
    note(trouble);
    await maker.sleep(begun + passMs - elapsed(), maker.signal);
  }
  return ok(null);
}

/** A table may be made later, an outage ends. */
const curable = ({ retryable, code }: Problem): boolean => retryable || code === 'TABLE_MISSING' || code === 'FAMILY_MISSING' || code === 'CANCELLED' || code.startsWith('CREDENTIALS');

/** At most 16 at a time; all have their turn, and the first trouble is told. */
async function eachOf<T>(all: readonly T[], work: (one: T) => Promise<Problem | null>): Promise<Problem | null> {
  let next = 0;
  let first: Problem | null = null;
  const lane = async (): Promise<void> => {
    for (let one = all[next++]; one !== undefined; one = all[next++]) {
      const trouble = await work(one);
      first ??= trouble;
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, all.length) }, lane));
  return first;
}

async function pass({ maker, from, onRun, onCatchUp }: Follow, one: Followed): Promise<Problem | null> {
  if (maker.signal.aborted) return null;
  const held = await maker.leases?.hold(one.info.id);
  if (held && !held.ok) return held.error;
  if (held?.value.kind === 'taken') {
    one.caughtUp = false;
    return takenBy(one.info, held.value.by);
  }
  if (!one.caughtUp) {
    const stored = await newestMinute(maker, one.info);
    if (!stored.ok) return stored.error;
    const made = await makeBars(maker, one.info, { from: later(stored.value, from), to: null }, onCatchUp);
    if (!made.ok) return made.error;
    await tell(onRun, made.value);
    const now = await newestMinute(maker, one.info);
    if (!now.ok) return now.error;
    [one.newest, one.print, one.caughtUp] = [now.value, null, true];
    return null;
  }
  const tick = await newestTick(maker, one.info);
  if (!tick.ok) return tick.error;
  // Where the newest ticks were deleted, their minutes go too.
  const [low, high] = [earlier(tick.value, one.newest), later(tick.value, one.newest)];
  if (low === null || high === null || (from !== null && high < from)) return null;
  const patched = await patchBars(maker, one.info, later(back(low), from) ?? low, micros(high + MINUTE), one.print);
  if (!patched.ok) return patched.error;
  await tell(onRun, patched.value.run);
  one.print = patched.value.print;
  one.newest = tick.value ?? null;
  return null;
}

/** Before the trailing minutes. */
const back = (time: bigint): EpochMicros => micros(time - TRAILING < MIN_MICROS ? MIN_MICROS : time - TRAILING);

const later = (a: EpochMicros | null, b: EpochMicros | null): EpochMicros | null => (a === null || (b !== null && b > a) ? b : a);
const earlier = (a: EpochMicros | null, b: EpochMicros | null): EpochMicros | null => (a === null || (b !== null && b < a) ? b : a);

async function newestMinute(maker: Maker, info: IndexInfo): Promise<Result<EpochMicros | null>> {
  const parts = [{ range: barRange(info.id, '1m'), families: ['b'] as const }];
  const rows = await gather(pagesOf(maker, info.id, parts, 1, (row) => ok(storedBar(row)), maker.signal, 1));
  return rows.ok ? ok(rows.value[0]?.start ?? null) : rows;
}

async function newestTick(maker: Maker, info: IndexInfo): Promise<Result<EpochMicros | null>> {
  const ticks = await gather(tickPages(maker, { index: info.id, from: MIN_MICROS, to: micros(horizonOf(maker) - 1n), limit: 1, signal: maker.signal }));
  return ticks.ok ? ok(ticks.value[0]?.time ?? null) : ticks;
}

async function tell(onRun: Follow['onRun'], run: Run): Promise<void> {
  if (Object.values(run.tallies).some(({ made, changed, erased }) => made + changed + erased > 0)) await onRun(run);
}

/** Compares what lies behind the trailing minutes with its ticks, for as long as there is time; goes on the next time where it stopped. */
function createAudit({ maker, from, onRun, auditRows = 25_000, restMs = 20_000 }: Follow, followed: ReadonlyMap<IndexId, Followed>): (until: number) => Promise<Problem | null> {
  let turn: readonly Followed[] = [];
  let at = 0;
  let steps: AsyncGenerator<Result<Step>> | null = null;
  let restUntil = -Infinity;

  return async (until) => {
    let rounds = 0;
    for (let rows = 0; rows < auditRows && maker.clock.elapsed() < until && !maker.signal.aborted;) {
      if (steps === null) {
        if (at >= turn.length) {
          // a small table is not read over and over
          if (maker.clock.elapsed() < restUntil || (rounds += 1) > 1) return null;
          [turn, at] = [[...followed.values()].filter(({ caughtUp, newest }) => caughtUp && newest !== null), 0];
          restUntil = maker.clock.elapsed() + restMs;
          if (turn.length === 0) return null;
        }
        const one = turn[at];
        if (one?.newest == null || !one.caughtUp) {
          at += 1;
          continue;
        }
        steps = remake(maker, one.info, { from, to: back(alignedStart(one.newest, MINUTE)) }, { openEnd: false, signal: maker.signal });
      }
      const one = turn[at];
      const step = await steps.next();
      if (step.done === true || one === undefined) {
        steps = null;
        at += 1;
        continue;
      }
      if (!step.value.ok) {
        steps = null;
        return step.value.error;
      }
      rows += step.value.value.ticks + ROWS_PER_REQUEST;
      const span = spanOf(step.value.value.compared?.differences ?? []);
      if (span === null) continue;
      const patched = await patchBars(maker, one.info, span.from, span.to);
      if (!patched.ok) return patched.error;
      await tell(onRun, patched.value.run);
    }
    return null;
  };
}

