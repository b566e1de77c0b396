/** Loading, empty, failed, stale and stalled charts. */
import { describe, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { HistoryAnswer, HistoryRequest } from '../../shared/channels.ts';
import { failed, problem, type Result } from '../../shared/result.ts';
import { BASE, complainsOfNothing, MORNING, pieces, scene } from './chartMount.tsx';
import { answer, quoteOf, SPX, SPX_POINTS, tick } from './chartScene.tsx';

complainsOfNothing();

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
    await expect.poll(() => chart.root().querySelector('.chart-notes')).toBeNull();
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
