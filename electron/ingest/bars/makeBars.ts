/** The bars of one index over a span, made from its ticks and written where the table says something else: done twice, nothing changes. */
import type { IndexInfo } from '../../../shared/quote.ts';
import { failed, ok, problem, type Result } from '../../../shared/result.ts';
import { type EpochMicros, MAX_MICROS, MIN_MICROS } from '../../../shared/time.ts';
import type { PageContext } from '../../bigtable/pages.ts';
import type { Difference } from './barRow.ts';
import { addTallies, noTallies, type Tallies } from './compare.ts';
import type { BarLeases } from './lease.ts';
import { patch } from './patch.ts';
import { remake, type Span } from './remake.ts';
import { type BarWriter, writeBars } from './writeBars.ts';

export interface Maker extends PageContext, BarWriter {
  /** Null where nobody else can be at work: tests. */
  readonly leases: Pick<BarLeases, 'hold'> | null;
}

export interface Run {
  readonly index: IndexInfo['id'];
  ticks: number;
  /** Ticks that no session holds: they are in no day. */
  outside: number;
  readonly tallies: Tallies;
}

export const newRun = (index: IndexInfo['id']): Run => ({ index, ticks: 0, outside: 0, tallies: noTallies() });

/** A patch holds its minutes in memory and reads all days it touches: longer spans are scanned. */
const LONGEST_PATCH = 2n * 86_400_000_000n;

/** Makes every bar of a span; `onStep` hears of each page: ticks so far, and how far down it has come. */
export async function makeBars(maker: Maker, info: IndexInfo, span: Span, onStep: (run: Run, reached: EpochMicros) => void = () => {}): Promise<Result<Run>> {
  const run = newRun(info.id);
  for await (const step of remake(maker, info, span, { signal: maker.signal })) {
    if (!step.ok) return step;
    const { ticks, outside, reached, compared } = step.value;
    run.ticks += ticks;
    run.outside += outside;
    if (compared) {
      const written = await write(maker, info, compared.differences);
      if (!written.ok) return written;
      addTallies(run.tallies, compared.tallies);
    }
    onStep(run, reached);
  }
  return ok(run);
}

export interface Patched {
  readonly run: Run;
  readonly newest: EpochMicros | null;
  readonly print: string | null;
}

/** Makes the bars that a span touches. `before`: the print of the last time, which spares the rest where nothing changed. */
export async function patchBars(maker: Maker, info: IndexInfo, from: EpochMicros, to: EpochMicros, before: string | null = null): Promise<Result<Patched>> {
  if (to - from > LONGEST_PATCH) {
    const made = await makeBars(maker, info, { from, to });
    return made.ok ? ok({ run: made.value, newest: null, print: null }) : made;
  }
  const found = await patch(maker, info, { from, to }, before, maker.signal);
  if (!found.ok) return found;
  const { differences, tallies, ticks, outside, newest, print } = found.value;
  const written = await write(maker, info, differences);
  return written.ok ? ok({ run: { index: info.id, ticks, outside, tallies }, newest, print }) : written;
}

async function write(maker: Maker, info: IndexInfo, differences: readonly Difference[]): Promise<Result<number>> {
  // Also where nothing is to be written: a long scan must not lose the lease.
  const held = maker.leases === null ? null : await maker.leases.hold(info.id);
  if (held && !held.ok) return held;
  if (held?.value.kind === 'taken') return failed(takenBy(info, held.value.by));
  return writeBars(maker, differences);
}

export const takenBy = (info: IndexInfo, by: string) => problem('STORE_BUSY', `the bars of ${info.id} are made by ${by}`, 'leave them to it, or stop it first', true);

/** One span around differences; null without any. */
export function spanOf(differences: readonly Difference[]): { readonly from: EpochMicros; readonly to: EpochMicros } | null {
  if (differences.length === 0) return null;
  let [from, to]: [EpochMicros, EpochMicros] = [MAX_MICROS, MIN_MICROS];
  for (const one of differences) {
    if (one.from < from) from = one.from;
    if (one.to > to) to = one.to;
  }
  return { from, to };
}
