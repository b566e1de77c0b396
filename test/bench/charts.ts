/**
 * Group `charts`: the product's IndexChart against uPlot and lightweight-charts, in a production build in a real browser. Script time is
 * main-thread CPU from the DevTools protocol; the charts take turns in the same run and the medians are compared.
 */
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright';
import { chromiumArguments, chromiumPath } from '../chromium.ts';
import { openPage, type Opened, servePage, spentMs } from './browserPage.ts';
import { type Figure, figure, type Group, median } from './figure.ts';

const STREAM_RUNS = 5;
const MOUNT_RUNS = 15;
const MOUNT_WARM = 4;
const STEP_RUNS = 3;
const STEPS = 200;
/** Frames as soon as they are ready: at 60 Hz two charts that differ by half would both wait for the same frame. */
const UNPACED = ['--disable-frame-rate-limit', '--disable-gpu-vsync'];

const scriptMs = async (opened: Opened): Promise<number> => (await spentMs(opened)).script;

/** Script milliseconds per update, 600 points at 10 Hz. */
async function streamed(browser: Browser, url: string, name: string): Promise<number> {
  const opened = await openPage(browser, url);
  await opened.page.evaluate((chart) => window.bench.mount(chart, 600, 500), name);
  await opened.page.evaluate(() => window.bench.stream(30, 2)); // the compiler has seen it all
  await opened.metrics.send('HeapProfiler.collectGarbage');
  const before = await scriptMs(opened);
  const updates = await opened.page.evaluate(() => window.bench.stream(10, 6));
  const spent = (await scriptMs(opened)) - before;
  await opened.page.close();
  return spent / updates;
}

/** As the browser's trace tells of them: names, threads, and microseconds. */
interface Traced {
  readonly name?: unknown;
  readonly ph?: unknown;
  readonly pid?: unknown;
  readonly tid?: unknown;
  readonly tdur?: unknown;
}

/** CPU of the longest main-thread task that `work` leads to, milliseconds: a busy machine's waiting is no work of the page. The page marks `mark` on its way. */
async function longestTask(browser: Browser, mark: string, work: () => Promise<void>): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const events: Traced[] = [];
  session.on('Tracing.dataCollected', ({ value }) => { for (const event of value) events.push(event); });
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', 'blink.user_timing'] } });
  await work();
  const complete = new Promise<void>((resolve) => { session.once('Tracing.tracingComplete', () => resolve()); });
  await session.send('Tracing.end');
  await complete;
  await session.detach();
  const marked = events.find(({ name }) => name === mark);
  let longest = Number.NaN;
  for (const { name, ph, pid, tid, tdur } of events) {
    if (ph !== 'X' || pid !== marked?.pid || tid !== marked?.tid || typeof name !== 'string' || !name.endsWith('RunTask') || typeof tdur !== 'number') continue;
    longest = longest > tdur ? longest : tdur;
  }
  return longest / 1000;
}

/** A year of minutes opened: its longest task against 50 ms, and what the page has grown by against 25 MB. */
async function yearOfMinutes(browser: Browser, url: string): Promise<Figure[]> {
  const opened = await openPage(browser, url);
  const heap = async (): Promise<number> => {
    await opened.metrics.send('HeapProfiler.collectGarbage');
    const { metrics } = await opened.metrics.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN) / 1e6;
  };
  const before = await heap();
  let points = 0;
  const longest = await longestTask(browser, 'year', async () => { points = await opened.page.evaluate(() => window.bench.year()); });
  const grown = (await heap()) - before;
  await opened.page.close();
  const count = `${Math.round(points / 1000)}k`;
  return [figure(`charts/year-of-minutes-${count}/longest task vs limit`, longest, 50, 'long task', 'ms', 1), figure(`charts/year-of-minutes-${count}/growth vs limit`, grown, 25, 'limit', 'MB', 1)];
}

/** Script milliseconds per tick on 1,000 candles. */
async function candleTick(browser: Browser, url: string, name: string): Promise<number> {
  const opened = await openPage(browser, url);
  await opened.page.evaluate((chart) => window.bench.mount(chart, 1000, 60_000), name);
  await opened.page.evaluate(() => window.bench.stream(30, 2));
  await opened.metrics.send('HeapProfiler.collectGarbage');
  const before = await scriptMs(opened);
  const updates = await opened.page.evaluate(() => window.bench.stream(10, 4));
  const spent = (await scriptMs(opened)) - before;
  await opened.page.close();
  return spent / updates;
}

/** Script milliseconds per step of the pointer over one of four charts whose crosshairs follow each other, or of panning and zooming one chart. */
async function stepped(browser: Browser, url: string, name: string, what: 'hover' | 'move'): Promise<number> {
  const opened = await openPage(browser, url);
  await opened.page.evaluate(([chart, count]) => window.bench.mountSeveral(chart, count, 2000, 1800), [name, what === 'hover' ? 4 : 1] as const);
  const step = (steps: number): Promise<void> => opened.page.evaluate(([which, many]) => window.bench[which](many), [what, steps] as const);
  await step(80);
  await opened.metrics.send('HeapProfiler.collectGarbage');
  const before = await scriptMs(opened);
  await step(STEPS);
  const spent = (await scriptMs(opened)) - before;
  await opened.page.close();
  return spent / STEPS;
}

/** Milliseconds from mount to painted, 10,000 points; the charts take turns on one page. */
async function mounted(browser: Browser, url: string, names: readonly string[]): Promise<Map<string, number>> {
  const { page } = await openPage(browser, url);
  const times = new Map<string, number[]>(names.map((name) => [name, []]));
  for (let run = 0; run < MOUNT_RUNS + MOUNT_WARM; run++) {
    for (const name of run % 2 === 0 ? names : names.toReversed()) { // nobody always follows the same one, and pays for what that left
      const spent = await page.evaluate((chart) => window.bench.mount(chart, 10_000, 360), name);
      await page.evaluate(() => window.bench.destroy());
      if (run >= MOUNT_WARM) times.get(name)?.push(spent);
    }
  }
  await page.close();
  return new Map([...times].map(([name, all]) => [name, median(all)]));
}

/** Medians of charts that take turns. */
async function turns(measure: (name: string) => Promise<number>, names: readonly string[]): Promise<readonly number[]> {
  const measured: readonly number[][] = names.map(() => []);
  for (let run = 0; run < STEP_RUNS; run++) for (const [at, name] of names.entries()) measured[at]?.push(await measure(name));
  return measured.map(median);
}

async function pairs(measure: (name: string) => Promise<number>, names: readonly [string, string]): Promise<[number, number]> {
  const [mine = Number.NaN, theirs = Number.NaN] = await turns(measure, names);
  return [mine, theirs];
}

/** What an overlay of DOM moved by transforms, without any text, was measured to take of uPlot's crosshair, which has no text either. */
const OVERLAY = 0.66 / 0.45;
/** The floor: an event on React's page and the DOM's own writes, without any chart behind them. A crosshair of DOM can't do with less. */
const crosshairFigures = ([ours = Number.NaN, peer = Number.NaN, floor = Number.NaN]: readonly number[]): Figure[] => [
  figure('charts/crosshair-4x2000/script vs uPlot', ours, peer, 'uPlot 1.6.32', 'ms/step', OVERLAY),
  figure('charts/crosshair-4x2000/script vs floor', ours, floor, 'floor', 'ms/step', 1.5),
  figure('charts/crosshair-4x2000/floor vs uPlot', floor, peer, 'uPlot 1.6.32', 'ms/step', 1.2),
];

/** Name of a part's figures, and how to measure them. */
const PACED: readonly (readonly [part: string, run: (browser: Browser, url: string) => Promise<Figure[]>])[] = [
  ['charts/stream-600-10hz', async (browser, url) => {
    const [ours, uplot, lightweight]: [number[], number[], number[]] = [[], [], []];
    for (let run = 0; run < STREAM_RUNS; run++) {
      ours.push(await streamed(browser, url, 'frontrow-5m'));
      uplot.push(await streamed(browser, url, 'uplot'));
      lightweight.push(await streamed(browser, url, 'lightweight'));
    }
    return [
      figure('charts/stream-600-10hz/script vs uPlot', median(ours), median(uplot), 'uPlot 1.6.32', 'ms/update', 1),
      figure('charts/stream-600-10hz/script vs lightweight-charts', median(ours), median(lightweight), 'lightweight-charts 5.2.1', 'ms/update', 0.6),
    ];
  }],
  ['charts/candles-1000-tick', async (browser, url) =>
    [figure('charts/candles-1000-tick/script vs lightweight-charts', ...(await pairs((name) => candleTick(browser, url, name), ['frontrow-candles', 'lightweight-candles'])), 'lightweight-charts 5.2.1', 'ms/update', 0.9)]],
  ['charts/crosshair-4x2000', async (browser, url) =>
    crosshairFigures(await turns((name) => stepped(browser, url, name, 'hover'), ['frontrow-several', 'uplot', 'cursor-floor']))],
  ['charts/pan-zoom-2000', async (browser, url) =>
    [figure('charts/pan-zoom-2000/script vs uPlot', ...(await pairs((name) => stepped(browser, url, name, 'move'), ['frontrow-several', 'uplot'])), 'uPlot 1.6.32', 'ms/step', 1.5)]],
  ['charts/year-of-minutes', yearOfMinutes],
];

export const run: Group = async function* charts(wanted): AsyncGenerator<Figure> {
  const served = await servePage(join(import.meta.dirname, 'charts'));
  const path = chromiumPath();
  const launch = (more: readonly string[]): Promise<Browser> => chromium.launch({ ...(path === undefined ? {} : { executablePath: path }), args: [...chromiumArguments, ...more] });
  let browser = await launch([]);
  try {
    for (const [part, measure] of PACED) if (wanted(part)) yield* await measure(browser, served.url);
    if (!wanted('charts/mount-10000')) return;
    await browser.close();
    browser = await launch(UNPACED);
    const paint = await mounted(browser, served.url, ['frontrow-1h', 'uplot', 'lightweight', 'frontrow-1h-complete', 'floor']);
    const peer = paint.get('uplot') ?? Number.NaN;
    yield figure('charts/mount-10000/painted vs uPlot', paint.get('frontrow-1h') ?? Number.NaN, peer, 'uPlot 1.6.32', 'ms', 0.7);
    yield figure('charts/mount-10000/painted vs lightweight-charts', paint.get('frontrow-1h') ?? Number.NaN, paint.get('lightweight') ?? Number.NaN, 'lightweight-charts 5.2.1', 'ms', 0.25);
    // Prices, labels and marks come first, with the frame above; Recharts' grid and the crosshair follow when that is on screen.
    yield figure('charts/mount-10000/complete vs uPlot', paint.get('frontrow-1h-complete') ?? Number.NaN, peer, 'uPlot 1.6.32', 'ms', 6);
    // What the page and two frames cost whoever draws: React, a figure of the size and one stroke in it.
    yield figure('charts/mount-10000/floor vs uPlot', paint.get('floor') ?? Number.NaN, peer, 'uPlot 1.6.32', 'ms', 0.7);
  } finally {
    await browser.close();
    await served.close();
  }
};
