/** What a run of the lab says: verdict, terminal text, JSON lines, HTML. */
import { describe, expect, test } from 'vitest';
import { labRequest } from '../../../../electron/cli/schemaLab.ts';
import { escaped, labHtml } from '../../../../electron/schema/lab/labHtml.ts';
import { labJson, labText } from '../../../../electron/schema/lab/labText.ts';
import { QUESTIONS } from '../../../../electron/schema/lab/questions.ts';
import type { LabFigures, LayoutFigures } from '../../../../electron/schema/lab/runLab.ts';
import { dayOf, size, verdictOf } from '../../../../electron/schema/lab/verdict.ts';

function layout(name: string, share: number, rowsScanned: number, more: Partial<LayoutFigures> = {}): LayoutFigures {
  return {
    layout: { name, title: `<${name}>`, keys: 'ID & "#"', idea: 'an <idea>' }, tables: 1, refused: null, lost: 0, derivedLag: null,
    writes: { hot: { share, ranges: 16 }, rowsPerTick: 1, bytesPerTick: 200, rows: 1000, largestRow: { bytes: 200, events: 1 }, bytesPerCell: 70 },
    questions: QUESTIONS.map((question) => ({ name: question, runs: 30, requests: question.startsWith('Q5') ? 50 : 1, rowsScanned, bytesScanned: 200 * rowsScanned, rowsReturned: 1, bytesReturned: 200, events: 1, counted: false, p50: 1, p95: 2, p99: 3, incomplete: null })),
    ...more,
  };
}

const figures = (...layouts: LayoutFigures[]): LabFigures => ({
  shape: { indices: 50, rate: 100, skew: 1.1, bytes: 60, span: 3600, window: 600, seed: 1 }, repeat: 30, tablets: 16, ticks: 1000, bars: 50, resolution: '1m', hottestShare: 0.25, reverseScans: true,
  questions: QUESTIONS.map((name) => ({ name, asks: `what <${name}> asks` })), layouts,
});
const canonical = layout('canonical', 0.25, 1);
const lossy = layout('cell-versions', 0.25, 1, { lost: 7, layout: { name: 'cell-versions', title: 'Versions', keys: 'ID', idea: '', rowSpan: 'ever' } });
lossy.questions.forEach((each, at) => { if (at === 1) Object.assign(each, { incomplete: { answers: 4, reason: 'one & the same <ms>' } }); });
const run = figures(canonical, layout('ascending', 0.25, 1), layout('time-first', 1, 500), layout('hash-of-event', 0.09, 8), lossy, layout('table-per-index', 0, 0, { refused: '5000 tables; an instance holds at most 1000', writes: null, questions: [] }));

describe('verdict', () => {
  test('names figures where canonical wins, where it does not, and when the choice is wrong', () => {
    const { wins, loses, falsifiers } = verdictOf(run);
    expect(wins.join('\n')).toMatch(/Time first looks at 500 against 1 rows/);
    expect(wins.join('\n')).toMatch(/100 % of its writes/);
    expect(wins.join('\n')).toMatch(/lost 7 of 1,050 events/);
    expect(loses.join('\n')).toMatch(/Ascending time reads the same rows/);
    expect(loses.join('\n')).toMatch(/9\.0 % of the writes, the canonical one 25\.0 %/);
    expect(falsifiers[0]).toMatch(/25 writes a second at 100 ticks a second.*holds up to about 33,600 ticks a second/);
  });

  test('says that a rate above what one range takes is too much', () => {
    expect(verdictOf({ ...run, shape: { ...run.shape, rate: 100_000 } }).falsifiers[0]).toMatch(/exceeded: shard this index/);
    expect(verdictOf(figures(layout('ascending', 0.2, 1))).falsifiers[0]).toMatch(/canonical layout was not among/);
  });

  test('a server without reverse scans turns the word on ascending keys', () =>
    expect(verdictOf({ ...figures(canonical, layout('ascending', 0.25, 400)), reverseScans: false }).wins.join('\n')).toMatch(/does not scan backwards.*400 against 1 rows/));

  test('a day: rows, bytes, and a row that grows', () => {
    expect(dayOf(run, canonical)).toEqual({ rows: 8_640_000, bytes: 1_728_000_000, hottestRow: { bytes: 200, after: 'event' } });
    expect(dayOf(run, lossy)?.hottestRow).toEqual({ bytes: 0.25 * 8_640_000 * 200, after: 'day' });
    expect([512, 9999, 20_000, 3_400_000, 7.2e9].map(size)).toEqual(['512 B', '9,999 B', '20 KB', '3.4 MB', '7.2 GB']);
  });
});

describe('report', () => {
  const html = labHtml(run);

  test('escapes all that is text', () => {
    expect(escaped(`<a href="x">&'`)).toBe('&lt;a href=&quot;x&quot;&gt;&amp;&#39;');
    expect(html).toContain('&lt;time-first&gt;');
    expect(html).toContain('one &amp; the same &lt;ms&gt;');
    expect(html).toContain('<code>frontrow shard</code>');
    expect(html).not.toMatch(/<(time-first|idea|ms|Q1)>/);
  });

  test('takes nothing from elsewhere, runs nothing, and has a name for each column and row', () => {
    expect(html).not.toMatch(/<script|<link|<img|https?:|url\(|@import/);
    expect(html).toContain("default-src 'none'");
    expect(html).toContain('prefers-color-scheme:dark');
    const tables = html.split('<table>').slice(1);
    expect(tables).toHaveLength(2 + QUESTIONS.length);
    for (const table of tables) {
      expect(table).toContain('<caption>');
      const columns = (/<thead>.*?<\/thead>/.exec(table)?.[0].match(/scope="col"/g) ?? []).length;
      for (const row of table.split('<tbody>')[1]?.match(/<tr.*?<\/tr>/g) ?? []) {
        expect(row).toContain('scope="row"');
        const cells = (row.match(/<td/g) ?? []).length + Number(/colspan="(\d+)"/.exec(row)?.[1] ?? 1);
        expect(cells).toBe(columns);
      }
    }
  });

  test('text and JSON say n/a with the reason', () => {
    const lines = labText(run).join('\n');
    expect(lines).toMatch(/table-per-index +n\/a: 5000 tables/);
    expect(lines).toMatch(/cell-versions.*n\/a: 4 answers lack events \(one & the same <ms>\)/);
    const json = labJson(run) as Record<string, unknown>[];
    expect(json.find((line) => line['layout'] === 'cell-versions' && line['question'] === 'Q2')).toMatchObject({ answers: 'n/a', wrongAnswers: 4, p99Ms: 3 });
    expect(json.find((line) => line['layout'] === 'table-per-index')).toMatchObject({ refused: '5000 tables; an instance holds at most 1000', busiestRangeShare: null });
    expect(json[0]).toMatchObject({ workload: { indices: 50, ticks: 1000, hottestShare: 0.25 } });
    expect(json.at(-1)).toHaveProperty('verdict.falsifiers');
  });
});

describe('options', () => {
  test('defaults, and all of them', () => {
    expect(labRequest({})).toMatchObject({ ok: true, value: { shape: { indices: 50, rate: 5, skew: 1.1, bytes: 60, span: 3600, window: 600, seed: 1 }, repeat: 30, tablets: 16 } });
    const given = labRequest({ indices: '3', rate: '0.5', skew: 'zipf:0', bytes: '100', span: '20m', window: '90s', seed: '9', repeat: '2', tablets: '4', layouts: 'canonical,time-first' });
    expect(given).toMatchObject({ ok: true, value: { shape: { indices: 3, rate: 0.5, skew: 0, bytes: 100, span: 1200, window: 90, seed: 9 }, repeat: 2, tablets: 4 } });
    expect(given.ok && given.value.candidates).toHaveLength(2);
  });

  test.each([
    [{ indices: '0' }, /--indices/], [{ rate: '-1' }, /--rate/], [{ rate: '0' }, /--rate/], [{ skew: '1.1' }, /--skew/], [{ bytes: '1e3' }, /--bytes/], [{ span: '1y' }, /--span/], [{ window: '2h' }, /--window is longer/],
    [{ seed: '1.5' }, /--seed/], [{ repeat: '0' }, /--repeat/], [{ tablets: 'x' }, /--tablets/], [{ layouts: 'canonical,toString' }, /--layouts/], [{ rate: '1000' }, /3600000 ticks are more than 200000/],
  ])('%o is refused', (values, what) => expect(labRequest(values)).toMatchObject({ ok: false, error: { code: 'BAD_INPUT', what: expect.stringMatching(what) } }));
});
