/** The view moved by wheel, drag and keys, and the scales of the price axis: by the instants and values that the chart then shows. */
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import '../../renderer/theme/theme.css';
import type { ChartModel } from '../../renderer/chart/chartModel.ts';
import { DEFAULT_SETTINGS } from '../../renderer/chart/settings.ts';
import { complainsOfNothing, MORNING, scene } from './chartMount.tsx';
import { type Point, SPX_POINTS } from './chartScene.tsx';

complainsOfNothing();

async function moving(props: NonNullable<Parameters<typeof scene>[0]> = {}) {
  const held: { model: ChartModel | null } = { model: null };
  const onModel = (next: ChartModel | null): void => { held.model = next; };
  const chart = await scene({ ...props, props: { ...props.props, onModel } });
  await chart.ready();
  await chart.settled();
  const frame = () => held.model!.view().frame!;
  return {
    ...chart, frame,
    /** Length of the view in trading time, milliseconds. */
    length: () => frame().scale.timeline.toTrading(frame().to) - frame().scale.timeline.toTrading(frame().from),
    live: () => chart.root().querySelector('.chart-still') === null,
    labels: () => [...chart.root().querySelectorAll<SVGElement>('.chart-tick-price')].map((label) => ({ text: label.textContent, y: Number(label.dataset['at']) })),
    ys: () => [...`${chart.past()}${chart.current()}`.matchAll(/[ML]-?[\d.]+,(-?[\d.]+)/g)].map(([, y]) => Number(y)),
  };
}

test('wheel: less is shown up to now, or around the pointer once the view stands', async () => {
  const chart = await moving();
  const wheel = (init: WheelEventInit, share: number): void => {
    const box = chart.slider().getBoundingClientRect();
    chart.slider().dispatchEvent(new WheelEvent('wheel', { bubbles: true, cancelable: true, clientX: box.left + box.width * share, clientY: box.top + 50, ...init }));
  };
  const [whole, end] = [chart.length(), chart.frame().to];
  wheel({ deltaY: -300 }, 0.5);
  await expect.poll(() => chart.length() / whole).toBeCloseTo(Math.exp(-300 * 0.0016), 1);
  expect([chart.live(), chart.frame().to >= MORNING, chart.frame().to <= end]).toEqual([true, true, true]);
  wheel({ deltaY: 200, shiftKey: true }, 0.5); // to later: there is nothing
  expect(chart.live()).toBe(true);
  wheel({ deltaY: -400, shiftKey: true }, 0.5);
  await expect.poll(chart.live).toBe(false);
  const { from, to } = chart.frame();
  expect(to).toBeLessThan(MORNING);
  wheel({ deltaY: -300 }, 0);
  await expect.poll(() => chart.frame().to).toBeLessThan(to);
  expect(Math.abs(chart.frame().from - from)).toBeLessThan((to - from) / 50);
});

test('drag: the view goes with the pointer; a double click returns to now', async () => {
  const chart = await moving();
  const [whole, { from, to }] = [chart.length(), chart.frame()];
  const box = chart.slider().getBoundingClientRect();
  await userEvent.dragAndDrop(chart.slider(), chart.slider(), { sourcePosition: { x: 100, y: 200 }, targetPosition: { x: 100 + box.width / 4, y: 200 } });
  await expect.poll(chart.live).toBe(false);
  const { timeline } = chart.frame().scale;
  expect(chart.length() / whole).toBeCloseTo(1, 1);
  expect((timeline.toTrading(to) - timeline.toTrading(chart.frame().to)) / whole).toBeCloseTo(0.25, 1);
  await userEvent.dblClick(chart.slider());
  await expect.poll(chart.live).toBe(true);
  await expect.poll(() => [chart.frame().from, chart.frame().to]).toEqual([from, to]);
});

test('keys: zoom, a fifth of the width earlier and later, the first instant, back to now', async () => {
  const chart = await moving();
  const [whole, { to }] = [chart.length(), chart.frame()];
  chart.slider().focus();
  await userEvent.keyboard('{+}');
  await expect.poll(() => chart.length() / whole).toBeCloseTo(1 / 1.4, 1);
  const length = chart.length();
  await userEvent.keyboard('{Shift>}{ArrowLeft}{/Shift}');
  await expect.poll(chart.live).toBe(false);
  const { timeline } = chart.frame().scale;
  expect((timeline.toTrading(to) - timeline.toTrading(chart.frame().to)) / length).toBeCloseTo(0.2, 1);
  await userEvent.keyboard('{Shift>}{Home}{/Shift}');
  await expect.poll(() => chart.frame().from).toBe(SPX_POINTS[0]!.time);
  await userEvent.keyboard('{Shift>}{End}{/Shift}');
  await expect.poll(() => [chart.live(), chart.frame().to]).toEqual([true, to]);
});

test('a logarithmic axis: equal ratios are equal distances, of labels and line', async () => {
  const decades: readonly Point[] = [10, 100, 1000].map((price, at) => ({ time: MORNING - (3 - at) * 60_000, price: String(price) }));
  const chart = await moving({ points: decades, props: { settings: { ...DEFAULT_SETTINGS, scale: 'log', overlays: [] }, range: '5m' } });
  const [ten = 0, hundred = 0, thousand = 0] = chart.ys();
  expect(ten - hundred).toBeGreaterThan(50);
  expect(Math.abs(ten - hundred - (hundred - thousand))).toBeLessThan(1);
  for (const [text, y] of [['10.00', ten], ['100.00', hundred], ['1,000.00', thousand]] as const) expect(Math.abs(chart.labels().find((label) => label.text === text)!.y - y)).toBeLessThan(1);
});

test('a percent axis: zero is the first price in view, and the newest lies at its change', async () => {
  const chart = await moving({ props: { settings: { ...DEFAULT_SETTINGS, scale: 'percent', overlays: [] } } });
  const percents = chart.labels().map(({ text, y }) => [Number(text.replace(/[+%\s]/g, '').replace('−', '-')), y] as const);
  expect(chart.labels().every(({ text }) => text.endsWith('%'))).toBe(true);
  const [a, b] = [percents[0]!, percents.at(-1)!];
  const pixel = (percent: number): number => a[1] + ((percent - a[0]) * (b[1] - a[1])) / (b[0] - a[0]);
  const shown = SPX_POINTS.filter(({ time }) => time <= MORNING);
  expect(Math.abs(chart.ys()[0]! - pixel(0))).toBeLessThan(1);
  expect(Math.abs(chart.ys().at(-1)! - pixel((Number(shown.at(-1)!.price) / Number(shown[0]!.price) - 1) * 100))).toBeLessThan(1);
});
