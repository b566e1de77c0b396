/** Clocks of the exchanges on the list: the chosen one's always, others as room allows. */
import { dayNumber, localDate } from '../../shared/zone.ts';
import { cityOf } from '../state/places.ts';
import { showClock } from '../state/shown.ts';
import { useCell, useInfo, usePage, usePulse } from '../store/hooks.ts';

/** Order of the clocks that desks look at; others follow by name. */
const FIRST = ['New York', 'London', 'Frankfurt', 'Tokyo', 'Hong Kong', 'Mumbai'];
const MAX = 6;

function CityClock({ city, zone, homeZone, chosen }: { readonly city: string; readonly zone: string; readonly homeZone: string; readonly chosen: boolean }) {
  const time = usePulse(({ now }) => (now === undefined ? '--:--:--' : showClock(zone, now)));
  const days = usePulse(({ now }) => (now === undefined ? 0 : Number(dayNumber(localDate(zone, now)) - dayNumber(localDate(homeZone, now)))));
  return <span className="clock" data-chosen={chosen || undefined}>{city} <time>{time}</time>{days === 0 ? null : ` ${days > 0 ? '+' : '−'}${Math.abs(days)}`}</span>;
}

export function Clocks({ selected }: { readonly selected: string | null }) {
  const indices = useCell(usePage().desk.indices) ?? [];
  const own = useInfo(selected ?? '');
  const cities = new Map(indices.filter(({ mic }) => mic !== null).map(({ mic, zone }) => [cityOf(mic, zone), zone]));
  // What trades by no calendar shows the clock of its zone: under the name of an exchange there, where one is listed.
  const sameZone = own?.mic === null ? [...cities].find(([, zone]) => zone === own.zone)?.[0] : undefined;
  const ownCity = own ? (sameZone ?? cityOf(own.mic, own.zone)) : null;
  const rank = (city: string): number => (FIRST.includes(city) ? FIRST.indexOf(city) : FIRST.length);
  const shown = [...cities].toSorted(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1)).slice(0, MAX);
  if (own && ownCity !== null && !shown.some(([city]) => city === ownCity)) shown.splice(MAX - 1, 1, [ownCity, own.zone]);
  return (
    <span className="clocks" role="group" aria-label="Exchange clocks">
      {shown.map(([city, zone]) => <CityClock key={city} city={city} zone={zone} homeZone={own?.zone ?? 'UTC'} chosen={city === ownCity} />)}
    </span>
  );
}
