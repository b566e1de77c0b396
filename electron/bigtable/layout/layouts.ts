/**
 * Where the rows of each index lie, as the registry says: shards by event time (`m:shards`, see schedule.ts) and former names (`m:formerly`
 * = `OLD MICROS`: events before that time are under OLD, those from it on under the index's own id).
 */
import { type IndexId, isIndexId, type KeyRange, RESOLUTIONS, reverseTime } from '../../../shared/rowKey.ts';
import { type EpochMicros, micros } from '../../../shared/time.ts';
import type { Row } from '../reader.ts';
import { MAX_SHARDS, parseSchedule, type Schedule } from './schedule.ts';

export interface Formerly {
  readonly id: IndexId;
  /** First event time under the new name. */
  readonly until: EpochMicros;
}

export interface IndexLayout {
  readonly id: IndexId;
  /** Null: the row's text is no schedule, so that events can lie in any shard and nothing may be written. */
  readonly schedule: Schedule | null;
  readonly formerly: Formerly | null;
  /** The schedule as keys have it, for every row that is written: from this border on, after `ID#`, keys are of an earlier time. By rising time. */
  readonly eras: readonly { readonly border: string; readonly shards: number }[];
  /** The same of the former name's time; empty where there is none. */
  readonly formerBorder: string;
}

/** Canonical keys whose rows may lie elsewhere. */
export interface Zone {
  readonly range: KeyRange;
  /** Of ticks `ID#`, of bars `ID@RES#`; null: the shards' own rows, which a canonical reader meets under `ID#` alone. */
  readonly prefix: string | null;
  readonly id: IndexId;
}

export interface Layouts {
  readonly byId: ReadonlyMap<IndexId, IndexLayout>;
  /** Old names: their rows before that time are another index's. */
  readonly left: ReadonlyMap<IndexId, EpochMicros>;
  /** Sorted, disjoint; empty for most tables. */
  readonly zones: readonly Zone[];
}

export const NO_LAYOUTS: Layouts = { byId: new Map(), left: new Map(), zones: [] };

/** Pure: all that the registry's rows say; indices that are where their keys say are left out. */
export function layoutsOf(rows: readonly Row[]): Layouts {
  const byId = new Map<IndexId, IndexLayout>();
  const left = new Map<IndexId, EpochMicros>();
  for (const row of rows) {
    const id = row.key.slice('!index#'.length);
    if (!isIndexId(id)) continue;
    const [shards, formerly] = [textOf(row, 'shards'), formerlyOf(row)];
    if (shards === '' && formerly === null) continue;
    const schedule = parseSchedule(shards) ?? null;
    const eras = (schedule ?? []).map((change) => ({ border: borderKey('', change.from), shards: change.shards }));
    byId.set(id, { id, schedule, formerly, eras, formerBorder: formerly === null ? '' : borderKey('', formerly.until) });
    if (formerly !== null) left.set(formerly.id, formerly.until);
  }
  if (byId.size === 0) return NO_LAYOUTS;
  const zones = [...new Set([...byId.keys(), ...left.keys()])].flatMap((id) => zonesOf(id, byId.get(id), left.has(id)));
  return { byId, left, zones: zones.sort((a, b) => (a.range.start < b.range.start ? -1 : 1)) };
}

/** What the row says of a former name; null: nothing, or nothing that can be meant. */
export function formerlyOf(row: Row): Formerly | null {
  const [, id = '', until = ''] = /^(\S{1,24}) (-?\d{1,18})$/.exec(textOf(row, 'formerly')) ?? [];
  if (!isIndexId(id) || row.key === `!index#${id}`) return null;
  try {
    return { id, until: micros(BigInt(until)) };
  } catch {
    return null;
  }
}

/** Number of shards that any event of the schedule can lie in. */
export const mostShards = (schedule: Schedule | null): number => (schedule === null ? MAX_SHARDS : Math.max(1, ...schedule.map(({ shards }) => shards)));

/** Keys with a time at or after `time` sort before it, all others not. `prefix` as in Zone. */
export const borderKey = (prefix: string, time: EpochMicros): string => `${prefix}${reverseTime(time)}$`;

const textOf = (row: Row, qualifier: string): string => row.cells.get(`m:${qualifier}`)?.value.toString('latin1') ?? '';

function zonesOf(id: IndexId, layout: IndexLayout | undefined, renamed: boolean): Zone[] {
  const zones: Zone[] = [{ range: prefixed(`${id}#`), prefix: `${id}#`, id }];
  if (renamed || (layout && layout.formerly !== null)) {
    for (const resolution of RESOLUTIONS) zones.push({ range: prefixed(`${id}@${resolution}#`), prefix: `${id}@${resolution}#`, id });
  }
  if (layout && mostShards(layout.schedule) > 1) zones.push({ range: prefixed(`${id}~`), prefix: null, id });
  return zones;
}

/** All keys that start with `prefix`, ASCII. */
export const prefixed = (prefix: string): KeyRange => ({ start: prefix, end: prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1) });
