/** What a reader must know of the sessions in view: where the calendar knows none, where it only goes by rule, and where the user's word counts. Pure. */
import { fromMillis } from '../../shared/time.ts';
import { fullDate, fullDateLabel } from './timeLabels.ts';
import { type Timeline, UNKNOWN } from './timeline.ts';

const MOST_NAMED = 3;

/** Null where all sessions in [from, to] are firm and the calendar's own, and on an axis without sessions. */
export function calendarNote({ stretches }: Timeline, from: number, to: number, zone: string): string | null {
  const first = stretches[0];
  if (!first) return null;
  const notes: string[] = [];
  const date = (time: number): string => fullDateLabel(zone, fromMillis(time));
  if (first.date === '' && first.close > from) notes.push(`sessions before ${date(first.close)} are not known: plain time there`);
  const last = stretches.at(-1);
  if (last?.date === 'after' && last.open < to) notes.push(`sessions after ${date(last.open)} are not known: plain time there`);
  for (const { date: named, open, close } of stretches) {
    if (named === UNKNOWN && close > from && open < to) notes.push(`sessions between ${date(open)} and ${date(close)} are not known: plain time there`);
  }
  const projected = stretches.filter((stretch) => stretch.projected === true && stretch.close > from && stretch.open < to);
  const [begin] = projected;
  if (begin) notes.push(`sessions ${projected.length === 1 ? 'on' : 'from'} ${date(begin.open)} ${projected.length === 1 ? 'is' : 'on are'} by rule, not as published`.replace('sessions on', 'the session on'));
  const next = stretches.find((stretch) => stretch.open >= to);
  const own = [...new Set([
    ...stretches.flatMap((stretch) => (stretch.close > from && stretch.open < to ? (stretch.own ?? []) : [])),
    ...(next?.own ?? []).filter((closed) => closed !== next?.date), // the view ends where they begin
  ])];
  if (own.length > 0) notes.push(`your ${own.length === 1 ? 'date' : 'dates'}: ${own.slice(0, MOST_NAMED).map(fullDate).join('; ')}${own.length > MOST_NAMED ? ` and ${own.length - MOST_NAMED} more` : ''}`);
  return notes.length === 0 ? null : notes.join('; ');
}
