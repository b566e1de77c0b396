/** What users say about a vendor's file, as `ingest` and `replay` take it. */
import { failed, ok, problem, type Result } from '../../shared/result.ts';
import { isIndexId, type Resolution, RESOLUTIONS } from '../../shared/rowKey.ts';
import { isZone } from '../../shared/zone.ts';
import type { Parsed } from '../config/options.ts';
import type { ImportOptions } from '../ingest/import/plan.ts';
import { isDate } from '../ingest/moveDays.ts';

const text = { type: 'string' } as const;
export const IMPORT_OPTIONS = { index: text, format: text, zone: text, period: text, 'date-order': text, decimal: text, stamp: text, day: text, outside: text } as const;
export const IMPORT_USAGE = '[--index ID] [--format auto|NAME] [--zone ZONE] [--period 1s|1m|5m|1h|1d] [--date-order dmy|mdy|ymd] [--decimal point|comma] [--stamp start|end] [--day DATE] [--outside reject|keep]';

export function importOptions(values: Parsed['values']): Result<ImportOptions> {
  const option = (name: string): string | null => (typeof values[name] === 'string' ? values[name] : null);
  const bad = (name: string, next: string): Result<never> => failed(problem('BAD_INPUT', `--${name} ${JSON.stringify((option(name) ?? '').slice(0, 60))} is not one`, next));
  const oneOf = <T extends string>(name: string, allowed: readonly T[]): T | null | undefined => {
    const given = option(name);
    return given === null ? null : allowed.find((word) => word === given);
  };
  const index = option('index');
  if (index !== null && !isIndexId(index)) return bad('index', 'use 1 to 24 of A-Z 0-9 ^ . _ -');
  const zone = zoneOf(option('zone'));
  if (zone === undefined) return bad('zone', 'give an IANA name such as America/New_York, or UTC-05:00');
  const period = oneOf<Resolution>('period', RESOLUTIONS);
  if (period === undefined) return bad('period', `give one of ${RESOLUTIONS.join(', ')}`);
  const order = oneOf('date-order', ['dmy', 'mdy', 'ymd'] as const);
  if (order === undefined) return bad('date-order', 'give dmy, mdy or ymd');
  const decimal = oneOf('decimal', ['point', 'comma'] as const);
  if (decimal === undefined) return bad('decimal', 'give point or comma');
  const stamp = oneOf('stamp', ['start', 'end'] as const);
  if (stamp === undefined) return bad('stamp', 'give start or end');
  const outside = oneOf('outside', ['reject', 'keep'] as const);
  if (outside === undefined) return bad('outside', 'give reject or keep: what becomes of bars whose open or close is outside low..high');
  const day = option('day');
  if (day !== null && !isDate(day)) return bad('day', 'write YYYY-MM-DD');
  return ok({ format: option('format') ?? 'auto', index, zone, period, order, decimal, stamp: stamp ?? 'start', day, outside: outside ?? 'reject' });
}

/** Undefined for an unknown zone. Intl writes fixed offsets without the letters UTC. */
function zoneOf(given: string | null): string | null | undefined {
  if (given === null) return null;
  const zone = /^(?:UTC|GMT)[+-]\d\d:\d\d$/.test(given) ? given.slice(3) : given;
  return isZone(zone) ? zone : undefined;
}
