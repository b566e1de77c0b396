/** What the figures of a run say: where the canonical layout is best, where it is not, and under which numbers of one's own the choice would be wrong. Pure. */
import type { LabFigures, LayoutFigures, QuestionFigures } from './runLab.ts';

export interface Verdict {
  readonly wins: readonly string[];
  readonly loses: readonly string[];
  /** Conditions that would make another layout right. */
  readonly falsifiers: readonly string[];
}

/** Planning figure for one node, SSD, rows of 1 KB: https://cloud.google.com/bigtable/docs/performance */
const NODE_WRITES = 14_000;
/** CPU target for latency-sensitive work, single-cluster routing or autoscaling: https://cloud.google.com/bigtable/docs/scaling */
const CPU_TARGET = 0.6;
const DAY_SECONDS = 86_400;
const TABLES = 1000;
const ROW_LIMIT = 256 * 1024 * 1024;

const question = (layout: LayoutFigures | undefined, name: QuestionFigures['name']): QuestionFigures | undefined => layout?.questions.find((each) => each.name === name);
export const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
export const percent = (share: number): string => `${(share * 100).toFixed(share >= 0.995 || share === 0 ? 0 : 1)} %`;
export const few = (value: number): string => (value < 10 && !Number.isInteger(value) ? value.toFixed(1) : whole(value));
/** 1536: `1.5 KB`. */
export function size(bytes: number): string {
  const [unit, by] = bytes >= 1e12 ? ['TB', 1e12] as const : bytes >= 1e9 ? ['GB', 1e9] as const : bytes >= 1e6 ? ['MB', 1e6] as const : bytes >= 1e4 ? ['KB', 1e3] as const : ['B', 1] as const;
  return `${few(bytes / by)} ${unit}`;
}

export interface DayFigures {
  readonly rows: number;
  readonly bytes: number;
  /** Of the row that grows fastest: at the end of an hour, or of a day. */
  readonly hottestRow: { readonly bytes: number; readonly after: 'event' | 'hour' | 'day' };
}

/** A day of the asked rate under a layout. */
export function dayOf({ shape: { rate }, hottestShare }: Pick<LabFigures, 'shape' | 'hottestShare'>, { writes, layout }: LayoutFigures): DayFigures | null {
  if (!writes) return null;
  const ticks = rate * DAY_SECONDS;
  const perIndex = hottestShare * rate * writes.bytesPerTick;
  const hottestRow = layout.rowSpan === undefined ? { bytes: writes.largestRow.bytes, after: 'event' as const }
    : layout.rowSpan === 'hour' ? { bytes: Math.max(perIndex * 3600, writes.largestRow.bytes), after: 'hour' as const } : { bytes: perIndex * DAY_SECONDS, after: 'day' as const };
  return { rows: layout.rowSpan === undefined ? ticks * writes.rowsPerTick : 0, bytes: ticks * writes.bytesPerTick, hottestRow };
}

export function verdictOf(figures: LabFigures): Verdict {
  const layouts = new Map(figures.layouts.filter(({ refused }) => refused === null).map((each) => [each.layout.name, each]));
  const canonical = layouts.get('canonical');
  if (!canonical?.writes) return { wins: [], loses: [], falsifiers: ['The canonical layout was not among those measured: run it too, for a comparison.'] };
  const wins: string[] = [];
  const loses: string[] = [];
  const falsifiers: string[] = [];
  const { shape, hottestShare } = figures;
  const scanned = (name: string, asked: QuestionFigures['name']): { rows: string; other: QuestionFigures; own: QuestionFigures } | null => {
    const [other, own] = [question(layouts.get(name), asked), question(canonical, asked)];
    return other && own ? { rows: `${few(other.rowsScanned)} against ${few(own.rowsScanned)}`, other, own } : null;
  };

  const q1 = question(canonical, 'Q1');
  if (q1) wins.push(`The latest price (Q1) takes one request for one row of ${size(q1.bytesScanned)}, however much is stored: p50 ${q1.p50.toFixed(1)} ms here.`);
  const first = scanned('time-first', 'Q1');
  const firstSpan = scanned('time-first', 'Q3');
  const firstWrites = layouts.get('time-first')?.writes;
  if (first && firstWrites) wins.push(`Time first looks at ${first.rows} rows for one latest price${firstSpan ? `, at ${firstSpan.rows} for the ticks of a span` : ''}, and ${percent(firstWrites.hot.share)} of its writes go to one key range (canonical: ${percent(canonical.writes.hot.share)}).`);
  const up = scanned('ascending', 'Q1');
  if (up) {
    if (figures.reverseScans) loses.push(`Ascending time reads the same rows (Q1: ${up.rows} rows) where server and client scan backwards, as here. What speaks against it is that each reader must, and that one which can’t reads a whole index for its last row${shape.rate > 0 ? `: ${whole(hottestShare * shape.rate * DAY_SECONDS)} rows a day for the busiest` : ''}.`);
    else wins.push(`This server does not scan backwards: ascending time reads a whole index for its last row (Q1: ${up.rows} rows).`);
  }
  const hashed = scanned('hash-of-event', 'Q1');
  const hashedWrites = layouts.get('hash-of-event')?.writes;
  if (hashed && hashedWrites) {
    wins.push(`A hash before every key makes ${few(hashed.other.requests)} requests of each read of an index (Q1: ${hashed.rows} rows).`);
    if (hashedWrites.hot.share < canonical.writes.hot.share) loses.push(`A hash of the event spreads a hot index: its busiest key range takes ${percent(hashedWrites.hot.share)} of the writes, the canonical one ${percent(canonical.writes.hot.share)}. For an index that is measured hot, \`frontrow shard\` does this for that index alone.`);
  }
  const tables = layouts.get('table-per-index');
  const own = scanned('table-per-index', 'Q1');
  if (tables && own) wins.push(`A table per index reads the same rows (Q1: ${own.rows} rows) from ${whole(tables.tables)} tables instead of one; an instance holds at most ${whole(TABLES)}.`);
  for (const name of ['time-bucket-first', 'qualifier-per-event', 'hourly-rows', 'cell-versions'] as const) {
    const layout = layouts.get(name);
    if (!layout?.writes) continue;
    if (name === 'time-bucket-first') {
      const bucket = scanned(name, 'Q2');
      if (bucket) wins.push(`Time buckets first: ${percent(layout.writes.hot.share)} of the writes in one range, and ${few(bucket.other.requests)} requests for the latest twenty ticks (Q2) against ${few(bucket.own.requests)}.`);
      continue;
    }
    if (layout.lost > 0) wins.push(`Versions as history lost ${whole(layout.lost)} of ${whole(figures.ticks + figures.bars)} events that share their millisecond with another.`);
    const smaller = 1 - layout.writes.bytesPerTick / canonical.writes.bytesPerTick;
    if (name === 'hourly-rows' && smaller > 0) loses.push(`Rows of an hour take ${percent(smaller)} fewer bytes a tick (${whole(layout.writes.bytesPerTick)} against ${whole(canonical.writes.bytesPerTick)}, uncompressed), since key and columns are stored once.`);
    const day = dayOf(figures, layout);
    if (day && layout.layout.rowSpan === 'ever') wins.push(`${layout.layout.title}: the busiest row grows by ${size(day.hottestRow.bytes)} a day and reaches the limit of 256 MB after ${few(ROW_LIMIT / day.hottestRow.bytes)} days.`);
  }
  const window = question(canonical, 'Q5');
  const derived = layouts.get('derived-region-time');
  const derivedWindow = question(derived, 'Q5');
  if (window && derived?.writes && derivedWindow) {
    loses.push(`A window over all indices (Q5) is ${few(window.requests)} requests; with a second table by region and time it is ${few(derivedWindow.requests)} (p50 ${derivedWindow.p50.toFixed(1)} against ${window.p50.toFixed(1)} ms), for ${few(derived.writes.rowsPerTick)} rows a tick instead of ${few(canonical.writes.rowsPerTick)}${derived.derivedLag ? `, the second seen ${derived.derivedLag.p50.toFixed(1)} ms (p99 ${derived.derivedLag.p99.toFixed(1)}) after the first` : ''}.`);
    const saved = window.requests - derivedWindow.requests;
    if (saved > 0) falsifiers.push(`Incident windows become the main load. A second table costs ${whole(shape.rate * (derived.writes.rowsPerTick - 1))} more writes a second and saves ${few(saved)} requests a window: it pays from about ${few((shape.rate * (derived.writes.rowsPerTick - 1)) / saved)} windows a second on, counting a write as a read.`);
  } else if (window && first) {
    const all = question(layouts.get('time-first'), 'Q5');
    if (all) loses.push(`A window over all indices (Q5) is ${few(window.requests)} requests; with time first it is ${few(all.requests)} (p50 ${all.p50.toFixed(1)} against ${window.p50.toFixed(1)} ms).`);
  }
  const hottest = hottestShare * shape.rate;
  const bound = NODE_WRITES * CPU_TARGET;
  falsifiers.unshift(`One index becomes too hot for one range. The busiest has ${percent(hottestShare)} of the ticks: ${few(hottest)} writes a second at ${few(shape.rate)} ticks a second. A range lives on one node, planned at ${whole(bound)} writes a second (14,000 at 60 % CPU, rows of 1 KB): ${hottest > bound ? 'that is exceeded: shard this index' : `the choice holds up to about ${whole(bound / hottestShare)} ticks a second at this skew`}.`);
  const day = dayOf(figures, canonical);
  if (day) falsifiers.push(`Storage outweighs reading. These ticks are ${whole(day.rows)} rows and ${size(day.bytes)} a day (${size(day.bytes * 90)} in 90 days, before compression and replication): where that bill hurts more than slower single reads, rows of an hour are the next to try.`);
  falsifiers.push('Nobody asks for the latest of one index, only for everything that is new: then keys by time, spread over as many salts as there are writers, would read less. Count your own questions before you choose.');
  falsifiers.push('A figure above comes out differently on your own instance: this run had one machine, no compression, no tablets that move and no network. Rows, bytes and requests carry over; milliseconds do not.');
  return { wins, loses, falsifiers };
}
