/** What the transport bar reckons with: its span, speeds, and instants in words. Pure. */
import type { ClockView, StoredRange } from '../../shared/channels.ts';
import { DAY, type EpochMicros, micros, parseMicros } from '../../shared/time.ts';
import { atLocalFirst, localDate, timeOfDay } from '../../shared/zone.ts';

/** Where nobody writes as the clock goes; a demo takes the first seven. */
export const SPEEDS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600] as const;
const DEMO_FASTEST = 60;

export const SCOPES = ['day', 'week', 'all'] as const;
export type Scope = (typeof SCOPES)[number];

export interface Span {
  readonly from: EpochMicros;
  readonly to: EpochMicros;
}

/** The speeds to choose from, the one that runs among them. */
export function speedsOf(beat: ClockView): readonly number[] {
  const speeds: number[] = SPEEDS.filter((speed) => beat.live !== undefined || beat.kind !== 'replay' || speed <= DEMO_FASTEST);
  const chosen = beat.chosenSpeed ?? beat.speed;
  return chosen <= 0 || speeds.includes(chosen) ? speeds : [...speeds, chosen].toSorted((a, b) => a - b);
}

/** What the scrubber spans around `now`: the date in the zone, the seven days to its end, or all that is stored; never beyond `live`. */
export function spanOf(scope: Scope, now: EpochMicros, live: EpochMicros, zone: string, stored: StoredRange | null): Span {
  const first = atLocalFirst(zone, localDate(zone, now), 0n);
  const end = micros(first + DAY);
  let [from, to] = [scope === 'week' ? micros(first - 6n * DAY) : first, end];
  if (scope === 'all' && stored !== null) [from, to] = [parseMicros(stored.fromMicros), parseMicros(stored.toMicros)];
  if (now < from) from = now;
  if (now > to) to = now;
  if (to > live) to = live > from ? live : micros(from + 1n);
  return { from, to };
}

/** Whole seconds from the start of the span, as a slider counts. */
export const secondsIn = (span: Span, time: EpochMicros): number => Math.round(Number(time - span.from) / 1e6);
export const lengthOf = (span: Span): number => Math.max(1, Math.ceil(Number(span.to - span.from) / 1e6));
export const instantIn = (span: Span, seconds: number): EpochMicros => {
  const time = span.from + BigInt(Math.round(seconds)) * 1_000_000n;
  return micros(time > span.to ? span.to : time);
};

const pad = (value: bigint): string => String(value).padStart(2, '0');

/** `2019-11-06T10:59:14` on the clock of a zone, as a date-time field writes it. */
export function fieldText(zone: string, time: EpochMicros): string {
  const seconds = timeOfDay(zone, time) / 1_000_000n;
  return `${localDate(zone, time)}T${pad(seconds / 3600n)}:${pad((seconds / 60n) % 60n)}:${pad(seconds % 60n)}`;
}

/** The instant of such text: the first pass of a repeated hour, the jump's end for a skipped one. Null where it is none. */
export function fieldInstant(zone: string, text: string): EpochMicros | null {
  const [, date, hour, minute, second = '0'] = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?$/.exec(text) ?? [];
  if (date === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  try {
    return atLocalFirst(zone, date, BigInt((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1_000_000n);
  } catch {
    return null; // no such date
  }
}
