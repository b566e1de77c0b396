/** Lines over the price: each where its figures say, by the labels of the axis. */
import { expect, test } from 'vitest';
import '../../renderer/theme/theme.css';
import type { ChartModel } from '../../renderer/chart/chartModel.ts';
import type { Frame, Plot } from '../../renderer/chart/frame.ts';
import { Overlays } from '../../renderer/chart/Overlays.tsx';
import { type ChartSettings, DEFAULT_SETTINGS } from '../../renderer/chart/settings.ts';
import type { QuoteView } from '../../shared/channels.ts';
import { complainsOfNothing, MORNING, scene } from './chartMount.tsx';
import { answer, type Point, quoteOf, SPX, SPX_POINTS } from './chartScene.tsx';

complainsOfNothing();

const shown = SPX_POINTS.filter(({ time }) => time <= MORNING);
const NOON = Date.UTC(2019, 10, 5, 17);
/** A tenth more at noon, another tenth at the end. */
const OTHER: readonly Point[] = shown.map(({ time }, at) => ({ time, price: at === shown.length - 1 ? '121' : time >= NOON ? '110' : '100' }));
const source = { load: (request: Parameters<typeof answer>[0]) => Promise.resolve(answer(request, OTHER)), quote: (): QuoteView | undefined => otherQuote };
let otherQuote: QuoteView | undefined;

async function chartWith(change: Partial<ChartSettings>) {
  const settings = { ...DEFAULT_SETTINGS, overlays: [], ...change };
  const chart = await scene({
    props: {
      settings,
      extras: (model: ChartModel, frame: Frame, plot: Plot) => <Overlays model={model} frame={frame} plot={plot} id="SPX" settings={settings} source={source} day={{ open: '3080', high: '3081.5', low: '3072.25' }} decimals={2} locale="en-US" />,
    },
  });
  await chart.ready();
  await chart.settled();
  const all = (selector: string): Element[] => [...chart.root().querySelectorAll(selector)];
  return {
    legend: () => all('.chart-legend li').map(({ textContent }) => textContent.trim()),
    flats: () => all('.chart-flat').map((flat) => ({ text: flat.textContent, y: Number(flat.querySelector('line')!.getAttribute('y1')) })),
    /** Where the newest point of a line lies. */
    ends: () => all('.chart-overlays .chart-overlay').map((path) => Number(/,(-?[\d.]+)$/.exec(path.getAttribute('d') ?? '')?.[1])),
    /** Pixel of a value, by the axis' own labels. */
    pixel(value: number): number {
      const [first, second] = all('.chart-tick-price').map((label) => [Number(label.textContent.replace(/[,%+\s]/g, '').replace('−', '-')), Number((label as SVGElement).dataset['at'])] as const);
      return first![1] + ((value - first![0]) * (second![1] - first![1])) / (second![0] - first![0]);
    },
  };
}

test('an average stands where the mean of its points is, named with its value', async () => {
  const chart = await chartWith({ overlays: ['sma20', 'ema5'] });
  const mean = shown.slice(-20).reduce((sum, { price }) => sum + Number(price), 0) / 20;
  const ema = shown.slice(5).reduce((average, { price }) => average + (Number(price) - average) / 3, shown.slice(0, 5).reduce((sum, { price }) => sum + Number(price), 0) / 5);
  const inText = (value: number): string => value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  await expect.poll(chart.legend).toEqual([expect.stringContaining(inText(mean)), expect.stringContaining(inText(ema))]);
  const [first, second] = chart.ends();
  expect(Math.abs(first! - chart.pixel(mean))).toBeLessThan(1);
  expect(Math.abs(second! - chart.pixel(ema))).toBeLessThan(1);
});

test("the day's and the range's extremes and the levels in view, each at its price; a level out of view, or of another index, is not drawn", async () => {
  const [low, high] = [Math.min(...shown.map(({ price }) => Number(price))), Math.max(...shown.map(({ price }) => Number(price)))];
  const chart = await chartWith({
    overlays: ['day', 'range'],
    levels: [{ index: 'SPX', price: '3075.5', note: 'sell here' }, { index: 'SPX', price: '3076', note: '' }, { index: 'SPX', price: '9000', note: 'far' }, { index: 'NKY', price: '3077', note: 'other' }],
  });
  const expected = [['day high 3,081.50', 3081.5], ['day low 3,072.25', 3072.25], [`range high ${high.toLocaleString('en-US', { minimumFractionDigits: 2 })}`, high], [`range low ${low.toLocaleString('en-US', { minimumFractionDigits: 2 })}`, low], ['sell here 3,075.50', 3075.5], ['level 3,076.00', 3076]] as const;
  await expect.poll(() => chart.flats().map(({ text }) => text)).toEqual(expected.map(([text]) => text));
  for (const [at, { y }] of chart.flats().entries()) expect(Math.abs(y - chart.pixel(expected[at]![1]))).toBeLessThan(1.1);
});

test.each([['where the view begins', null, 21], ['at a chosen instant', NOON, 10]] as const)('compared %s: percent since then, and the line ends there', async (_, rebase, percent) => {
  const chart = await chartWith({ compare: ['OTH'], scale: 'percent', rebase });
  const since = rebase === null ? shown[0]! : shown.find(({ time }) => time >= rebase)!;
  const own = (Number(shown.at(-1)!.price) / Number(since.price) - 1) * 100;
  await expect.poll(() => chart.legend()[1]).toContain(`+${percent}.00`);
  expect(chart.legend()[0]).toMatch(new RegExp(`^SPX.*${Math.abs(own).toFixed(2)}`));
  await expect.poll(() => Math.abs(chart.ends()[0]! - chart.pixel(percent))).toBeLessThan(1);
});

test('a compared index goes on while the chart\'s own stands still', async () => {
  const chart = await chartWith({ compare: ['OTH'], scale: 'percent' });
  await expect.poll(() => chart.legend()[1]).toContain('+21.00');
  await new Promise((resolve) => { setTimeout(resolve, 1_500); }); // all that the mount brought with it is drawn
  otherQuote = { ...quoteOf(SPX, { time: MORNING - 10, price: '130' }), index: 'OTH' };
  await expect.poll(() => chart.legend()[1], { timeout: 10_000 }).toContain('+30.00');
  otherQuote = undefined;
});
