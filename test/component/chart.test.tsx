/** What a chart draws of real minutes, and what it never draws. */
import { describe, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { ok } from '../../shared/result.ts';
import { BASE, complainsOfNothing, MORNING, pieces, scene, without } from './chartMount.tsx';
import { NKY, NKY_POINTS, NKY_SESSIONS, quoteOf, SPX, SPX_POINTS, SPX_SESSIONS } from './chartScene.tsx';

complainsOfNothing();

describe('what is drawn', () => {
  test('previous session and current one are lines of their own; nothing crosses the night', async () => {
    const chart = await scene();
    await chart.ready();
    const [previous, current] = [pieces(chart.past()), pieces(chart.current())];
    expect(previous.length).toBe(1);
    expect(current.length).toBe(1);
    const seam = Number(chart.root().querySelector('.chart-break line')!.getAttribute('x1'));
    expect(previous[0]![1]).toBeLessThanOrEqual(seam + 0.5);
    expect(current[0]![0]).toBeGreaterThanOrEqual(seam - 0.6);
    expect(Math.abs(current[0]![0] - previous[0]![1])).toBeLessThan(4); // the night takes no width
    expect(chart.root().querySelector('.chart-break text')!.textContent).toBe('Wed, Nov 6');
    expect(chart.root().querySelectorAll('.chart-gap').length).toBe(0);
  });

  test('twelve minutes without data are a hatched gap with its length, never bridged', async () => {
    const [from, to] = [Date.UTC(2019, 10, 6, 15, 10), Date.UTC(2019, 10, 6, 15, 22)];
    const chart = await scene({ points: without(from, to) });
    await chart.ready();
    expect(pieces(chart.current()).length).toBe(2);
    const gap = chart.root().querySelector('.chart-gap')!;
    const [left, width] = [Number(gap.getAttribute('x')), Number(gap.getAttribute('width'))];
    const [before, after] = pieces(chart.current());
    expect(left).toBeCloseTo(before![1], 0);
    expect(left + width).toBeCloseTo(after![0], 0);
    expect(chart.root().querySelector('.chart-gap-label')!.textContent).toBe('no data 12 min');
  });

  test("Tokyo's lunch breaks the line and takes no width", async () => {
    const chart = await scene({
      points: NKY_POINTS, now: Date.UTC(2021, 0, 14, 4, 20),
      props: { info: NKY, zone: NKY.zone, sessions: () => Promise.resolve(ok(NKY_SESSIONS)), quote: quoteOf(NKY, NKY_POINTS[200]!) },
    });
    await chart.ready();
    expect(chart.past()).toBe(''); // no previous session in the data: the axis starts with this one
    const [morning, afternoon] = pieces(chart.current());
    expect(pieces(chart.current()).length).toBe(2);
    expect(afternoon![0] - morning![1]).toBeLessThan(4);
    expect(chart.root().querySelector('.chart-break text')!.textContent).toBe('lunch');
    expect([...chart.root().querySelectorAll('.chart-tick')].map(({ textContent }) => textContent)).toContain('12:30');
    expect(chart.root().querySelectorAll('.chart-gap').length).toBe(0);
  });

  test('a half day says so at its break', async () => {
    const half = SPX_SESSIONS.map((one) => (one.date === '2019-11-05' ? { ...one, closeMicros: String(Date.UTC(2019, 10, 5, 18) * 1000), note: 'half day' } : one));
    const chart = await scene({ points: SPX_POINTS.filter(({ time }) => time < Date.UTC(2019, 10, 5, 18) || time > Date.UTC(2019, 10, 6)), props: { sessions: () => Promise.resolve(ok(half)) } });
    await chart.ready();
    expect(chart.root().querySelector('.chart-break text')!.textContent).toBe('half day, closed 13:00');
  });

  test('the last price stands on the axis as the headline has it, every digit of it under the crosshair, the base beside it', async () => {
    const chart = await scene({ props: { quote: quoteOf(SPX, { time: MORNING - 1000, price: '3074.5825' }, { base: BASE }) } });
    await chart.ready();
    await expect.poll(() => chart.lastTag().textContent).toBe('3,074.58');
    await chart.settled();
    chart.slider().focus();
    await userEvent.keyboard('{End}');
    expect(chart.part('price')).toBe('3,074.5825');
    expect(chart.root().querySelector('.chart-tag-base')!.textContent).toBe('3,074.62');
    expect(chart.root().dataset['tone']).toBe('down');
  });

  test('the line comes first, then the grid of Recharts lies exactly under our labels', async () => {
    const chart = await scene();
    await chart.ready();
    expect(chart.current()).not.toBe('');
    const lines = (): SVGLineElement[] => [...chart.root().querySelectorAll<SVGLineElement>('.recharts-cartesian-grid-horizontal line')];
    await expect.poll(() => lines().length, { timeout: 5000 }).toBeGreaterThan(3);
    const labels = [...chart.root().querySelectorAll<SVGTextElement>('.chart-tick-price')].map(({ dataset }) => Math.round(Number(dataset['at'])));
    expect(lines().map((line) => Math.round(Number(line.getAttribute('y1')))).sort((a, b) => a - b)).toEqual(labels.sort((a, b) => a - b));
    const base = chart.root().querySelector('.chart-base')!;
    for (const side of ['x1', 'x2']) expect(Number(lines()[0]!.getAttribute(side))).toBeCloseTo(Number(base.getAttribute(side)), 0);
  });

  test('labels, line and grid follow the size of their place, step by step', async () => {
    const chart = await scene();
    await chart.ready();
    await chart.settled();
    const box = chart.root().parentElement!;
    for (const height of [553, 540, 539, 500, 600]) {
      box.style.height = `${height}px`;
      await expect.poll(() => Number(chart.root().querySelector('.chart-tick')!.getAttribute('y')), { timeout: 5000 }).toBe(height - 8);
      await expect.poll(() => chart.root().querySelector<HTMLElement>('.recharts-wrapper')!.style.height, { timeout: 5000 }).toBe(`${height}px`);
    }
    expect(Number(chart.root().querySelector('.chart-tick')!.getAttribute('y'))).toBe(592);
  });

  test('another range in a box that grew meanwhile fits it', async () => {
    const chart = await scene();
    await chart.ready();
    chart.root().parentElement!.style.height = '500px'; // nobody has told of it yet
    await chart.again({ range: '1h' });
    await chart.ready();
    await expect.poll(() => Number(chart.root().querySelector('.chart-tick')?.getAttribute('y')), { timeout: 5000 }).toBe(492);
  });

  test('reads once per range, only what the range needs', async () => {
    const chart = await scene();
    await chart.ready();
    expect(chart.requests.length).toBe(1);
    expect(Number(chart.requests[0]!.fromMicros) / 1000).toBe(Date.UTC(2019, 10, 5, 14, 29));
    await chart.again({ range: '5m' });
    await expect.poll(() => chart.requests.length).toBe(2);
    expect(Number(chart.requests[1]!.fromMicros) / 1000).toBeGreaterThan(MORNING - 8 * 60_000);
    await chart.ready();
  });

  test('mounts twice without a trace (StrictMode)', async () => {
    const chart = await scene({ strict: true });
    await chart.ready();
    expect(pieces(chart.current()).length).toBe(1);
  });
});
