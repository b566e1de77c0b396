/** A file's wall clock times to instants, line after line: which of two 01:00 is meant, and which 02:30 never was. */
import { dayNumber, atLocal } from '../../shared/zone.ts';
import { DAY, type EpochMicros } from '../../shared/time.ts';

/** `ofDay`: microseconds past local midnight, 0..24 h. Gives the instant or the reason why there is none. */
export type LocalTimes = (date: string, ofDay: bigint) => { readonly time: EpochMicros } | { readonly reason: string };

/** A reader of one file in time order. Where clocks went back, a time at or behind the line before is the second pass. */
export function localTimes(zone: string): LocalTimes {
  let latest: { local: bigint; second: boolean } | null = null;
  return (date, ofDay) => {
    if (ofDay < 0n || ofDay > DAY) return { reason: 'no such time of day' };
    const local = dayNumber(date) * DAY + ofDay;
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
