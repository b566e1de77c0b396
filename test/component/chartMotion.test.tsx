/** A view that moves: what is drawn ahead of React is what React lays out in the end. */
import { describe, expect, test } from 'vitest';
import { complainsOfNothing, scene, without } from './chartMount.tsx';

complainsOfNothing();

interface Written {
  readonly texts: readonly string[];
  readonly gaps: readonly string[];
  readonly breaks: readonly string[];
  readonly lines: readonly string[];
}
const round = (value: number): number => Math.round(value * 10) / 10;
const tenth = (element: Element, name: string): number => round(Number(element.getAttribute(name)));
/** Lines of a kind are one path while the view moves: where each part of it begins. */
const parts = (path: Element): number[][] => [...(path.getAttribute('d') ?? '').matchAll(/M([-\d.]+),([-\d.]+)(?:h([\d.]+))?/g)].map((found) => found.slice(1).map((value) => round(Number(value ?? 0))));
const written = (root: Element, layer: string): Written => {
  const all = (selector: string): Element[] => [...root.querySelectorAll(`${layer} ${selector}`)];
  const at = (element: Element): string => `${element.textContent} ${tenth(element, 'x')} ${tenth(element, 'y')}`;
  return {
    texts: all('.chart-tick').map(at).sort(), gaps: all('.chart-gap').flatMap((gap) => (gap.tagName === 'path' ? parts(gap).map(([x, , width]) => [x, width]) : [[tenth(gap, 'x'), tenth(gap, 'width')]])).map(String),
    breaks: all('.chart-break line').map((line) => String(tenth(line, 'x1'))).concat(all('.chart-break-line').flatMap(parts).map(([x]) => String(x))),
    lines: all('.chart-base').flatMap((line) => (line.tagName === 'path' ? parts(line).map(([, y]) => String(y)) : [String(tenth(line, 'y1'))])),
  };
};

describe('a view that moves', () => {
  test('has its labels, gaps, breaks and base at once, and the same ones at rest', async () => {
    const chart = await scene({ points: without(Date.UTC(2019, 10, 6, 15, 10), Date.UTC(2019, 10, 6, 15, 22)) });
    await chart.ready();
    await chart.settled();
    const before = written(chart.root(), ':is(.chart-axis, .chart-marks)');
    const line = chart.current();
    const wheel = (init: WheelEventInit): boolean => chart.slider().dispatchEvent(new WheelEvent('wheel', { bubbles: true, cancelable: true, clientX: chart.slider().getBoundingClientRect().left + 400, ...init }));
    wheel({ deltaY: -240 });
    await expect.poll(() => chart.root().dataset['moving']).toBe('');
    const moving = written(chart.root(), '.chart-motion');
    expect(moving.texts).not.toEqual(before.texts);
    expect(chart.current()).not.toBe(line);
    expect(moving.gaps.length).toBe(1);
    await expect.poll(() => chart.root().dataset['moving']).toBeUndefined();
    expect(written(chart.root(), ':is(.chart-axis, .chart-marks)')).toEqual(moving);
    expect(written(chart.root(), '.chart-motion')).toEqual({ texts: [], gaps: [], breaks: [], lines: [] });
  });

  test('reads exact values where it moves, and tells that it left the present', async () => {
    const chart = await scene();
    await chart.ready();
    await chart.settled();
    chart.slider().focus();
    const press = (key: string, shiftKey = false): boolean => chart.slider().dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true }));
    press('ArrowLeft', true);
    await expect.poll(() => chart.root().dataset['moving']).toBe('');
    press('Home');
    const [time, price] = [chart.part('time'), chart.part('price')];
    await expect.poll(() => chart.root().dataset['moving']).toBeUndefined();
    expect(chart.root().querySelector('.chart-still')?.textContent).toContain('not live');
    expect(chart.lastTag().hidden).toBe(true);
    press('End');
    press('Home');
    expect([chart.part('time'), chart.part('price')]).toEqual([time, price]);
  });
});
