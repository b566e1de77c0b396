/** The calendar's source tables, read plainly: what the compact data must decode to, and a slow second reading of their rules. */
import { readFileSync } from 'node:fs';

const folder = `${import.meta.dirname}/../../../fixtures/calendar`;
const text = (name: string): string => readFileSync(`${folder}/${name}`, 'utf8');
const rows = (name: string): string[][] => text(name).trimEnd().split('\n').slice(1).map((line) => line.split(','));

export interface SessionsEntry {
  tz: string;
  range: [string, string];
  regular: { from: string; sessions: [string, string][] }[];
  weekend?: string[];
  note?: string;
}

const { _meta: _, ...entries } = JSON.parse(text('sessions.json')) as Record<string, SessionsEntry>;
export const sessions: ReadonlyMap<string, SessionsEntry> = new Map(Object.entries(entries));
export const holidays = rows('holidays.csv').map(([mic, date, name]) => ({ mic: mic!, date: date!, name: name! }));
export const specials = rows('special.csv').map(([mic, date, open, close, kind]) => ({ mic: mic!, date: date!, open: open!, close: close!, kind: kind! }));
export const indices = rows('indices.csv').map(([id, name, , , , , mic, zone, , currency, decimals]) => ({ id: id!, name: name!, mic: mic!, zone: zone!, currency: currency!, decimals: Number(decimals) }));

const closedDays = new Set(holidays.map(({ mic, date }) => `${mic} ${date}`));

/** Local `HH:MM` windows of a covered date; null where a session takes place at unverified times. */
export function windowsByTable(mic: string, date: string): [string, string][] | null {
  const { regular, weekend = [] } = sessions.get(mic)!;
  const here = specials.filter((row) => row.mic === mic && row.date === date);
  const replacing = here.filter(({ kind }) => ['shifted', 'special_session', 'muhurat'].includes(kind));
  if (replacing.length > 0) return replacing.some(({ open }) => open === '') ? null : replacing.map(({ open, close }) => [open, close]);
  const weekday = new Date(`${date}T12:00:00Z`).getUTCDay();
  if (((weekday === 0 || weekday === 6) && !weekend.includes(date)) || closedDays.has(`${mic} ${date}`)) return [];
  let windows = regular.filter(({ from }) => from <= date).at(-1)!.sessions;
  for (const { kind, open, close } of here) {
    if (kind === 'early_close') windows = windows.filter(([start]) => start < close).map(([start, end]) => [start, end < close ? end : close]);
    if (kind === 'late_open') windows = windows.filter(([, end]) => end > open).map(([start, end]) => [start > open ? start : open, end]);
  }
  return windows;
}
