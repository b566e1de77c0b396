/** The crosshair by keys and pointer, and what readers get. */
import axe from 'axe-core';
import { describe, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { failed, problem } from '../../shared/result.ts';
import { complainsOfNothing, MORNING, scene, without } from './chartMount.tsx';
import { SPX_POINTS, tick } from './chartScene.tsx';

complainsOfNothing();

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

  test('is one for all charts: the others have a line and a readout at the same instant, and end with it', async () => {
    const [here, there] = [await scene(), await scene({ points: SPX_POINTS.map(({ time, price }) => ({ time, price: (Number(price) + 1000).toFixed(2) })) })];
    for (const chart of [here, there]) {
      await chart.ready();
      await chart.settled();
    }
    const seen = (part: string): boolean => getComputedStyle(there.slider().querySelector(`[data-part="${part}"]`)!).visibility === 'visible';
    here.slider().focus();
    await userEvent.keyboard('{Home}{ArrowRight}');
    expect([here.slider().dataset['cursor'], there.slider().dataset['cursor']]).toEqual(['on', 'along']);
    expect([here.part('time'), there.part('time')]).toEqual(['09:31:00.000 −05:00', '09:31:00.000 −05:00']);
    expect(Number(there.part('price').replace(',', '')) - Number(here.part('price').replace(',', ''))).toBeCloseTo(1000, 5);
    expect(['vertical', 'readout', 'time-tag', 'horizontal', 'price-tag'].map(seen)).toEqual([true, true, false, false, false]);
    // the other one takes over
    there.slider().focus();
    await userEvent.keyboard('{End}');
    expect([here.slider().dataset['cursor'], there.slider().dataset['cursor']]).toEqual(['along', 'on']);
    expect(['vertical', 'readout', 'time-tag', 'horizontal', 'price-tag'].map(seen)).toEqual([true, true, true, true, true]);
    expect([there.part('price-tag'), there.part('time-tag')]).toEqual([there.part('price'), there.part('time').slice(0, 8)]);
    await userEvent.keyboard('{Escape}');
    expect([here.slider().dataset['cursor'], there.slider().dataset['cursor']]).toEqual(['off', 'off']);
  });

  test('says how long a gap is, where it points at one or stands at its edge', async () => {
    const [from, to] = [Date.UTC(2019, 10, 6, 15, 10), Date.UTC(2019, 10, 6, 15, 22)];
    const chart = await scene({ points: without(from, to) });
    await chart.ready();
    await chart.settled();
    await expect.poll(() => chart.root().querySelector('.chart-gap')).not.toBeNull();
    const gap = chart.root().querySelector('.chart-gap')!.getBoundingClientRect();
    const box = chart.slider().getBoundingClientRect();
    const point = (x: number): Promise<void> => userEvent.hover(chart.slider(), { position: { x, y: box.height / 2 } });
    await point((gap.left + gap.right) / 2 - box.left);
    await expect.poll(() => chart.part('gap')).toBe('no data 12 min');
    await point(gap.left - box.left - 60);
    await expect.poll(() => chart.part('gap')).toBe('');
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
