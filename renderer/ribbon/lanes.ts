/** The ribbon's day as boxes: one lane per region, exchanges with the same hours under one name. */
import type { Region } from '../../shared/quote.ts';
import { REGIONS } from '../../shared/quote.ts';
import { type EpochMicros, floorDiv, HOUR, micros } from '../../shared/time.ts';
import type { Sessions } from '../store/sessionBook.ts';

/** Hours shown behind now; the rest of the 24 lies ahead. */
const BEHIND_HOURS = 9n;

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
  readonly region: Region;
}

export interface Box {
  readonly key: string;
  /** Percent of the span, for pixels. */
  readonly left: number;
  readonly width: number;
  readonly cities: readonly string[];
  readonly notes: readonly string[];
  readonly open: EpochMicros;
  readonly close: EpochMicros;
}

export interface Lane {
  readonly region: Region;
  readonly boxes: readonly Box[];
}

export const percentAt = (span: RibbonSpan, time: bigint): number => (Number(time - span.from) / Number(span.to - span.from)) * 100;

export function lanes(exchanges: readonly Exchange[], sessions: Sessions, span: RibbonSpan): readonly Lane[] {
  return REGIONS.flatMap((region) => {
    const boxes = new Map<string, { cities: string[]; notes: Set<string>; open: EpochMicros; close: EpochMicros }>();
    for (const { mic, city } of exchanges.filter((exchange) => exchange.region === region)) {
      for (const { open, close, note } of sessions.get(mic) ?? []) {
        if (close <= span.from || open >= span.to) continue;
        const key = `${open} ${close}`;
        const box = boxes.get(key) ?? { cities: [], notes: new Set(), open, close };
        if (!box.cities.includes(city)) box.cities.push(city);
        if (note !== null) box.notes.add(`${city}: ${note}`);
        boxes.set(key, box);
      }
    }
    if (boxes.size === 0) return [];
    const placed = [...boxes].map(([key, { cities, notes, open, close }]) => {
      const left = Math.max(0, percentAt(span, open));
      return { key, left, width: Math.min(100, percentAt(span, close)) - left, cities, notes: [...notes], open, close };
    });
    return [{ region, boxes: placed.toSorted((a, b) => a.left - b.left || b.width - a.width) }];
  });
}

/** Which boxes carry their name: those whose text, about `charPercent` of the width per character, runs into no other name. */
export function labels(lane: Lane, charPercent: number): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  let end = -1;
  const named = new Set<string>();
  for (const [at, box] of lane.boxes.entries()) {
    const [first = '', ...others] = box.cities;
    if (named.has(first) || box.left < end) continue;
    const nextLeft = lane.boxes.slice(at + 1).find((next) => next.left > box.left && !box.cities.includes(next.cities[0] ?? ''))?.left ?? 100;
    const room = Math.min(100, Math.max(nextLeft, box.left)) - box.left;
    const choices = [[first, ...others].join(', '), others.length > 1 ? `${first}, ${others[0]} +${others.length - 1}` : '', others.length > 0 ? `${first} +${others.length}` : '', first];
    const text = choices.find((choice) => choice !== '' && (choice.length + 1.5) * charPercent <= room);
    if (text === undefined) continue;
    texts.set(box.key, text);
    named.add(first);
    end = box.left + (text.length + 1.5) * charPercent;
  }
  return texts;
}
