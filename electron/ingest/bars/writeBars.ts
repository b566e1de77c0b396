/** Differences into the table, with versions that no delayed retry of an older figure can beat. */
import type { Clock } from '../../../shared/clock.ts';
import { ok, type Problem, type Result } from '../../../shared/result.ts';
import type { Writer } from '../../bigtable/reader.ts';
import { type Sleep, writeAll } from '../pacer.ts';
import type { Difference } from './barRow.ts';

export interface BarWriter {
  readonly writer: Writer;
  readonly clock: Clock;
  /** The machine's wall clock in milliseconds: version times. */
  readonly machineMillis: () => number;
  readonly sleep: Sleep;
  /** Longest elapsed time to keep trying. */
  readonly patienceMs: number;
  readonly onProblem?: ((problem: Problem | null) => void) | undefined;
  readonly signal: AbortSignal;
}

export async function writeBars(options: BarWriter, differences: readonly Difference[]): Promise<Result<number>> {
  if (differences.length === 0) return ok(0);
  let version = BigInt(Math.floor(options.machineMillis())) * 1000n;
  for (const one of differences) if (one.version >= version) version = one.version + 1000n;
  const { onProblem, ...rest } = options;
  return writeAll(differences.map(({ row }) => row), { ...rest, version: () => version, ...(onProblem ? { onProblem } : {}) });
}
