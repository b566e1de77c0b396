/** Prices of the past that a list's changes are measured from: an hour ago by one row per index, days from its bars, which are read seldom. */
import type { ReferenceView, Requests } from '../../shared/channels.ts';
import { inLanes } from '../../shared/lanes.ts';
import type { Bar } from '../../shared/quote.ts';
import { failed, ok, type Problem, type Result } from '../../shared/result.ts';
import { barsStarting, isIndexId, type IndexId, indexIdOf } from '../../shared/rowKey.ts';
import { sessionDateAt } from '../../shared/sessions.ts';
import { DAY, type EpochMicros, HOUR, micros, MIN_MICROS } from '../../shared/time.ts';
import { atLocalFirst, localDate } from '../../shared/zone.ts';
import { decodeBar } from '../bigtable/decode.ts';
import { gather, tickPages } from '../bigtable/pages.ts';
import type { HistoryOptions } from './history.ts';
import { oldestNeeded, type PastCloses, pastCloses } from './pastCloses.ts';

const HOUR_DEPTH = 7n * DAY;
const READS_IN_FLIGHT = 8;
/** A year of days each: some thousand rows. */
const YEARS_PER_REQUEST = 20;
const DEADLINE_MS = 10_000;
/** Days that are past change by an import or a correction only. */
const DAYS_KEPT_MS = 600_000;
/** Pages that show the same list ask at about the same time. */
const HOURS_KEPT_MS = 8_000;
const MAX_KEPT = 5_000;

interface Kept<T> {
  readonly at: number;
  readonly today: string;
  readonly value: T;
}

export function createReferences(options: HistoryOptions): (request: Requests['references']['request']) => Promise<Result<readonly ReferenceView[]>> {
  const { reader, clock, skipped } = options;
  const days = new Map<IndexId, Kept<PastCloses>>();
  const hours = new Map<IndexId, Kept<ReferenceView['hour']>>();

  const todayOf = (id: IndexId, now: EpochMicros): string => {
    const { mic, zone, delayMs } = options.info(id);
    return sessionDateAt(mic, now, delayMs) ?? localDate(zone, now);
  };
  const fresh = <T>(kept: Kept<T> | undefined, today: string, forMs: number): boolean => kept !== undefined && kept.today === today && clock.elapsed() - kept.at < forMs;

  async function readDays(ids: readonly { readonly id: IndexId; readonly today: string }[], now: EpochMicros): Promise<Problem | null> {
    for (let at = 0; at < ids.length; at += YEARS_PER_REQUEST) {
      const some = ids.slice(at, at + YEARS_PER_REQUEST);
      const ranges = some.map(({ id, today }) => {
        const from = atLocalFirst(options.info(id).zone, oldestNeeded(today), 0n) - DAY;
        return barsStarting(id, '1d', from < MIN_MICROS ? MIN_MICROS : micros(from), now);
      });
      const outcome = await reader.read({ ranges, deadlineMs: DEADLINE_MS, families: ['b', 'v'] });
      if (!outcome.ok) return outcome.error;
      const bars = new Map<string, Bar[]>(some.map(({ id }) => [id, []]));
      for (const row of outcome.rows) {
        const bar = decodeBar(row);
        if (bar.ok) bars.get(bar.value.index)?.push(bar.value);
        else skipped?.(indexIdOf(row.key.slice(0, row.key.indexOf('@'))), row.key, bar.error);
      }
      if (days.size > MAX_KEPT) days.clear();
      for (const { id, today } of some) days.set(id, { at: clock.elapsed(), today, value: pastCloses(bars.get(id) ?? [], today) });
    }
    return null;
  }

  async function readHour(id: IndexId, today: string, now: EpochMicros): Promise<Result<null>> {
    const to = now - HOUR;
    const from = to - HOUR_DEPTH;
    if (to < MIN_MICROS) return ok(null);
    const ticks = await gather(tickPages(options, { index: id, from: from < MIN_MICROS ? MIN_MICROS : micros(from), to: micros(to), limit: 1 }));
    if (!ticks.ok) return ticks;
    const [tick] = ticks.value;
    if (hours.size > MAX_KEPT) hours.clear();
    hours.set(id, { at: clock.elapsed(), today, value: tick ? { price: tick.price, eventMicros: String(tick.time) } : null });
    return ok(null);
  }

  return async ({ indices }) => {
    const now = clock.now();
    const asked = [...new Set(indices)].filter(isIndexId).map((id) => ({ id, today: todayOf(id, now) }));
    // A replay's hour goes by faster.
    const hoursFor = HOURS_KEPT_MS / Math.max(1, clock.speed());
    const trouble = await readDays(asked.filter(({ id, today }) => !fresh(days.get(id), today, DAYS_KEPT_MS)), now);
    if (trouble) return failed(trouble);
    const read = await inLanes(asked.filter(({ id, today }) => !fresh(hours.get(id), today, hoursFor)), READS_IN_FLIGHT, ({ id, today }) => readHour(id, today, now));
    if (!read.ok) return read;
    return ok(asked.map(({ id }) => ({ index: id, hour: hours.get(id)?.value ?? null, ...(days.get(id)?.value ?? { week: null, month: null, year: null, range: null }) })));
  };
}
