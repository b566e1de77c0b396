/** The questions Q1 to Q7 on a workload, each several times with other indices and times, and the right answers from memory. Pure. */
import { type LabEvent, LAB_REGIONS, type LabRegion, type Series, type Workload } from './workload.ts';
import { fractionsFrom } from '../../../shared/seeded.ts';

/** What a layout is asked for. Both ends of a span count. */
export type Ask =
  | { readonly kind: 'latest'; readonly series: Series; readonly count: number }
  | { readonly kind: 'between'; readonly series: Series; readonly from: bigint; readonly to: bigint }
  | { readonly kind: 'asOf'; readonly series: Series; readonly time: bigint }
  | { readonly kind: 'window'; readonly series: readonly Series[]; /** Null: of all regions. */ readonly region: LabRegion | null; readonly from: bigint; readonly to: bigint };

export const QUESTIONS = ['Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q5r', 'Q6', 'Q7'] as const;
export type QuestionName = (typeof QUESTIONS)[number];

export interface Question {
  readonly name: QuestionName;
  readonly asks: string;
  readonly times: readonly Ask[];
}

/** An event as a table gives it back. */
export type Found = Omit<LabEvent, 'series'> & { readonly series: string };

const LATEST = 20;

/** The same for every layout. */
export function makeQuestions(workload: Workload, repeat: number): Question[] {
  const { ticks, bars, start, end, shape, resolution, barStart } = workload;
  const window = BigInt(Math.round(shape.window * 1_000_000));
  const random = fractionsFrom(shape.seed + 1);
  const pick = <T>(of: readonly T[]): T => {
    const found = of[Math.floor(random() * of.length)];
    if (found === undefined) throw new RangeError('nothing to pick from');
    return found;
  };
  const instant = (): bigint => start + BigInt(Math.floor(random() * Number(end - start)));
  const span = (): { from: bigint; to: bigint } => {
    const from = start + BigInt(Math.floor(random() * Math.max(1, Number(end - start - window))));
    return { from, to: from + window };
  };
  const asks: Readonly<Record<QuestionName, readonly [string, () => Ask]>> = {
    Q1: ['latest price of one index', () => ({ kind: 'latest', series: pick(ticks), count: 1 })],
    Q2: [`latest ${LATEST} ticks of one index`, () => ({ kind: 'latest', series: pick(ticks), count: LATEST })],
    Q3: [`ticks of one index over ${seconds(shape.window)}`, () => ({ kind: 'between', series: pick(ticks), ...span() })],
    Q4: [`a chart of all that is loaded (${seconds(shape.span)}) from bars of ${resolution}`, () => ({ kind: 'between', series: pick(bars), from: barStart, to: end })],
    Q5: [`all ${ticks.length} indices over ${seconds(shape.window)}`, () => ({ kind: 'window', series: ticks, region: null, ...span() })],
    Q5r: [`the indices of one region over ${seconds(shape.window)}`, () => {
      const region = pick(LAB_REGIONS.filter((each) => ticks.some((series) => series.region === each)));
      return { kind: 'window', series: ticks.filter((series) => series.region === region), region, ...span() };
    }],
    Q6: ['value of one index as of an instant', () => ({ kind: 'asOf', series: pick(ticks), time: instant() })],
    Q7: ['how late the writer of one index is: its latest tick with its ingest time', () => ({ kind: 'latest', series: pick(ticks), count: 1 })],
  };
  return QUESTIONS.map((name) => {
    const [text, make] = asks[name];
    return { name, asks: text, times: Array.from({ length: repeat }, make) };
  });
}

/** 5400: `1.5 h`. */
export function seconds(count: number): string {
  const [size, unit] = count >= 86_400 ? [86_400, 'd'] : count >= 3600 ? [3600, 'h'] : count >= 60 ? [60, 'min'] : [1, 's'];
  return `${Math.round((count / size) * 100) / 100} ${unit}`;
}

/** Newest first; within an instant by series, then the higher sequence first: one order for all layouts. */
export function newestFirst(a: Found, b: Found): number {
  if (a.time !== b.time) return a.time > b.time ? -1 : 1;
  if (a.series !== b.series) return a.series < b.series ? -1 : 1;
  return b.sequence - a.sequence;
}

/** Answers from memory; `events` of ticks and bars. */
export function createModel(events: readonly LabEvent[]): (ask: Ask) => Found[] {
  const bySeries = new Map<string, Found[]>();
  for (const event of events) {
    const { text } = event.series;
    const list = bySeries.get(text) ?? [];
    bySeries.set(text, list);
    list.push({ ...event, series: text });
  }
  for (const list of bySeries.values()) list.sort(newestFirst);
  const of = (series: Series): readonly Found[] => bySeries.get(series.text) ?? [];
  const between = (series: Series, from: bigint, to: bigint): Found[] => of(series).filter(({ time }) => time >= from && time <= to);
  return (ask) => {
    switch (ask.kind) {
      case 'latest': return of(ask.series).slice(0, ask.count);
      case 'between': return between(ask.series, ask.from, ask.to);
      case 'asOf': return of(ask.series).filter(({ time }) => time <= ask.time).slice(0, 1);
      case 'window': return ask.series.flatMap((series) => between(series, ask.from, ask.to)).sort(newestFirst);
    }
  };
}

/** By every field: identity, price and ingest time. */
export const sameAnswer = (a: readonly Found[], b: readonly Found[]): boolean => a.length === b.length && a.every((one, at) => {
  const other = b[at];
  return other !== undefined && one.series === other.series && one.time === other.time && one.sequence === other.sequence && one.price === other.price && one.ingest === other.ingest;
});
