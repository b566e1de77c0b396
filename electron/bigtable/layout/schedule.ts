/**
 * How many shards an index has at which event time, and which of them an event lies in.
 *
 * A schedule is the text of `m:shards` in the index's registry row: `MICROS:N` by rising time, one blank between: from that event time on,
 * N shards. Before the first, and where N is 1, keys are `ID#RTS#SEQ`; else `ID~KK#RTS#SEQ`, where KK is the first four bytes of
 * SHA-256 over the text `ID#RTS#SEQ`, big-endian, modulo N. Other writers of such a table compute the same (test vectors:
 * test/unit/bigtable/layout/schedule.test.ts).
 */
import { hash } from 'node:crypto';
import { type EpochMicros, micros } from '../../../shared/time.ts';

export const MAX_SHARDS = 100;
/** Changes of one index, for ever: its row is read by every desk twice a minute. */
export const MAX_CHANGES = 64;

export interface ShardChange {
  /** Event time from which it holds. */
  readonly from: EpochMicros;
  readonly shards: number;
}

/** By rising time; empty: never sharded. */
export type Schedule = readonly ShardChange[];

/** Undefined for any other text. */
export function parseSchedule(text: string): Schedule | undefined {
  if (text === '') return [];
  const words = text.split(' ');
  if (words.length > MAX_CHANGES) return undefined;
  const schedule: ShardChange[] = [];
  for (const word of words) {
    const [, from = '', shards = ''] = /^(-?\d{1,18}):(\d{1,3})$/.exec(word) ?? [];
    const count = Number(shards);
    if (from === '' || count < 1 || count > MAX_SHARDS) return undefined;
    try {
      schedule.push({ from: micros(BigInt(from)), shards: count });
    } catch {
      return undefined; // outside years 1..9999
    }
  }
  return schedule.every(({ from }, at) => at === 0 || from > (schedule[at - 1]?.from ?? from)) ? schedule : undefined;
}

export const formatSchedule = (schedule: Schedule): string => schedule.map(({ from, shards }) => `${from}:${shards}`).join(' ');

export const shardsAt = (schedule: Schedule, time: bigint): number => schedule.findLast(({ from }) => from <= time)?.shards ?? 1;

/** The shard of an event. `key` is its canonical key, sequence included. */
export const shardOf = (key: string, shards: number): number => Number.parseInt(hash('sha256', key, 'hex').slice(0, 8), 16) % shards;

export const shardPrefix = (id: string, shard: number): string => `${id}~${String(shard).padStart(2, '0')}#`;
