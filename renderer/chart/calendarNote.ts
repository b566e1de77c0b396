/** What a reader must know of the sessions in view: where the calendar knows none, and where it only goes by rule. Pure. */
import { fromMillis } from '../../shared/time.ts';
import { fullDateLabel } from './timeLabels.ts';
import type { Timeline } from './timeline.ts';

/** Null where all sessions in [from, to] are firm, and on an axis without sessions. */
export function calendarNote({ stretches }: Timeline, from: number, to: number, zone: string): string | null {
  const first = stretches[0];
  if (!first) return null;
  const notes: string[] = [];
  const date = (time: number): string => fullDateLabel(zone, fromMillis(time));
  if (first.date === '' && first.close > from) notes.push(`sessions before ${date(first.close)} are not known: plain time there`);
  const last = stretches.at(-1);
  if (last?.date === 'after' && last.open < to) notes.push(`sessions after ${date(last.open)} are not known: plain time there`);
  const projected = stretches.filter((stretch) => stretch.projected === true && stretch.close > from && stretch.open < to);
  const [begin] = projected;
  if (begin) notes.push(`sessions ${projected.length === 1 ? 'on' : 'from'} ${date(begin.open)} ${projected.length === 1 ? 'is' : 'on are'} by rule, not as published`.replace('sessions on', 'the session on'));
  return notes.length === 0 ? null : notes.join('; ');
}
