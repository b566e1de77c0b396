/** A run of the lab for a terminal, and as JSON lines. Pure. */
import type { LabFigures, LayoutFigures, QuestionFigures } from './runLab.ts';
import { dayOf, few, percent, size, verdictOf, whole } from './verdict.ts';

export function labText(figures: LabFigures): string[] {
  const { layouts } = figures;
  const width = Math.max(...layouts.map(({ layout }) => layout.name.length));
  const lines = [`${whole(figures.ticks)} ticks of ${figures.shape.indices} indices, the busiest ${percent(figures.hottestShare)} of them; ${whole(figures.bars)} bars of ${figures.resolution}; up to ${figures.repeat} runs a question`, ''];
  lines.push(`${'writes'.padEnd(width)}  busiest range   rows/tick  bytes/tick     rows/day      hottest row  tables`);
  for (const each of layouts) lines.push(`${each.layout.name.padEnd(width)}  ${writesText(figures, each)}`);
  for (const { name, asks } of figures.questions) {
    const runs = Math.max(0, ...layouts.map(({ questions }) => questions.find((each) => each.name === name)?.runs ?? 0));
    lines.push('', `${name}: ${asks} (${runs} runs)`, `${''.padEnd(width)}  requests  rows scanned  returned  bytes scanned      p50      p95      p99 ms`);
    for (const each of layouts) lines.push(`${each.layout.name.padEnd(width)}  ${questionText(each, name)}`);
  }
  const { wins, loses, falsifiers } = verdictOf(figures);
  for (const [title, told] of [['Why the canonical layout', wins], ['Where another one does better', loses], ['What would falsify the choice', falsifiers]] as const) lines.push('', title, ...told.map((line) => `  - ${line}`));
  if (layouts.some(({ questions }) => questions.some(({ counted }) => counted))) lines.push('', '* this server tells no figures: rows and bytes are those that it returned, and it may have looked at more');
  return lines;
}

function writesText(figures: LabFigures, each: LayoutFigures): string {
  const { writes, refused } = each;
  const day = dayOf(figures, each);
  if (!writes || !day) return `n/a: ${refused ?? 'not measured'}`;
  const { hottestRow } = day;
  const row = `${size(hottestRow.bytes)}${hottestRow.after === 'event' ? '' : ` ${hottestRow.after === 'hour' ? 'an hour' : 'a day'}`}`;
  return `${percent(writes.hot.share).padStart(8)} of ${String(writes.hot.ranges).padEnd(4)}${few(writes.rowsPerTick).padStart(9)}${whole(writes.bytesPerTick).padStart(12)}${(each.layout.rowSpan === undefined ? whole(day.rows) : 'few').padStart(13)}${row.padStart(17)}${whole(each.tables).padStart(8)}`;
}

function questionText({ questions, refused }: LayoutFigures, name: QuestionFigures['name']): string {
  const found = questions.find((each) => each.name === name);
  if (!found) return `n/a: ${refused ?? 'not measured'}`;
  const { requests, rowsScanned, rowsReturned, bytesScanned, p50, p95, p99, counted, incomplete } = found;
  const ms = [p50, p95, p99].map((each) => each.toFixed(2).padStart(9)).join('');
  return `${few(requests).padStart(8)}${`${few(rowsScanned)}${counted ? '*' : ''}`.padStart(14)}${few(rowsReturned).padStart(10)}${size(bytesScanned).padStart(15)}${ms}${incomplete ? `  n/a: ${incomplete.answers} answers lack events (${incomplete.reason})` : ''}`;
}

/** To a thousandth. */
const rounded = (value: number): number => Math.round(value * 1000) / 1000;

/** The workload, then each layout with its writes and questions, then the verdict. */
export function labJson(figures: LabFigures): object[] {
  const { layouts, shape, ...rest } = figures;
  const { questions, ...counts } = rest;
  return [
    { workload: { ...shape, ...counts } },
    ...layouts.flatMap((each) => {
      const { layout, writes, refused, lost, derivedLag, tables } = each;
      const day = dayOf(figures, each);
      return [
        {
          layout: layout.name, keys: layout.keys, tables, refused, lost, derivedLagMs: derivedLag && { p50: rounded(derivedLag.p50), p95: rounded(derivedLag.p95), p99: rounded(derivedLag.p99) },
          busiestRangeShare: writes?.hot.share ?? null, keyRanges: writes?.hot.ranges ?? null, rowsPerTick: writes?.rowsPerTick ?? null, bytesPerTick: writes?.bytesPerTick ?? null, rowsLoaded: writes?.rows ?? null,
          largestRow: writes?.largestRow ?? null, rowsPerDay: day && layout.rowSpan === undefined ? Math.round(day.rows) : null, bytesPerDay: day ? Math.round(day.bytes) : null, hottestRow: day?.hottestRow ?? null,
        },
        ...each.questions.map(({ name, runs, requests, rowsScanned, bytesScanned, rowsReturned, bytesReturned, events, counted, p50, p95, p99, incomplete }) => ({
          layout: layout.name, question: name, asks: questions.find((one) => one.name === name)?.asks ?? '', runs, requests: rounded(requests), rowsScanned: rounded(rowsScanned), bytesScanned: rounded(bytesScanned),
          rowsReturned: rounded(rowsReturned), bytesReturned: rounded(bytesReturned), events: rounded(events), counted, p50Ms: rounded(p50), p95Ms: rounded(p95), p99Ms: rounded(p99),
          answers: incomplete === null ? 'right' : 'n/a', reason: incomplete?.reason ?? null, wrongAnswers: incomplete?.answers ?? 0,
        })),
      ];
    }),
    { verdict: verdictOf(figures) },
  ];
}
