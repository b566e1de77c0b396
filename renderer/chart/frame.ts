/** What stands still between two steps: domains, ticks and session breaks. The same object is handed back while nothing of it changed. */
import { fromMillis } from '../../shared/time.ts';
import { calendarNote } from './calendarNote.ts';
import { type PriceAxis, steadyPriceAxis, transformOf } from './priceScale.ts';
import { scaleOver, sessionScale, type SessionScale } from './sessionScale.ts';
import type { PriceScaleKind } from './settings.ts';
import type { Span } from './span.ts';
import { clockLabel, dateLabel, labelSpacing } from './timeLabels.ts';
import { type TimeTick, timeTicks } from './timeTicks.ts';
import type { TradingStretch } from './timeline.ts';

/** A place where closed time was taken out of the axis. */
export interface Break {
  readonly time: number;
  /** `half day, closed 13:00`, `lunch`, or the date that begins: `Wed, Nov 6`. */
  readonly label: string;
  /** Which side of the line the label describes. */
  readonly side: 'before' | 'after';
}

export interface Frame {
  readonly from: number;
  readonly to: number;
  readonly sessionStart: number | null;
  readonly scale: SessionScale;
  readonly prices: PriceAxis;
  /** A slot per day. */
  readonly daily: boolean;
  readonly zone: string;
  readonly timeTicks: readonly TimeTick[];
  readonly breaks: readonly Break[];
  /** What must be known of the calendar; null where all is firm. */
  readonly calendarNote: string | null;
  /** For Recharts, kept identical while equal: it compares by reference. */
  readonly xDomain: [number, number];
  readonly yDomain: [number, number];
  readonly xTickValues: readonly number[];
  readonly yTickValues: readonly number[];
  readonly corners: readonly { readonly time: number; readonly price: number }[];
  readonly axisWidth: number;
  readonly stretches: readonly TradingStretch[];
  readonly width: number;
  readonly height: number;
}

/** The plot's rectangle in CSS pixels. */
export interface Plot {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface FrameRequest {
  readonly span: Span;
  readonly zone: string;
  readonly daily: boolean;
  readonly scale: PriceScaleKind;
  /** Value that a percent axis starts from. */
  readonly percentBase: number | null;
  /** Lowest and highest value to show. */
  readonly low: number;
  readonly high: number;
  readonly decimals: number | null;
  /** Size of the whole chart in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** The price axis is at least so wide: while a view moves its plot stays where it is. */
  readonly leastAxisWidth?: number;
}

export const MARGIN = { top: 10, right: 4, bottom: 0, left: 10 } as const;
export const TIME_AXIS_HEIGHT = 28;
/** From the plot's right edge to the price labels; tags stand nearer by their padding, so that their text lines up, yet clear of the last point's dot. */
export const TICK_MARGIN = 13;
const CHARACTER = 7.2; // widest digit of the 12 px face, with room for a tag's padding below
const TICK_EVERY = 52; // pixels between two price ticks
/** More sessions than this in view, and a line at each would only be a pattern. */
const MOST_BREAKS = 24;

const plotWidth = ({ width, axisWidth }: { readonly width: number; readonly axisWidth: number }): number => Math.max(1, width - MARGIN.left - MARGIN.right - axisWidth);

/** Where Recharts will put its plot; it says so itself once it is mounted. */
export const plotOf = (frame: { readonly width: number; readonly height: number; readonly axisWidth: number }): Plot =>
  ({ x: MARGIN.left, y: MARGIN.top, width: plotWidth(frame), height: Math.max(1, frame.height - MARGIN.top - TIME_AXIS_HEIGHT) });

function breaksOf({ span, zone, daily }: FrameRequest): Break[] {
  const breaks: Break[] = [];
  const { stretches } = span.timeline;
  const first = stretches.findIndex(({ close }) => close > span.from);
  const last = stretches.findLastIndex(({ open }) => open < span.to);
  if (daily || last - first > MOST_BREAKS) return breaks;
  span.timeline.stretches.forEach((stretch, index, all) => {
    const previous = all[index - 1];
    if (!previous || index < first || index > last || stretch.open <= span.from || previous.close === stretch.open) return;
    const lunch = previous.date === stretch.date;
    if (lunch) breaks.push({ time: stretch.open, label: previous.note ?? 'lunch', side: 'before' });
    else if (stretch.note !== null && !/half|early/i.test(stretch.note)) {
      breaks.push({ time: stretch.open, label: `${stretch.note}, opened ${clockLabel(zone, stretch.open)}`, side: 'after' });
    } else if (previous.note !== null && !/late/i.test(previous.note)) {
      breaks.push({ time: stretch.open, label: `${previous.note}, closed ${clockLabel(zone, previous.close)}`, side: 'before' });
    } else breaks.push({ time: stretch.open, label: dateLabel(zone, fromMillis(stretch.open)), side: 'after' });
  });
  return breaks;
}

const same = <T>(a: readonly T[], b: readonly T[], equal: (x: T, y: T) => boolean): boolean =>
  a.length === b.length && a.every((item, index) => equal(item, b[index] as T));

/** The frame for a request; `held` itself where it would look the same. */
export function nextFrame(held: Frame | null, request: FrameRequest): Frame {
  const { span, zone, daily, low, high, decimals, width, height } = request;
  const count = Math.max(2, Math.floor((height - MARGIN.top - TIME_AXIS_HEIGHT) / TICK_EVERY));
  const prices = steadyPriceAxis(held?.prices ?? null, { low, high, count, decimals, scale: request.scale, base: request.percentBase });
  const place = transformOf(prices);
  const longest = prices.ticks.reduce((most, { text }) => Math.max(most, text.length + Math.floor((text.indexOf('.') + text.length) / 6)), 4);
  const axisWidth = Math.max(request.leastAxisWidth ?? 0, held?.prices === prices ? held.axisWidth : 0, Math.ceil(longest * CHARACTER) + TICK_MARGIN + 10);

  const stretches = span.timeline.stretches;
  const sameAxis =
    held !== null && held.from === span.from && held.to === span.to && held.sessionStart === span.sessionStart && held.axisWidth === axisWidth &&
    held.width === width && held.zone === zone && held.daily === daily && held.scale.timeline.collapsed === span.timeline.collapsed &&
    (held.stretches === stretches || same(held.stretches, stretches, (a, b) => a.open === b.open && a.close === b.close && a.note === b.note));
  if (sameAxis && held.prices === prices && held.height === height) return held;

  const scale = sameAxis ? held.scale : sessionScale(span.timeline, span.from, span.to);
  const placed = scaleOver(scale, MARGIN.left, MARGIN.left + plotWidth({ width, axisWidth }));
  const ticks = sameAxis ? held.timeTicks : timeTicks({ timeline: span.timeline, zone, from: span.from, to: span.to, place: placed, spacing: labelSpacing(), daily });
  return {
    from: span.from, to: span.to, sessionStart: span.sessionStart, scale, prices, daily, zone, axisWidth, stretches, width, height,
    timeTicks: ticks,
    breaks: sameAxis ? held.breaks : breaksOf(request),
    calendarNote: sameAxis ? held.calendarNote : calendarNote(span.timeline, span.from, span.to, zone),
    xDomain: sameAxis ? held.xDomain : [span.from, span.to],
    yDomain: held?.prices === prices ? held.yDomain : [place(prices.low), place(prices.high)],
    xTickValues: sameAxis ? held.xTickValues : ticks.map(({ time }) => time),
    yTickValues: held?.prices === prices ? held.yTickValues : prices.ticks.map(({ value }) => place(value)),
    corners: [{ time: span.from, price: place(prices.low) }, { time: span.to, price: place(prices.high) }],
  };
}
