/** Instants as a date-time field writes them, on the clock of a zone. Pure. */
import { fromMillis, toMillis } from '../../shared/time.ts';
import { atLocalFirst, localDate, timeOfDay } from '../../shared/zone.ts';

const pad = (value: number): string => String(value).padStart(2, '0');

/** `2024-07-29T09:30` of an instant, milliseconds. */
export function localText(zone: string, time: number): string {
  const micros = fromMillis(time);
  const minutes = Number(timeOfDay(zone, micros) / 60_000_000n);
  return `${localDate(zone, micros)}T${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

/** The instant of such text, milliseconds: the first pass of a repeated hour, the jump's end for a skipped one. Null where it is none. */
export function localInstant(zone: string, text: string): number | null {
  const [, date, hour, minute] = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?$/.exec(text) ?? [];
  if (date === undefined || Number(hour) > 23 || Number(minute) > 59) return null;
  try {
    return toMillis(atLocalFirst(zone, date, BigInt(Number(hour) * 60 + Number(minute)) * 60_000_000n));
  } catch {
    return null; // no such date
  }
}
