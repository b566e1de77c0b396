/** Charts of real days in a real browser: axis, breaks, gaps and values against the files; pictures in dist/pictures. */
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import '../../renderer/theme/theme.css';
import { IndexChart, type IndexChartProps } from '../../renderer/chart/IndexChart.tsx';
import { DEFAULT_SETTINGS } from '../../renderer/chart/settings.ts';
import type { IndexView } from '../../shared/channels.ts';
import { barAnswer, type RealBar, realSessions, SPX_JUNE, SX5E_JULY, TOKYO, USA500_MARCH } from './chartRealBars.ts';
import { partIn } from '../readout.ts';
import { createTail, NKY, quoteOf, SPX, tick } from './chartScene.tsx';

const SX5E: IndexView = { ...SPX, id: 'SX5E', name: 'EURO STOXX 50', mic: 'XEUR', zone: 'Europe/Berlin', currency: 'EUR' };

interface Real {
  readonly info: IndexView;
  readonly bars: readonly RealBar[];
  readonly now: number;
  readonly resolution?: '1m' | '1h';
  readonly props?: Partial<IndexChartProps>;
  readonly kind?: 'line' | 'area' | 'candles' | 'bars';
}

async function chartOf({ info, bars, now, resolution = '1m', props = {}, kind = 'candles' }: Real) {
  const tail = createTail();
  const screen = await render(
    <div style={{ width: 900, height: 560, background: 'var(--bg)' }}>
      <IndexChart
        info={info} quote={quoteOf(info, { time: bars.at(-1)!.start + 59_000, price: bars.at(-1)!.close }, { state: 'closed' })} onTicks={tail.onTicks} now={() => BigInt(now) * 1000n}
        zone={info.zone} range="1D" stale={false} locale="en-US" load={(request) => Promise.resolve(barAnswer(request, bars, resolution))} sessions={realSessions}
        settings={{ ...DEFAULT_SETTINGS, kind }} {...props}
      />
    </div>,
  );
  const root = (): HTMLElement => screen.container.querySelector<HTMLElement>('.chart')!;
  await expect.poll(() => root().dataset['status'], { timeout: 10_000 }).toBe('ready');
  await expect.poll(() => root().querySelector('[role="slider"]'), { timeout: 10_000 }).not.toBeNull();
  const texts = (selector: string): (string | null)[] => [...root().querySelectorAll(selector)].map(({ textContent }) => textContent);
  return {
    root, tail,
    times: () => texts('.chart-tick:not(.chart-tick-price)'), breaks: () => texts('.chart-break text'), gaps: () => texts('.chart-gap-label'),
    part: (name: string) => partIn(root(), name),
    path: (name: string) => root().querySelector(`[data-part="${name}"]`)?.getAttribute('d') ?? '',
    async at(keys: string) {
      root().querySelector<HTMLElement>('[role="slider"]')!.focus();
      await userEvent.keyboard(keys);
    },
    picture: (name: string) => page.elementLocator(root()).screenshot({ path: `../../dist/pictures/${name}.png` }),
  };
}

/** Bars of `length` milliseconds from finer ones, as anybody would make them from the file. */
function joined(bars: readonly RealBar[], length: number): { start: number; open: number; high: number; low: number; close: number }[] {
  const made: { start: number; open: number; high: number; low: number; close: number }[] = [];
  for (const bar of bars) {
    const start = Math.floor(bar.start / length) * length;
    const last = made.at(-1);
    if (last?.start !== start) made.push({ start, open: Number(bar.open), high: Number(bar.high), low: Number(bar.low), close: Number(bar.close) });
    else [last.high, last.low, last.close] = [Math.max(last.high, Number(bar.high)), Math.min(last.low, Number(bar.low)), Number(bar.close)];
  }
  return made;
}
const shown = (value: number): string => value.toLocaleString('en-US', { minimumFractionDigits: 2 });
const figures = ({ open, high, low, close }: { open: number; high: number; low: number; close: number }): string => `O ${shown(open)}\nH ${shown(high)}\nL ${shown(low)}\nC ${shown(close)}`;
const count = (text: string): number => (text.match(/Z/g) ?? []).length;

describe('S&P 500, 2023-06-30', () => {
  test('candles of five minutes have the file\'s open, high, low and close, from the open to the close', async () => {
    const chart = await chartOf({ info: SPX, bars: SPX_JUNE, now: Date.UTC(2023, 5, 30, 22) });
    const five = joined(SPX_JUNE, 300_000);
    expect(five.length).toBe(78);
    expect(count(chart.path('upBody')) + count(chart.path('downBody')) + count(chart.path('upTail')) + count(chart.path('downTail'))).toBe(78);
    expect(chart.times()[0]).toBe('Fri 09:30');
    expect(chart.gaps()).toEqual([]);
    await chart.at('{Home}');
    expect([chart.part('time'), chart.part('day').slice(0, 11), chart.part('figures')]).toEqual(['09:30:00 −04:00', 'Fri, Jun 30', figures(five[0]!)]);
    await chart.at('{End}');
    expect([chart.part('time'), chart.part('figures')]).toEqual(['15:55:00 −04:00', figures(five.at(-1)!)]);
    await chart.picture('spx-2023-06-30-candles');
  });

  test('the newest candle grows by the ticks of its five minutes, and only it is drawn again', async () => {
    const until = SPX_JUNE.filter(({ start }) => start < Date.UTC(2023, 5, 30, 19, 2));
    const chart = await chartOf({ info: SPX, bars: until, now: Date.UTC(2023, 5, 30, 19, 2, 30) });
    const before = [chart.path('upBody'), chart.path('downBody')];
    chart.tail.send({ ticks: [tick(Date.UTC(2023, 5, 30, 19, 2, 10), '4460.01'), tick(Date.UTC(2023, 5, 30, 19, 2, 20), '4440.5')] });
    await chart.at('{End}');
    const last = joined(until, 300_000).at(-1)!;
    await expect.poll(() => chart.part('figures')).toBe(figures({ ...last, high: 4460.01, low: 4440.5, close: 4440.5 }));
    expect([chart.path('upBody'), chart.path('downBody')].map((text) => count(text))).toEqual(before.map((text) => count(text)));
  });

  test('the table of the view has open, high, low and close', async () => {
    const chart = await chartOf({ info: SPX, bars: SPX_JUNE, now: Date.UTC(2023, 5, 30, 22) });
    await expect.poll(() => chart.root().querySelectorAll('tbody tr').length, { timeout: 5000 }).toBeGreaterThan(10);
    const five = joined(SPX_JUNE, 300_000);
    const size = Math.ceil(five.length / 24);
    const first = five.slice(0, size);
    expect([...chart.root().querySelectorAll('tbody tr:first-child > *')].map(({ textContent }) => textContent)).toEqual([
      'Fri, Jun 30 09:30:00', shown(first[0]!.open), shown(Math.max(...first.map(({ high }) => high))), shown(Math.min(...first.map(({ low }) => low))), shown(first.at(-1)!.close),
    ]);
  });
});

describe('Tokyo, 2021-01-14', () => {
  test('lunch takes no width, the lone closing prints belong to their sessions', async () => {
    const chart = await chartOf({ info: NKY, bars: TOKYO, now: Date.UTC(2021, 0, 14, 8), kind: 'bars' });
    expect(chart.breaks()).toEqual(['lunch']);
    expect(chart.times()).toContain('12:30');
    expect(chart.gaps()).toEqual([]);
    await chart.at('{End}');
    expect(chart.part('figures').split('\n')[3]).toBe(`C ${shown(Number(TOKYO.at(-1)!.close))}`);
    await chart.picture('tokyo-2021-01-14-bars');
  });

  test('with closed time shown, lunch has its hour', async () => {
    const chart = await chartOf({ info: NKY, bars: TOKYO, now: Date.UTC(2021, 0, 14, 8), kind: 'line', props: { settings: { ...DEFAULT_SETTINGS, collapse: false } } });
    const path = [...chart.root().querySelectorAll('.chart-line-current path')].map((line) => line.getAttribute('d')!).join('');
    const xs = [...path.matchAll(/[ML](-?[\d.]+),/g)].map(([, x]) => Number(x));
    const widest = Math.max(...xs.slice(1).map((x, at) => x - xs[at]!));
    expect(widest).toBeGreaterThan(100); // 55 minutes of six hours
  });
});

describe('EURO STOXX 50, 2024-07-29 and 30', () => {
  test('two days and the night between them, which is a break and no gap', async () => {
    const chart = await chartOf({ info: SX5E, bars: SX5E_JULY, now: Date.UTC(2024, 6, 30, 17), kind: 'area' });
    expect(chart.breaks()).toEqual(['Tue, Jul 30']);
    expect(chart.times().filter((text) => text?.includes('09:00'))).toEqual(['Mon 09:00', 'Tue 09:00']);
    await chart.at('{Home}');
    expect(chart.part('price')).toBe(shown(Number(SX5E_JULY[0]!.close)));
    await chart.at('{End}');
    expect(chart.part('price')).toBe(shown(Number(SX5E_JULY.at(-1)!.close)));
    await chart.picture('sx5e-2024-07-29_30-area');
  });

  test('volume stands under the bars where there is any', async () => {
    const chart = await chartOf({ info: SX5E, bars: SX5E_JULY, now: Date.UTC(2024, 6, 30, 17) });
    expect(count(chart.path('volumeBody'))).toBeGreaterThan(50);
    await chart.at('{Home}');
    expect(chart.part('figures')).toMatch(/\nV \d/);
  });
});

describe('the weeks around New York\'s change of clocks, 2021-03-14', () => {
  const week = { from: Date.UTC(2021, 2, 11, 14, 30), to: Date.UTC(2021, 2, 16, 20) };

  test('sessions begin at 09:30 before and after, at 14:30 and 13:30 UTC', async () => {
    const chart = await chartOf({ info: SPX, bars: USA500_MARCH, now: Date.UTC(2021, 2, 19, 20), resolution: '1h', kind: 'candles', props: { range: week } });
    expect(chart.breaks()).toEqual(['Fri, Mar 12', 'Mon, Mar 15', 'Tue, Mar 16']);
    expect(chart.times().filter((text) => text?.endsWith('09:30'))).toEqual(['Thu 09:30', 'Fri 09:30', 'Mon 09:30', 'Tue 09:30']);
    await chart.picture('usa500-2021-03-sessions');
    const inUtc = await chartOf({ info: SPX, bars: USA500_MARCH, now: Date.UTC(2021, 2, 19, 20), resolution: '1h', kind: 'candles', props: { range: week, zone: 'UTC', exchangeZone: SPX.zone } });
    expect(inUtc.times().filter((text) => text?.endsWith(':30'))).toEqual(['Thu 14:30', 'Fri 14:30', 'Mon 13:30', 'Tue 13:30']);
  });

  test('around the clock: the skipped hour has no label, the weekend is a gap with its length, values are the file\'s', async () => {
    const info: IndexView = { ...SPX, mic: null };
    const chart = await chartOf({ info, bars: USA500_MARCH, now: Date.UTC(2021, 2, 19, 20), resolution: '1h', kind: 'line', props: { range: { from: Date.UTC(2021, 2, 12, 12), to: Date.UTC(2021, 2, 15, 12) } } });
    expect(chart.gaps().length).toBe(1);
    const friday = USA500_MARCH.findLast(({ start }) => start < Date.UTC(2021, 2, 13))!;
    const sunday = USA500_MARCH.find(({ start }) => start > Date.UTC(2021, 2, 13, 12))!;
    expect(chart.gaps()[0]).toBe(`no data ${Math.floor((sunday.start - friday.start) / 3_600_000 / 24)} d ${Math.floor((sunday.start - friday.start) / 3_600_000) % 24} h`);
    expect(chart.times().some((text) => text?.includes('02:00'))).toBe(false);
    await chart.picture('usa500-2021-03-gap');
  });
});
