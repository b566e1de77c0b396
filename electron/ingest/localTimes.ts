/** A file's wall clock times to instants, line after line: which of two 01:00 is meant, and which 02:30 never was. */
import { DAY, type EpochMicros, micros } from '../../shared/time.ts';
import { atLocal, dayNumber, offsetAt } from '../../shared/zone.ts';

/** `ofDay`: microseconds past local midnight, 0..24 h. Gives the instant or the reason why there is none. */
export type LocalTimes = (date: string, ofDay: bigint) => { readonly time: EpochMicros } | { readonly reason: string };

/** A reader of one file in time order. Where clocks went back, a time at or behind the line before is the second pass. */
export function localTimes(zone: string): LocalTimes {
  let latest: { local: bigint; second: boolean } | null = null;
  let day: { date: string; midnight: bigint; offset: bigint | null } | null = null;
  return (date, ofDay) => {
    if (ofDay < 0n || ofDay > DAY) return { reason: 'no such time of day' };
    if (day?.date !== date) day = { date, ...steadyDay(zone, date) };
    const local = day.midnight + ofDay;
    if (day.offset !== null) {
      latest = { local, second: false };
      return { time: micros(local - day.offset) };
    }
    const found = atLocal(zone, date, ofDay);
    if (found.kind === 'none') return { reason: `this local time does not exist in ${zone} on ${date}` };
    if (found.kind === 'one') {
      latest = { local, second: false };
      return { time: found.time };
    }
    const second: boolean = latest !== null && local - latest.local < DAY && (latest.second || local <= latest.local);
    latest = { local, second };
    return { time: second ? found.second : found.first };
  };
}

/** Nearly every day keeps one offset, and then a line costs a subtraction. `offset` null: clocks change within a day of it. */
function steadyDay(zone: string, date: string): { midnight: bigint; offset: bigint | null } {
  const midnight = dayNumber(date) * DAY;
  const [before, after] = [offsetAt(zone, micros(midnight - DAY)), offsetAt(zone, micros(midnight + 2n * DAY))];
  return { midnight, offset: before === after ? before : null };
}
