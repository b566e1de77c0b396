/** A run of the lab as one HTML file: no scripts, nothing from elsewhere, light or dark as the reader's system is. Pure. */
import { BUCKET, SALTS } from './keyedCandidates.ts';
import { seconds } from './questions.ts';
import type { LabFigures, LayoutFigures, QuestionFigures } from './runLab.ts';
import { dayOf, few, percent, size, verdictOf, whole } from './verdict.ts';

/** Text or an attribute's value, whatever is in it. */
export const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');

const STYLE = `
:root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--quiet:#57606a;--line:#d0d7de;--bar:#9fc5e8;--best:#e6f4ea;--mark:#8a2c0d}
@media (prefers-color-scheme:dark){:root{--paper:#0f1318;--ink:#e6e9ed;--quiet:#a3adb8;--line:#343c46;--bar:#2f5f8a;--best:#173423;--mark:#ffb199}}
body{margin:0 auto;max-width:76rem;padding:1.5rem;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
h1{font-size:1.6rem;margin:0 0 .3rem}h2{font-size:1.2rem;margin:2.2rem 0 .5rem}p,li{max-width:62rem}
.quiet,dd{color:var(--quiet)}dt{font-weight:600;margin-top:.5rem}dd{margin:0 0 0 1rem;max-width:60rem}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.88rem;font-variant-numeric:tabular-nums;margin:.4rem 0 1rem}
caption{text-align:left;font-weight:600;padding:.4rem 0}th,td{padding:.28rem .5rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
th:first-child{text-align:left;white-space:normal;min-width:12rem}thead th{color:var(--quiet);font-weight:600;white-space:normal;vertical-align:bottom}tbody th{font-weight:500}td.words{text-align:left;color:var(--mark);white-space:normal}
tr.canonical th,tr.canonical td{background:var(--best)}.bar{display:block;height:.4rem;background:var(--bar);margin-left:auto}
code{font:13px ui-monospace,monospace}summary{cursor:pointer;font-weight:600}
@media print{body{max-width:none}}`;

export function labHtml(figures: LabFigures): string {
  const { shape, layouts, questions } = figures;
  const { wins, loses, falsifiers } = verdictOf(figures);
  const counted = layouts.some((each) => each.questions.some((found) => found.counted));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Layouts under ${escaped(String(shape.indices))} indices, measured</title>
<style>${STYLE}
</style>
</head>
<body>
<header>
<h1>Which layout of the table?</h1>
<p class="quiet">${whole(figures.ticks)} ticks of ${shape.indices} indices over ${seconds(shape.span)} (${few(shape.rate)} a second, zipf ${shape.skew}: the busiest index has ${percent(figures.hottestShare)} of them; ${whole(shape.bytes)} bytes of values each; seed ${shape.seed}), ${whole(figures.bars)} bars of ${escaped(figures.resolution)}. Every layout holds the same events; each question is asked up to ${figures.repeat} times with the same indices and times, and every answer is compared with the right one from memory.</p>
</header>
<main>
<section aria-labelledby="verdict"><h2 id="verdict">What the figures say</h2>
${listOf('Why the canonical layout', wins)}${listOf('Where another one does better', loses)}${listOf('What would falsify the choice', falsifiers)}
</section>
<section aria-labelledby="writes"><h2 id="writes">Writing</h2>
${writesTable(figures)}
</section>
<section aria-labelledby="reads"><h2 id="reads">Reading</h2>
${overview(figures)}
${questions.map((question) => questionTable(question, layouts)).join('\n')}
${counted ? '<p>* This server tells no figures: rows and bytes are those that it returned, and it may have looked at more.</p>' : ''}
</section>
<section aria-labelledby="meaning"><h2 id="meaning">What each figure means</h2>
${meaning(figures)}
</section>
<section aria-labelledby="candidates"><h2 id="candidates">The candidates</h2>
<dl>
${layouts.map(({ layout }) => `<dt>${escaped(layout.title)} <code>${escaped(layout.name)}</code></dt><dd><code>${escaped(layout.keys)}</code><br>${escaped(layout.idea)}</dd>`).join('\n')}
</dl>
</section>
</main>
</body>
</html>
`;
}

const listOf = (title: string, lines: readonly string[]): string => (lines.length === 0 ? '' : `<h3>${escaped(title)}</h3>\n<ul>\n${lines.map((line) => `<li>${escaped(line).replaceAll(/`([^`]+)`/g, '<code>$1</code>')}</li>`).join('\n')}\n</ul>\n`);

const rowOf = ({ layout }: LayoutFigures, cells: string): string => `<tr${layout.name === 'canonical' ? ' class="canonical"' : ''}><th scope="row">${escaped(layout.title)}</th>${cells}</tr>`;
const head = (...columns: string[]): string => `<thead><tr><th scope="col">Layout</th>${columns.map((column) => `<th scope="col">${escaped(column)}</th>`).join('')}</tr></thead>`;
const cell = (text: string): string => `<td>${escaped(text)}</td>`;
/** A length beside the number, which says the same: nothing for those who can't see it. */
const barred = (text: string, share: number): string => `<td>${escaped(text)}<span class="bar" aria-hidden="true" style="width:${(Math.min(1, Math.max(0, share)) * 100).toFixed(1)}%"></span></td>`;
const reason = (text: string, columns: number): string => `<td class="words" colspan="${columns}">n/a: ${escaped(text)}</td>`;

function writesTable(figures: LabFigures): string {
  const lags = figures.layouts.some(({ derivedLag }) => derivedLag !== null);
  const rows = figures.layouts.map((each) => {
    const day = dayOf(figures, each);
    if (!each.writes || !day) return rowOf(each, reason(each.refused ?? 'not measured', lags ? 8 : 7));
    const { writes, derivedLag } = each;
    const after = { event: '', hour: ' in an hour', day: ' more each day' }[day.hottestRow.after];
    return rowOf(each, [
      barred(percent(writes.hot.share), writes.hot.share), cell(whole(writes.hot.ranges)), cell(few(writes.rowsPerTick)), cell(whole(writes.bytesPerTick)),
      cell(each.layout.rowSpan === undefined ? whole(day.rows) : 'few'), cell(`${size(day.hottestRow.bytes)}${after}`), cell(whole(each.tables)),
      ...(lags ? [cell(derivedLag ? `${derivedLag.p50.toFixed(1)} / ${derivedLag.p99.toFixed(1)} ms` : '—')] : []),
    ].join(''));
  });
  return `<div class="scroll" role="region" aria-label="Writing, by layout" tabindex="0"><table><caption>Shares, rows and bytes of writing ticks</caption>${head('Busiest key range', 'Of ranges', 'Rows a tick', 'Bytes a tick', 'Rows a day', 'Hottest row', 'Tables', ...(lags ? ['Derived later, p50 / p99'] : []))}<tbody>\n${rows.join('\n')}\n</tbody></table></div>`;
}

/** Requests and rows of every question side by side. */
function overview({ questions, layouts }: LabFigures): string {
  const rows = layouts.map((each) => rowOf(each, each.refused === null
    ? questions.map(({ name }) => each.questions.find((found) => found.name === name)).map((found) => cell(found ? `${few(found.requests)} / ${few(found.rowsScanned)}` : '—')).join('') : reason(each.refused, questions.length)));
  return `<div class="scroll" role="region" aria-label="All questions, by layout" tabindex="0"><table><caption>All questions: requests / rows scanned</caption>${head(...questions.map(({ name }) => name))}<tbody>\n${rows.join('\n')}\n</tbody></table></div>`;
}

function questionTable({ name, asks }: LabFigures['questions'][number], layouts: readonly LayoutFigures[]): string {
  const most = Math.max(1, ...layouts.map((each) => each.questions.find((found) => found.name === name)?.rowsScanned ?? 0));
  const length = (rows: number): number => Math.log10(1 + rows) / Math.log10(1 + most);
  const rows = layouts.map((each) => {
    const found = each.questions.find((one) => one.name === name);
    return rowOf(each, found ? figuresOf(found, length) : reason(each.refused ?? 'not measured', 9));
  });
  return `<div class="scroll" role="region" aria-label="${escaped(name)}, by layout" tabindex="0"><table><caption>${escaped(name)}: ${escaped(asks)}</caption>${head('Requests', 'Rows scanned', 'Rows returned', 'Bytes scanned', 'Bytes returned', 'p50 ms', 'p95 ms', 'p99 ms', 'Answers')}<tbody>\n${rows.join('\n')}\n</tbody></table></div>`;
}

function figuresOf({ requests, rowsScanned, rowsReturned, bytesScanned, bytesReturned, p50, p95, p99, counted, incomplete, runs }: QuestionFigures, length: (rows: number) => number): string {
  return [
    cell(few(requests)), barred(`${few(rowsScanned)}${counted ? '*' : ''}`, length(rowsScanned)), cell(few(rowsReturned)), cell(size(bytesScanned)), cell(size(bytesReturned)),
    cell(p50.toFixed(2)), cell(p95.toFixed(2)), cell(p99.toFixed(2)),
    incomplete ? `<td class="words">n/a: ${incomplete.answers} of ${runs} lack events: ${escaped(incomplete.reason)}</td>` : cell(`${runs} right`),
  ].join('');
}

function meaning({ tablets, reverseScans }: LabFigures): string {
  const terms: readonly (readonly [string, string])[] = [
    ['Busiest key range', `A table is split into ranges of keys, each served by one node. The rows of the first half of the writes are sorted by key and cut into ${tablets} ranges of about equal bytes (a row is never cut, and each table has at least one); of the second half’s ticks, this share has a row in the range that gets most. 100 % means that more nodes don’t help.`],
    ['Rows and bytes a tick', 'Rows that are written for one tick, and bytes of keys, qualifiers and values, with the key counted for every cell as the store keeps it, before compression.'],
    ['Rows a day, hottest row', 'For 24 hours of the asked rate. Where a row grows by each event: how large the row of the busiest index becomes. Google advises at most 100 MB and allows 256 MB.'],
    ['Derived later', 'From the acknowledgement of a tick’s first row to that of its second, of ticks written one by one: how long a reader of the second table lacks it, when nothing fails.'],
    ['Requests', 'ReadRows calls, each of one range of keys, at most 16 of them in flight. One call may hold 250 ranges: that saves calls for all layouts alike, not rows.'],
    ['Rows and bytes scanned', 'Rows that the server looked at, by its own figures. Bytes: those returned, and for cells passed over the mean of a stored cell. A filter for a few cells of a long row may cost a server less than this one, which reads the row. The bars beside the rows are logarithmic.'],
    ['p50, p95, p99', 'Milliseconds of the whole question on this machine, nearest rank. The layouts are asked in turn, each time beginning with another, after one time that does not count. With few runs the last two are nearly its slowest run. Compare layouts of one run; don’t take them for those of a cluster.'],
    ['Answers', 'Each was compared with the right one, by identity, price and ingest time. n/a: the layout could not hold all events.'],
    ['Bars', 'Stored under each layout as one more series of the index, written once each. Q4 reads the finest of which twice the chart’s 120 pixels hold all.'],
    ['Constants', `Time buckets of ${seconds(Number(BUCKET) / 1e6)}; ${SALTS} salts. One in a hundred ticks is late, by up to 30 s, and one in a hundred has the microsecond of another of its index. This server ${reverseScans ? 'scans backwards' : 'does not scan backwards: ascending layouts read to the end'}.`],
  ];
  return `<dl>\n${terms.map(([term, text]) => `<dt>${escaped(term)}</dt><dd>${escaped(text)}</dd>`).join('\n')}\n</dl>`;
}
