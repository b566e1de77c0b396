/** IndexChart in a real browser, on real minutes: what is drawn, what is never drawn, and what keys and readers get. */
import axe from 'axe-core';
import { type ReactElement, StrictMode } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { IndexChart, type IndexChartProps } from '../../renderer/chart/IndexChart.tsx';
import type { HistoryAnswer, HistoryRequest, TicksEvent } from '../../shared/channels.ts';
import { failed, ok, problem, type Result } from '../../shared/result.ts';
import { answer, createTail, NKY, NKY_POINTS, NKY_SESSIONS, type Point, quoteOf, SPX, SPX_POINTS, SPX_SESSIONS, tick } from './chartScene.tsx';

const MORNING = Date.UTC(2019, 10, 6, 16, 12, 7); // 11:12:07 in New York
const BASE = { price: '3074.62', date: '2019-11-05', kind: 'official' } as const;

interface Scene {
  readonly points?: readonly Point[];
  readonly now?: number;
  readonly props?: Partial<IndexChartProps>;
  readonly strict?: boolean;
}

/** Mounts a chart whose desk clock stands still unless moved. */
async function scene({ points = SPX_POINTS, now = MORNING, props = {}, strict = false }: Scene = {}) {
  let clock = now;
  const tail = createTail();
  const requests: HistoryRequest[] = [];
  const known = (): readonly Point[] => points.filter(({ time }) => time <= clock);
  const load = vi.fn((request: HistoryRequest): Promise<Result<HistoryAnswer>> => {
    requests.push(request);
    return Promise.resolve(answer(request, known()));
  });
  const last = known().at(-1);
  const base: IndexChartProps = {
    info: SPX, quote: last ? quoteOf(SPX, last, { base: BASE }) : undefined, load, sessions: () => Promise.resolve(ok(SPX_SESSIONS)), onTicks: tail.onTicks,
    now: () => BigInt(clock) * 1000n, zone: SPX.zone, range: '1D', stale: false, locale: 'en-US', ...props,
  };
  const chart = (change: Partial<IndexChartProps> = {}): ReactElement => {
    const element = <div style={{ width: 694, height: 560, background: '#11181f' }}><IndexChart {...base} {...change} /></div>;
    return strict ? <StrictMode>{element}</StrictMode> : element;
  };
  const screen = await render(chart());
  const root = (): HTMLElement => screen.container.querySelector<HTMLElement>('.chart')!;
  return {
    root, tail, requests,
    at: (time: number) => { clock = time; },
    again: (change: Partial<IndexChartProps>) => screen.rerender(chart(change)),
    ready: () => expect.poll(() => root().dataset['status'], { timeout: 10_000 }).toBe('ready'),
    /** The crosshair follows the first picture. */
    settled: () => expect.poll(() => root().querySelector('[role="slider"]'), { timeout: 10_000 }).not.toBeNull(),
    status: (status: string) => expect.poll(() => root().dataset['status'], { timeout: 10_000 }).toBe(status),
    past: () => root().querySelector('.chart-line-past')?.getAttribute('d') ?? '',
    current: () => ['body', 'tail'].map((part) => root().querySelector(`[data-part="${part}"]`)?.getAttribute('d') ?? '').join(''),
    part: (name: string) => root().querySelector(`[data-part="${name}"]`)?.textContent ?? '',
    slider: () => root().querySelector<HTMLElement>('[role="slider"]')!,
    lastTag: () => root().querySelector<HTMLElement>('.chart-tag-last')!,
  };
}

/** Pieces of a path as [first x, last x]; the tail's repeated start is no new piece. */
function pieces(text: string): [number, number][] {
  const found: [number, number][] = [];
  let end = '';
  for (const [, kind = '', x = '', y = ''] of text.matchAll(/([ML])(-?[\d.]+),(-?[\d.]+)/g)) {
    const piece = found.at(-1);
    if (kind === 'M' && end !== `${x},${y}`) found.push([Number(x), Number(x)]);
    else if (piece) piece[1] = Number(x);
    end = `${x},${y}`;
  }
  return found;
}
const without = (from: number, to: number): readonly Point[] => SPX_POINTS.filter(({ time }) => time <= from || time >= to);

const problems: string[] = [];
beforeEach(() => {
  problems.length = 0;
  for (const kind of ['error', 'warn'] as const) {
    vi.spyOn(console, kind).mockImplementation((...parts: unknown[]) => { problems.push(parts.map(String).join(' ')); });
  }
  return () => {
    vi.restoreAllMocks();
    expect(problems).toEqual([]); // React, Recharts and we ourselves have nothing to complain about
  };
});

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

describe('the live tail', () => {
  const send = (chart: Awaited<ReturnType<typeof scene>>, event: Partial<TicksEvent>): void => chart.tail.send(event);
  const end = MORNING;

  test('new ticks, late ticks, corrections and removals land where they belong', async () => {
    const chart = await scene();
    await chart.ready();
    const before = chart.current();
    send(chart, { ticks: [tick(end - 2000, '3075.10', 0), tick(end - 1000, '3075.25', 0)] });
    await expect.poll(() => chart.lastTag().textContent).toBe('3,075.25');
    const grown = chart.current();
    expect(grown).not.toBe(before);
    send(chart, { ticks: [tick(end - 20 * 60_000 - 500, '3079.99')] }); // late: in its place, the last price stays
    await expect.poll(() => chart.current()).not.toBe(grown);
    expect(chart.lastTag().textContent).toBe('3,075.25');
    send(chart, { ticks: [tick(end - 1000, '3075.50', 0)] });
    await expect.poll(() => chart.lastTag().textContent).toBe('3,075.50');
    send(chart, { removed: [{ eventMicros: String((end - 1000) * 1000), sequence: 0 }] });
    await expect.poll(() => chart.lastTag().textContent).toBe('3,075.10');
  });

  test('a tick of another index or stamped an hour ahead changes nothing', async () => {
    const chart = await scene();
    await chart.ready();
    const [line, price] = [chart.current(), chart.lastTag().textContent];
    send(chart, { index: 'NDX', ticks: [tick(end, '8200')] });
    send(chart, { ticks: [tick(end + 3_600_000, '9999')] });
    send(chart, { ticks: [tick(end - 500, '3074.58')] });
    await expect.poll(() => chart.current()).not.toBe(line);
    expect(chart.lastTag().textContent).toBe(price);
  });

  test('a backfill closes the gap that the outage left', async () => {
    const [from, to] = [Date.UTC(2019, 10, 6, 15, 10), Date.UTC(2019, 10, 6, 15, 22)];
    const chart = await scene({ points: without(from, to) });
    await chart.ready();
    expect(chart.root().querySelectorAll('.chart-gap').length).toBe(1);
    send(chart, { backfill: true, ticks: SPX_POINTS.filter(({ time }) => time > from && time < to).map(({ time, price }) => tick(time, price)) });
    await expect.poll(() => chart.root().querySelectorAll('.chart-gap').length).toBe(0);
    expect(pieces(chart.current()).length).toBe(1);
  });
});

describe('the desk clock', () => {
  test('passing time moves the axis by steps, without any tick', async () => {
    const chart = await scene({ props: { range: '1h' } });
    await chart.ready();
    const labels = (): string => [...chart.root().querySelectorAll('.chart-tick:not(.chart-tick-price)')].map((label) => label.getAttribute('x')).join();
    const before = labels();
    chart.at(MORNING + 4 * 60_000);
    await expect.poll(labels, { timeout: 5000 }).not.toBe(before);
    expect(chart.requests.length).toBe(1); // moving on needs no reading
    expect(chart.root().querySelector('.chart-gap-label')?.textContent).toBeUndefined(); // four minutes are no gap yet
    chart.at(MORNING + 6 * 60_000);
    await expect.poll(() => chart.root().querySelector('.chart-gap-label')?.textContent, { timeout: 5000 }).toBe('no data 6 min');
  });

  test('a clock that jumps back (a replay starts over) reads anew and shows nothing of what is now the future', async () => {
    const chart = await scene();
    await chart.ready();
    const end = pieces(chart.current()).at(-1)![1];
    const earlier = MORNING - 60 * 60_000;
    chart.at(earlier);
    await expect.poll(() => chart.requests.length, { timeout: 5000 }).toBe(2);
    await expect.poll(() => pieces(chart.current()).at(-1)![1] !== end, { timeout: 5000 }).toBe(true);
    await chart.settled();
    chart.slider().focus();
    await userEvent.keyboard('{End}');
    expect(chart.part('time') <= '10:12:12').toBe(true);
  });
});

describe('states', () => {
  test('stale: nothing looks live, and afterwards the range is read again', async () => {
    const chart = await scene();
    await chart.ready();
    await chart.again({ stale: true });
    expect(chart.root().dataset['look']).toBe('disconnected');
    expect(chart.root().querySelector('.chart-trouble')!.textContent).toBe('disconnected, last good price of 11:12:00');
    expect(getComputedStyle(chart.lastTag()).textDecorationLine).toBe('line-through');
    await expect.poll(() => chart.root().querySelector('output')!.textContent).toBe('SPX is disconnected');
    await chart.again({ stale: false });
    await expect.poll(() => chart.requests.length).toBe(2);
    expect(chart.root().dataset['look']).toBe('live');
  });

  test('a new snapshot reads the range again under the picture', async () => {
    const chart = await scene({ props: { epoch: 1 } });
    await chart.ready();
    const [line, root] = [chart.current(), chart.root()];
    await chart.again({ epoch: 2 });
    expect([chart.root().dataset['status'], chart.current()]).toEqual(['ready', line]);
    await expect.poll(() => chart.requests.length).toBe(2);
    expect([chart.root() === root, chart.root().dataset['status'], chart.current()]).toEqual([true, 'ready', line]);
  });

  test('each feed state has its look', async () => {
    const chart = await scene();
    await chart.ready();
    const point = SPX_POINTS[0]!;
    for (const [state, look] of [['live', 'live'], ['quiet', 'live'], ['closed', 'closed'], ['stalled', 'stalled'], ['disconnected', 'disconnected'], ['nodata', 'disconnected']] as const) {
      await chart.again({ quote: quoteOf(SPX, point, { state }) });
      expect([state, chart.root().dataset['look']]).toEqual([state, look]);
    }
  });

  test('loading shows progress; a failure says what and what next, and trying again works', async () => {
    let fails = true;
    const gate = Promise.withResolvers<void>();
    const load = async (request: HistoryRequest): Promise<Result<HistoryAnswer>> => {
      await gate.promise;
      return fails ? failed(problem('STORE_TIMEOUT', 'the store did not answer within 2 s', 'check the network, then try again', true)) : answer(request, SPX_POINTS.filter(({ time }) => time <= MORNING));
    };
    const chart = await scene({ props: { load } });
    expect(chart.root().getAttribute('aria-busy')).toBe('true');
    await expect.poll(() => chart.root().querySelector('progress')).not.toBeNull();
    gate.resolve();
    await chart.status('failed');
    expect(chart.root().querySelector('[role="alert"]')!.textContent).toContain('the store did not answer within 2 s');
    expect(chart.root().querySelector('[role="alert"]')!.textContent).toContain('check the network');
    fails = false;
    await userEvent.click(chart.root().querySelector('button')!);
    await chart.ready();
  });

  test('empty says so, and the first tick fills it', async () => {
    const chart = await scene({ points: [], props: { quote: undefined } });
    await chart.status('empty');
    expect(chart.root().textContent).toContain('no prices of SPX in this range');
    chart.tail.send({ ticks: [tick(MORNING - 1000, '3074.00')] });
    await chart.ready();
  });

  test('stalled says since when, in the colour of trouble, with the price struck', async () => {
    const chart = await scene();
    await chart.ready();
    expect(chart.root().querySelector('.chart-trouble')).toBeNull();
    const live = getComputedStyle(chart.root().querySelector('.chart-line-current')!).stroke;
    await chart.again({ stale: true, quote: quoteOf(SPX, { time: MORNING - 7000, price: '3074.62' }, { state: 'stalled', base: BASE }) });
    expect(chart.root().querySelector('.chart-trouble')!.textContent).toBe('stalled, newest price of 11:12:00');
    expect(getComputedStyle(chart.root().querySelector('.chart-line-current')!).stroke).not.toBe(live);
    expect(getComputedStyle(chart.lastTag()).textDecorationLine).toBe('line-through');
  });

  test('an open market silent for longer than the range: its axis, one hatched gap as long as the silence, the newest price and its time', async () => {
    const last = Date.UTC(2019, 10, 6, 15, 52);
    const chart = await scene({ points: SPX_POINTS.filter(({ time }) => time <= last), props: { range: '5m' } });
    await chart.ready();
    const gaps = [...chart.root().querySelectorAll('.chart-gap-label')].map(({ textContent }) => textContent);
    expect(gaps).toEqual(['no data 20 min']);
    expect([...chart.root().querySelectorAll('.chart-tick')].map(({ textContent }) => textContent)).toContain('11:10');
    expect(chart.root().querySelector('.chart-notes')!.textContent).toBe('no price in this range; the newest is of Wed, Nov 6 10:52:00');
    expect(chart.lastTag().hidden).toBe(false);
    chart.tail.send({ ticks: [tick(MORNING - 500, '3075.25')] });
    await expect.poll(() => chart.root().querySelector('.chart-notes')!.textContent).toBe('');
    expect(chart.lastTag().textContent).toBe('3,075.25');
  });

  test('closed: the hour ends at the last event, not at the silent present', async () => {
    const chart = await scene({ now: Date.UTC(2019, 10, 6, 23), props: { range: '1h', quote: quoteOf(SPX, SPX_POINTS.at(-1)!, { state: 'closed', base: BASE }) } });
    await chart.ready();
    expect(chart.root().querySelectorAll('.chart-gap').length).toBe(0);
    expect(pieces(chart.current()).length).toBe(1);
    expect(chart.lastTag().textContent).toBe('3,076.73');
  });
});

describe('crosshair', () => {
  test('by keys: over real points with exact values, Home, End, pages, Escape back to live', async () => {
    const chart = await scene();
    await chart.ready();
    await chart.settled();
    chart.slider().focus();
    await userEvent.keyboard('{Home}');
    const shown = SPX_POINTS.filter(({ time }) => time <= MORNING);
    expect(chart.slider().dataset['cursor']).toBe('on');
    expect(chart.part('price')).toBe(Number(shown[0]!.price).toLocaleString('en-US', { minimumFractionDigits: 2 }));
    expect(chart.part('time')).toBe('09:30:00.000 −05:00');
    expect(chart.part('day')).toContain('Tue, Nov 5');
    await userEvent.keyboard('{ArrowRight}{ArrowRight}');
    expect(chart.part('time')).toBe('09:32:00.000 −05:00');
    await userEvent.keyboard('{ArrowLeft}');
    expect(chart.part('time')).toBe('09:31:00.000 −05:00');
    await userEvent.keyboard('{PageUp}');
    expect(chart.slider().getAttribute('aria-valuenow')).toBe(String(1 + Math.round((shown.length - 1) / 10)));
    await userEvent.keyboard('{End}');
    expect(chart.part('time')).toBe('11:12:00.000 −05:00');
    expect(chart.slider().getAttribute('aria-valuetext')).toBe(`${chart.part('price')} at 11:12:00.000 −05:00, Wed, Nov 6`);
    await userEvent.keyboard('{Escape}');
    expect(chart.slider().dataset['cursor']).toBe('off');
    expect(chart.slider().getAttribute('aria-valuetext')).toContain('newest: ');
  });

  test('by pointer: the nearest point, and it stays on its point while others arrive', async () => {
    const chart = await scene();
    await chart.ready();
    await chart.settled();
    const box = chart.slider().getBoundingClientRect();
    await userEvent.hover(chart.slider(), { position: { x: box.width / 3, y: box.height / 2 } });
    await expect.poll(() => chart.slider().dataset['cursor']).toBe('on');
    const [time, price] = [chart.part('time'), chart.part('price')];
    const point = SPX_POINTS.find(({ time: at }) => new Date(at).toISOString().slice(11, 19) === `${String(Number(time.slice(0, 2)) + 5).padStart(2, '0')}${time.slice(2, 8)}`)!;
    expect(price.replace(',', '')).toBe(Number(point.price).toFixed(2));
    chart.tail.send({ ticks: [tick(Date.UTC(2019, 10, 5, 14, 30, 30), '3081.00'), tick(MORNING - 100, '3075')] });
    await expect.poll(() => chart.lastTag().textContent).toBe('3,075.00');
    expect([chart.part('time'), chart.part('price')]).toEqual([time, price]);
    await userEvent.unhover(chart.slider());
    await expect.poll(() => chart.slider().dataset['cursor']).toBe('off');
  });
});

describe('for everybody', () => {
  test('a short table and a sentence tell what the line shows', async () => {
    const [from, to] = [Date.UTC(2019, 10, 6, 15, 10), Date.UTC(2019, 10, 6, 15, 22)];
    const chart = await scene({ points: without(from, to) });
    await chart.ready();
    await expect.poll(() => chart.root().querySelectorAll('tbody tr').length, { timeout: 5000 }).toBeGreaterThan(10);
    expect(chart.root().querySelectorAll('tbody tr').length).toBeLessThanOrEqual(24);
    expect(document.getElementById(chart.slider().getAttribute('aria-describedby')!)!.textContent).toContain('no data for 12 min from 10:10');
  });

  test('axe finds nothing in ready, stale, empty and failed', async () => {
    const check = async (root: HTMLElement): Promise<void> => {
      const { violations } = await axe.run(root.parentElement!, { rules: { region: { enabled: false } } });
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
    };
    const chart = await scene();
    await chart.ready();
    await expect.poll(() => chart.root().querySelectorAll('tbody tr').length, { timeout: 5000 }).toBeGreaterThan(0);
    await check(chart.root());
    await chart.again({ stale: true });
    await check(chart.root());
    const empty = await scene({ points: [], props: { quote: undefined } });
    await empty.status('empty');
    await check(empty.root());
    const broken = await scene({ props: { load: () => Promise.resolve(failed(problem('STORE_UNREACHABLE', 'nothing listens', 'start the store', true))) } });
    await broken.status('failed');
    await check(broken.root());
  });
});
