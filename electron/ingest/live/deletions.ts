/** Busted trades by identity, as users write them down; and their deletion, several at a time. */
import { failed, ok, type Problem, problem, type Result } from '../../../shared/result.ts';
import { decodeKey, isIndexId, MAX_SEQUENCE } from '../../../shared/rowKey.ts';
import { type EpochMicros, formatIso, parseTime } from '../../../shared/time.ts';
import type { Conditional } from '../../bigtable/conditional.ts';
import type { Reader, Writer } from '../../bigtable/reader.ts';
import type { Sleep } from '../pacer.ts';
import { versionTimes } from '../tickRow.ts';
import { type Attempts, persist } from './attempts.ts';
import { repairLatest } from './latestState.ts';
import type { TickIdentity } from './liveTick.ts';
import { removeTick, tickRows } from './removeTick.ts';

/** Of a list; each holds a place in memory. */
export const MAX_DELETIONS = 1_000_000;
const LANES = 8;
const PATIENCE = 30_000;

export const identityText = ({ index, time, sequence }: TickIdentity): string => `${index} ${formatIso(time)} ${sequence}`;

/** A row key (`SPX#...#...`), `ID TIME SEQUENCE` (spaces or commas), or a line of JSON with `index`, `eventMicros` and `sequence`. The text of a refusal otherwise. */
export function parseIdentity(line: string): TickIdentity | string {
  const text = line.trim();
  if (text.startsWith('{')) return ofJson(text);
  const key = decodeKey(text);
  if (key?.kind === 'tick') return key.sequence === null ? 'a key without a sequence: name it as ID TIME 0' : { index: key.index, time: key.time, sequence: key.sequence };
  const parts = text.split(/\s*,\s*|\s+/);
  return parts.length === 3 ? identity(parts[0] ?? '', parts[1] ?? '', parts[2] ?? '') : 'not a row key, nor ID TIME SEQUENCE';
}

function identity(index: string, time: string, sequence: string): TickIdentity | string {
  if (!isIndexId(index)) return `not an index id: ${JSON.stringify(index.slice(0, 40))}`;
  if (!/^\d{1,6}$/.test(sequence)) return `not a sequence of 0 to ${MAX_SEQUENCE}: ${JSON.stringify(sequence.slice(0, 40))}`;
  try {
    return { index, time: parseTime(time), sequence: Number(sequence) };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function ofJson(text: string): TickIdentity | string {
  try {
    const { index, eventMicros, sequence } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (typeof index !== 'string' || typeof eventMicros !== 'string' || typeof sequence !== 'number') return 'JSON without "index", "eventMicros" (text) and "sequence"';
    return identity(index, eventMicros, String(sequence));
  } catch {
    return 'not complete JSON';
  }
}

export interface Deletions {
  readonly identities: readonly TickIdentity[];
  readonly reader: Reader;
  readonly conditional: Conditional;
  /** Null: only looks which are there. */
  readonly writer: Writer | null;
  readonly now: () => EpochMicros;
  readonly machineMillis: () => number;
  readonly elapsed: () => number;
  readonly sleep: Sleep;
  readonly onAbsent: (identity: TickIdentity) => void;
  readonly onProgress?: (done: number) => void;
  readonly onProblem: (problem: Problem | null) => void;
  readonly signal: AbortSignal;
}

/** Ticks that were there, and are gone (or would be); and those that no row had. Done again, all are absent. */
export async function deleteTicks(job: Deletions): Promise<Result<{ readonly deleted: number; readonly absent: number }>> {
  const { reader, writer, conditional, now, signal } = job;
  const lease: Attempts['lease'] = { stands: () => true, standing: () => Promise.resolve(ok(null)) }; // a deletion makes no identity: it needs no slot
  const attempts: Attempts = { lease, elapsed: job.elapsed, sleep: job.sleep, patienceMs: PATIENCE, onProblem: job.onProblem, signal };
  const version = versionTimes(job.machineMillis);
  const unique = new Map(job.identities.map((one) => [identityText(one), one]));
  const left = unique.values();
  let [deleted, absent] = [0, 0];
  const found: { trouble: Problem | null } = { trouble: null };

  async function take(identified: TickIdentity): Promise<Result<boolean>> {
    if (writer === null) {
      const rows = await persist(() => tickRows(identified, reader), attempts);
      return rows.ok ? ok(rows.value.length > 0) : rows;
    }
    const removed = await removeTick(identified, reader, writer, version, attempts);
    if (!removed.ok) return removed;
    const repaired = await persist(() => repairLatest(reader, conditional, identified, now()), attempts);
    return repaired.ok ? removed : repaired;
  }
  async function lane(): Promise<void> {
    for (const identified of left) {
      if (found.trouble !== null || signal.aborted) return;
      const done = await take(identified);
      if (!done.ok) {
        found.trouble ??= done.error;
        return;
      }
      if (done.value) deleted += 1;
      else {
        absent += 1;
        job.onAbsent(identified);
      }
      job.onProgress?.(deleted + absent);
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane));
  if (found.trouble) return failed({ ...found.trouble, next: `${found.trouble.next}; then run it again: what is deleted stays so` });
  if (signal.aborted && deleted + absent < unique.size) return failed(problem('CANCELLED', `stopped after ${deleted + absent} of ${unique.size} ticks`, 'run it again: what is deleted stays so'));
  return ok({ deleted, absent });
}
