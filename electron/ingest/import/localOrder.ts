/** A file's wall clocks to instants, with the file's own order to tell the two passes of a repeated hour apart. */
import { DAY, type EpochMicros, micros } from '../../../shared/time.ts';
import { atLocal, dayNumber, offsetAt } from '../../../shared/zone.ts';

export type Resolved = { readonly time: EpochMicros; readonly twice: boolean } | { readonly reason: string };

/**
 * A reader of one index's lines in file order. `descending`: newest first. `ties`: two lines of the same local time are the
 * two passes (bars, one per start); without it they are two events of one instant (ticks).
 */
export function localOrder(zone: string, descending: boolean, ties: boolean): (date: string, ofDay: bigint) => Resolved {
  let latest: { local: bigint; second: boolean } | null = null;
  let day: { date: string; midnight: bigint; offset: bigint | null } | null = null;
  const turned = (local: bigint, before: bigint): boolean => (local === before ? ties : descending ? local > before : local < before);
  return (date, ofDay) => {
    if (day?.date !== date) day = { date, ...steadyDay(zone, date) };
    const local = day.midnight + ofDay;
    try {
      if (day.offset !== null) {
        latest = { local, second: descending };
        return { time: micros(local - day.offset), twice: false };
      }
      const found = atLocal(zone, date, ofDay);
      if (found.kind === 'none') {
        const minutes = Number(ofDay / 60_000_000n);
        return { reason: `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')} does not exist in ${zone} on ${date}` };
      }
      if (found.kind === 'one') {
        latest = { local, second: descending };
        return { time: found.time, twice: false };
      }
      // upwards the first pass comes first; once its times have started again it stays the second, and the other way round
      let second: boolean = descending;
      if (latest !== null && distance(local, latest.local) < DAY && (latest.second !== descending || turned(local, latest.local))) second = !descending;
      latest = { local, second };
      return { time: second ? found.second : found.first, twice: true };
    } catch {
      return { reason: 'outside the years 1 to 9999' };
    }
  };
}

const distance = (a: bigint, b: bigint): bigint => (a > b ? a - b : b - a);

/** Nearly every day keeps one offset, and then a line costs a subtraction. `offset` null: clocks change within a day of it. */
function steadyDay(zone: string, date: string): { midnight: bigint; offset: bigint | null } {
  const midnight = dayNumber(date) * DAY;
  const [before, after] = [offsetAt(zone, midnight - DAY), offsetAt(zone, midnight + 2n * DAY)];
  return { midnight, offset: before === after ? before : null };
}
