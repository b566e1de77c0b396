/** Instants as text in the exchange's zone: axis labels and the cursor's exact time. Instants are milliseconds or exact microseconds. */
import { DAY, type EpochMicros, floorDiv, floorMod, fromMillis } from '../../shared/time.ts';
import { localDate, offsetAt, timeOfDay } from '../../shared/zone.ts';

const pad = (value: number | bigint, width = 2): string => String(value).padStart(width, '0');
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** `HH:mm`, or `HH:mm:ss` with seconds. */
export function clockLabel(zone: string, time: number, seconds = false): string {
  const second = Number(timeOfDay(zone, fromMillis(time)) / 1_000_000n);
  const minutes = `${pad(Math.floor(second / 3600))}:${pad(Math.floor(second / 60) % 60)}`;
  return seconds ? `${minutes}:${pad(second % 60)}` : minutes;
}

/** `Mon`. */
export function weekdayLabel(zone: string, time: EpochMicros): string {
  const day = floorDiv(time + offsetAt(zone, time), DAY);
  return WEEKDAYS[Number(floorMod(day + 4n, 7n))] ?? ''; // 1970-01-01 was a Thursday
}

/** `Mon, Nov 30`, as the page writes dates. */
export function dateLabel(zone: string, time: EpochMicros): string {
  const { month, day } = dateParts(zone, time);
  return `${weekdayLabel(zone, time)}, ${MONTHS[month - 1] ?? ''} ${day}`;
}

export function dateParts(zone: string, time: EpochMicros): { readonly year: number; readonly month: number; readonly day: number } {
  const [year = 1970, month = 1, day = 1] = localDate(zone, time).split('-').map(Number);
  return { year, month, day };
}

export const monthLabel = (month: number): string => MONTHS[month - 1] ?? '';

/** `Mon, Nov 30, 2026`. */
export const fullDateLabel = (zone: string, time: EpochMicros): string => `${dateLabel(zone, time)}, ${dateParts(zone, time).year}`;

/** `Mon, Nov 30 11:12:06`. */
export const momentLabel = (zone: string, time: number): string => `${dateLabel(zone, fromMillis(time))} ${clockLabel(zone, time, true)}`;

/** `+01:00`, `−05:00`, `UTC` for none. */
export function offsetLabel(zone: string, time: EpochMicros): string {
  const minutes = Number(offsetAt(zone, time) / 60_000_000n);
  if (minutes === 0) return 'UTC';
  return `${minutes < 0 ? '−' : '+'}${pad(Math.floor(Math.abs(minutes) / 60))}:${pad(Math.abs(minutes) % 60)}`;
}

/** Exact wall time: milliseconds always, microseconds where the producer gave any: `11:12:06.612`, `11:12:06.612345`. */
export function exactClockLabel(zone: string, time: EpochMicros): string {
  const ofDay = timeOfDay(zone, time);
  const second = ofDay / 1_000_000n;
  const micros = ofDay % 1_000_000n;
  const fraction = micros % 1000n === 0n ? pad(micros / 1000n, 3) : pad(micros, 6);
  return `${pad(second / 3600n)}:${pad((second / 60n) % 60n)}:${pad(second % 60n)}.${fraction}`;
}

/** A length of time as people say it: `45 s`, `12 min`, `3 h 05 min`, `2 d 4 h`. Milliseconds. */
export function lengthLabel(length: number): string {
  const seconds = Math.floor(length / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return minutes < 3 && seconds % 60 > 0 ? `${minutes} min ${seconds % 60} s` : `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${pad(minutes % 60)} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
