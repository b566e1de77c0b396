/** What comes while a chart is open: ticks, late ones, corrections, and the desk clock. */
import { describe, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { TicksEvent } from '../../shared/channels.ts';
import { complainsOfNothing, MORNING, pieces, scene, without } from './chartMount.tsx';
import { SPX_POINTS, tick } from './chartScene.tsx';

complainsOfNothing();

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
