/** One cycle of reads: every due index is scanned or asked for what is new, and its track absorbs the answer. */
import type { Clock } from '../../shared/clock.ts';
import { type IndexId, keyAfter } from '../../shared/rowKey.ts';
import { type Problem, problem } from '../../shared/result.ts';
import type { Reader } from '../bigtable/reader.ts';
import { absorbFuture, absorbGap, absorbTop, tellsNothing } from './absorb.ts';
import { type Effects, noEffects } from './effects.ts';
import { type Entry, trailingOf } from './entry.ts';
import { type FillJob, fillJob } from './fill.ts';
import { horizonAt } from './horizon.ts';
import { type AskedRange, deltaRanges, groupRanges } from './ranges.ts';
import { readDelta, type ReadContext, scanNewest } from './reads.ts';
import { AUDIT_MS, auditDue, LONGEST_DELTA_GAP_MS } from './schedule.ts';

/** Reads in flight of one cycle's scans. */
const SCANS_IN_FLIGHT = 16;

export interface PollerContext {
  readonly reader: Reader;
  readonly clock: Clock;
  readonly intervalMs: number;
  readonly retentionDays: number;
  readonly random: () => number;
  readonly entry: (id: IndexId) => Entry | undefined;
  readonly queue: FillJob[];
  readonly meter: ReadContext['meter'];
  /** A read of this index ended well; `effects` null where it told nothing new. `filling`: `effects.backfill` fills a gap and is no news. */
  readonly onRead: (entry: Entry, effects: Effects | null, filling: boolean) => void;
  readonly onFailed: (entry: Entry, error: Problem) => void;
  /** All answers of one request are absorbed. */
  readonly flush: () => void;
}

/** Reads that succeeded and failed, per request. */
export interface CycleOutcome {
  readonly ok: number;
  readonly failed: number;
  readonly problem: Problem | null;
}

export interface Poller {
  /** Reads all of `due` (none in flight already). Never rejects; a cancelled cycle reports nothing. */
  cycle(due: readonly Entry[], scanAll: boolean, deadlineMs: number, signal: AbortSignal): Promise<CycleOutcome>;
}

const CUT = problem('STORE_TIMEOUT', 'the store does not answer', 'check that it runs and can be reached', true);

export function createPoller(context: PollerContext): Poller {
  const { reader, clock, intervalMs, retentionDays, queue } = context;

  function told(entry: Entry, startedAt: number, audited: boolean): void {
    // All are first read at the same time: their audits are dealt out over the cycles that follow.
    if (audited) entry.lastAuditAt = entry.lastReadAt === Number.NEGATIVE_INFINITY ? startedAt - AUDIT_MS * context.random() : startedAt;
    entry.lastReadAt = startedAt;
    entry.track.counts.reads += 1;
  }

  function fail(entry: Entry, error: Problem): void {
    entry.track.counts.errors += 1;
    context.onFailed(entry, error);
  }

  async function scan(entry: Entry, read: ReadContext, later: AskedRange[] | null): Promise<Problem | null> {
    const { track } = entry;
    const [now, startedAt] = [clock.now(), clock.elapsed()];
    const horizon = horizonAt(now);
    const audit = auditDue(startedAt, entry.lastAuditAt, intervalMs);
    const fromHorizon = track.future !== null && !audit;
    const outcome = await scanNewest(read, { id: entry.info.id, now, retentionDays, fromHorizon, older: track.latest === null || track.needsScan });
    if (read.signal.aborted || entry.track !== track) return null;
    if (!outcome.ok) {
      fail(entry, outcome.error);
      return outcome.error;
    }
    const recently = startedAt - entry.lastReadAt <= LONGEST_DELTA_GAP_MS && entry.failures < 2;
    const before = track.latest;
    const flags = flagsOf(entry);
    if (!fromHorizon) absorbFuture(track, outcome.future ? [outcome.future] : [], true);
    const effects = absorbTop(track, outcome.coverage, horizon, trailingOf(entry, clock.speed()));
    track.counts.rows += outcome.coverage.rows.length;
    told(entry, startedAt, audit || track.future === null);
    const gaps = track.gaps.splice(0);
    if (later !== null && recently) later.push(...belowNewest(entry, gaps.at(-1)?.end ?? ''));
    else queue.push(...gaps.map((gap) => fillJob(entry, 'gap', gap)));
    context.onRead(entry, hasEffects(effects) || before !== track.latest || flags !== flagsOf(entry) ? effects : null, true);
    return null;
  }

  /** What a scan's single row leaves open: from there to the last known row and, where charted, to the end of the trailing window. */
  function belowNewest(entry: Entry, gapEnd: string): AskedRange[] {
    const { track } = entry;
    const start = track.latest === null ? '' : keyAfter(track.latest.row.key);
    const end = entry.watched && track.trailingEnd > gapEnd ? track.trailingEnd : gapEnd;
    return start !== '' && start < end ? [{ start, end, track, part: 'below', audited: entry.watched }] : [];
  }

  async function delta(asked: readonly AskedRange[], read: ReadContext): Promise<Problem | null> {
    const startedAt = clock.elapsed();
    const horizon = horizonAt(clock.now());
    const outcome = await readDelta(read, asked);
    if (read.signal.aborted) return null;
    const unread = new Set<Entry>();
    for (const { range, rows, readTo } of outcome.answered) {
      const entry = context.entry(range.track.id);
      if (!entry || entry.track !== range.track) continue;
      const { track } = entry;
      if (readTo === null) {
        if (range.part === 'below') queue.push(fillJob(entry, 'gap', range));
        else unread.add(entry);
        continue;
      }
      track.counts.rows += rows.length;
      if (range.part === 'future') {
        const future = track.future;
        absorbFuture(track, rows, range.audited && readTo === range.end);
        if (track.future !== future) context.onRead(entry, noEffects(track), false);
        continue;
      }
      if (range.part === 'top') told(entry, startedAt, range.audited);
      if (rows.length === 0 && !range.audited) {
        context.onRead(entry, null, false);
        continue;
      }
      if (range.part === 'top' && !entry.watched && tellsNothing(track, rows, range.end, readTo, horizon)) {
        context.onRead(entry, null, false);
        continue;
      }
      const coverage = { rows, from: range.start, to: readTo };
      const before = track.latest;
      const flags = flagsOf(entry);
      const effects = (range.part === 'top' ? absorbTop : absorbGap)(track, coverage, horizon, trailingOf(entry, clock.speed()));
      if (range.part === 'below' && readTo < range.end) queue.push(fillJob(entry, 'gap', { start: readTo, end: range.end }));
      if (track.gaps.length > 0) queue.push(...track.gaps.splice(0).map((gap) => fillJob(entry, 'gap', gap)));
      context.onRead(entry, hasEffects(effects) || before !== track.latest || flags !== flagsOf(entry) ? effects : null, range.part === 'top');
      if (track.needsScan) unread.add(entry);
    }
    if (outcome.error) for (const entry of unread) fail(entry, outcome.error);
    // Rows that a cap cut off, or a newest row that is gone: only a scan can tell now.
    else for (const entry of unread) if ((await scan(entry, read, null)) !== null) break;
    context.flush();
    return outcome.error;
  }

  return {
    async cycle(due, scanAll, deadlineMs, signal) {
      const read: ReadContext = { reader, deadlineMs, signal, meter: context.meter };
      const total = { ok: 0, failed: 0, problem: null as Problem | null };
      const note = (error: Problem | null): void => {
        if (error === null) total.ok += 1;
        else {
          total.failed += 1;
          total.problem = error;
        }
      };
      const startedAt = clock.elapsed();
      const horizon = horizonAt(clock.now());
      const scans: Entry[] = [];
      const audits: (readonly AskedRange[])[] = [];
      const deltas: (readonly AskedRange[])[] = [];
      for (const entry of due) {
        const { track } = entry;
        // A charted index is never scanned where a range read can tell: a scan shows the newest tick before those that came with it.
        const scanned = (entry.watched ? entry.failures >= 2 : scanAll || entry.failures > 0) || track.needsScan || track.watermark === null || startedAt - entry.lastReadAt > LONGEST_DELTA_GAP_MS;
        const audit = entry.watched || auditDue(startedAt, entry.lastAuditAt, intervalMs);
        const ranges = scanned ? [] : deltaRanges(track, horizon, audit);
        if (ranges.length === 0) scans.push(entry);
        else (audit ? audits : deltas).push(ranges);
        entry.inFlight = true;
      }
      const later: AskedRange[] = [];
      const release = (ranges: readonly AskedRange[]): void => {
        for (const range of ranges) {
          const entry = context.entry(range.track.id);
          if (entry?.track === range.track) entry.inFlight = false;
        }
      };
      await Promise.all([
        ...groupRanges(audits, deltas).map(async (group) => {
          note(await delta(group, read));
          if (!signal.aborted) release(group);
        }),
        inParallel(scans, SCANS_IN_FLIGHT, async (entry) => {
          // A store that answers nothing is not asked five hundred times, each to its deadline.
          if (total.ok === 0 && total.failed > 0) fail(entry, total.problem ?? CUT);
          else if (!signal.aborted) {
            const error = await scan(entry, read, later);
            if (signal.aborted) return;
            note(error);
            context.flush();
          }
        }),
      ]);
      if (later.length > 0 && !signal.aborted) {
        later.sort((a, b) => (a.start < b.start ? -1 : 1));
        await Promise.all(groupRanges(later.map((range) => [range]), []).map(async (group) => note(await delta(group, read))));
      }
      if (!signal.aborted) for (const entry of scans) entry.inFlight = false;
      context.flush();
      return signal.aborted ? { ok: 0, failed: 0, problem: null } : total;
    },
  };
}

const flagsOf = ({ track }: Entry): number => (track.corrected ? 1 : 0) | (track.deleted ? 2 : 0) | (track.future === null ? 0 : 4);

const hasEffects = (effects: Effects): boolean => effects.added.length > 0 || effects.backfill.length > 0 || effects.corrected.length > 0 || effects.removed.length > 0;

async function inParallel<T>(items: readonly T[], most: number, work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let item = items[next]; item !== undefined; item = items[next]) {
      next += 1;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
}
