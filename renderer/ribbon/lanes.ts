/** The ribbon's day as rows: exchanges with the same hours share boxes and a name, and no name runs into anything. */
import { type EpochMicros, floorDiv, HOUR, micros } from '../../shared/time.ts';
import type { Sessions } from '../store/sessionBook.ts';

/** Hours shown behind now; the rest of the 24 lies ahead. */
const BEHIND_HOURS = 9n;
/** Rows at most; what finds no room in them lies over others, without a name. */
export const MAX_ROWS = 5;
/** Boxes of a group further apart than this carry the name again: 3 hours, more than any lunch. */
const ANOTHER_DAY = (3 / 24) * 100;

export interface RibbonSpan {
  readonly from: EpochMicros;
  readonly to: EpochMicros;
}
/** 24 hours in whole steps of an hour, so that the picture stands still while the line moves. */
export function ribbonSpan(now: EpochMicros): RibbonSpan {
  const from = (floorDiv(now, HOUR) - BEHIND_HOURS) * HOUR;
  return { from: micros(from), to: micros(from + 24n * HOUR) };
}

export interface Exchange {
  readonly mic: string;
  readonly city: string;
}

/** One stretch of trading; percent of the span, for pixels. */
export interface Box {
  readonly open: EpochMicros;
  readonly close: EpochMicros;
  readonly left: number;
  readonly width: number;
}

/** Exchanges with the same boxes. */
export interface Group {
  readonly key: string;
  readonly mics: readonly string[];
  readonly cities: readonly string[];
  /** `early close`, `late open`, ...: what is special about these hours. */
  readonly notes: readonly string[];
  /** Earliest first. Two of one day with a gap between them are a lunch break. */
  readonly boxes: readonly Box[];
}

export interface Name {
  readonly text: string;
  readonly left: number;
}

export interface Placed extends Group {
  readonly row: number;
  /** One that always has room, and those of other days that fit into their boxes; none where no row was free. */
  readonly names: readonly Name[];
}

export const percentAt = (span: RibbonSpan, time: bigint): number => (Number(time - span.from) / Number(span.to - span.from)) * 100;

export function groups(exchanges: readonly Exchange[], sessions: Sessions, span: RibbonSpan): readonly Group[] {
  const found = new Map<string, { mics: string[]; cities: string[]; notes: Set<string>; boxes: readonly Box[] }>();
  for (const { mic, city } of exchanges) {
    const windows = (sessions.get(mic) ?? []).filter(({ open, close }) => close > span.from && open < span.to);
    if (windows.length === 0) continue;
    const key = windows.map(({ open, close }) => `${open} ${close}`).join(' ');
    const boxes = windows.map(({ open, close }) => {
      const left = Math.max(0, percentAt(span, open));
      return { open, close, left, width: Math.min(100, percentAt(span, close)) - left };
    });
    const group = found.get(key) ?? { mics: [], cities: [], notes: new Set(), boxes };
    group.mics.push(mic);
    if (!group.cities.includes(city)) group.cities.push(city);
    for (const { note } of windows) if (note !== null) group.notes.add(note);
    found.set(key, group);
  }
  return [...found].map(([key, { mics, cities, notes, boxes }]) => ({ key, mics, cities, notes: [...notes], boxes: boxes.toSorted((a, b) => a.left - b.left) }));
}

const widthOf = (text: string, charPercent: number): number => (text.length + 1.5) * charPercent;

/** The longest name that fits `room` percent; the city alone where nothing does. */
function nameOf({ cities, notes }: Group, room: number, charPercent: number): string {
  const [first = '', ...others] = cities;
  const note = notes.length === 0 ? '' : ` (${notes.join(', ')})`;
  const rest = [...others.keys()].toReversed().map((kept) => (kept === 0 ? `${first} +${others.length}` : `${[first, ...others.slice(0, kept)].join(', ')} +${others.length - kept}`));
  const choices = [cities.join(', '), ...rest, first].map((choice) => choice + note);
  return choices.find((choice) => widthOf(choice, charPercent) <= room) ?? first + note;
}

/** Groups in rows, the earliest first; a name takes room of its own, so that it is read in full wherever it stands. */
export function place(all: readonly Group[], charPercent: number): readonly Placed[] {
  const taken: [from: number, to: number][][] = [];
  const free = (row: number, spans: readonly (readonly [number, number])[]): boolean => !(taken[row] ?? []).some(([from, to]) => spans.some((span) => span[0] < to && from < span[1]));
  const starts = (group: Group): number => group.boxes[0]?.left ?? 0;
  return all.toSorted((a, b) => starts(a) - starts(b) || (a.key < b.key ? -1 : 1)).map((group) => {
    const full = widthOf(nameOf(group, 100, charPercent), charPercent);
    const named = group.boxes.find((box) => box.width >= full) ?? group.boxes.reduce<Box | undefined>((best, box) => (best && box.width <= best.width + 0.01 ? best : box), undefined);
    const text = nameOf(group, named?.width ?? 0, charPercent);
    const width = widthOf(text, charPercent);
    const main = { text, left: Math.max(0, Math.min(named?.left ?? 0, 100 - width)) };
    const spans = group.boxes.map((box): [number, number] => [box.left, box.left + box.width]);
    const withName: [number, number][] = [...spans, [main.left, main.left + width]];
    const rows = Array.from({ length: MAX_ROWS }, (_, row) => row);
    const row = rows.find((at) => free(at, withName));
    const at = row ?? rows.find((bare) => free(bare, spans)) ?? MAX_ROWS - 1;
    taken[at] = [...(taken[at] ?? []), ...(row === undefined ? spans : withName)];
    return { ...group, row: at, names: row === undefined ? [] : [main, ...otherDays(group, named, charPercent)] };
  });
}

/** Boxes without a long pause between them. */
function daysOf(boxes: readonly Box[]): Box[][] {
  const days: Box[][] = [];
  for (const box of boxes) {
    const before = days.at(-1)?.at(-1);
    if (before && box.left - (before.left + before.width) < ANOTHER_DAY) days.at(-1)?.push(box);
    else days.push([box]);
  }
  return days;
}

/** Names for the days other than `named`'s: at the first box that holds one. */
function otherDays(group: Group, named: Box | undefined, charPercent: number): Name[] {
  return daysOf(group.boxes).flatMap((day) => {
    if (day.some((box) => box === named)) return [];
    const found = day.map((box) => ({ text: nameOf(group, box.width, charPercent), left: box.left, room: box.width })).find(({ text, room }) => widthOf(text, charPercent) <= room);
    return found ? [{ text: found.text, left: found.left }] : [];
  });
}

/** A city without a session in the ribbon's hours. */
export interface Absent {
  readonly city: string;
  /** Its next open, where the book knows it. */
  readonly opens: EpochMicros | null;
  /** It is away by a date of the user's. */
  readonly own: boolean;
}

/** Exchanges without a session in these 24 hours (weekend, holiday), with their next open where the book knows it. */
export function absent(exchanges: readonly Exchange[], sessions: Sessions, span: RibbonSpan): readonly Absent[] {
  const cities = new Map<string, Absent>();
  for (const { mic, city } of exchanges) {
    const windows = sessions.get(mic);
    if (windows === undefined || windows.some(({ open, close }) => close > span.from && open < span.to)) continue;
    const next = windows.find(({ open }) => open >= span.to);
    cities.set(city, { city, opens: next === undefined || next.unknownBefore ? null : next.open, own: (next?.own ?? []).length > 0 });
  }
  return [...cities.values()];
}
