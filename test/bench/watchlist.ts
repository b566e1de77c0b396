/**
 * Group `watchlist`: the product's list of 500 indices, a fifth changing ten times a second, against AG Grid community; and 200 of its
 * trend lines at 4 Hz against tiles of Recharts. A production build in a real browser; the sides take turns and the medians are compared.
 */
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright';
import { chromiumArguments, chromiumPath } from '../chromium.ts';
import { openPage, servePage, spentMs, type Spent } from './browserPage.ts';
import { type Figure, figure, type Group, median } from './figure.ts';

const RUNS = 3;

interface Load {
  readonly count: number;
  readonly share: number;
  readonly hz: number;
  readonly seconds: number;
}

/** Milliseconds per update. */
async function measured(browser: Browser, url: string, name: string, { count, share, hz, seconds }: Load): Promise<Spent> {
  const opened = await openPage(browser, url);
  await opened.page.evaluate(([list, rows]) => window.listBench.mount(list, rows), [name, count] as const);
  const updates = hz * seconds;
  const prepare = async (most: number): Promise<void> => {
    await opened.page.evaluate(([part, rate, all]) => window.listBench.prepare(part, rate, all), [share, hz, most] as const);
    await opened.metrics.send('HeapProfiler.collectGarbage');
  };
  await prepare(hz); // the compiler has seen it all
  await opened.page.evaluate((rate) => window.listBench.stream(rate), hz);
  await prepare(updates);
  const before = await spentMs(opened);
  await opened.page.evaluate((rate) => window.listBench.stream(rate), hz);
  const after = await spentMs(opened);
  await opened.page.close();
  return { script: (after.script - before.script) / updates, task: (after.task - before.task) / updates };
}

async function compared(browser: Browser, url: string, names: readonly [string, string], load: Load): Promise<readonly [Spent, Spent]> {
  const all: [Spent[], Spent[]] = [[], []];
  for (let run = 0; run < RUNS; run++) for (const side of [0, 1] as const) all[side].push(await measured(browser, url, names[side], load));
  const middle = (spent: readonly Spent[]): Spent => ({ script: median(spent.map(({ script }) => script)), task: median(spent.map(({ task }) => task)) });
  return [middle(all[0]), middle(all[1])];
}

export const run: Group = async function* watchlist(): AsyncGenerator<Figure> {
  const served = await servePage(join(import.meta.dirname, 'watchlist'));
  const path = chromiumPath();
  const browser = await chromium.launch({ ...(path === undefined ? {} : { executablePath: path }), args: [...chromiumArguments] });
  try {
    const [list, grid] = await compared(browser, served.url, ['frontrow', 'agGrid'], { count: 500, share: 0.2, hz: 10, seconds: 5 });
    yield figure('watchlist/500-rows-10hz/script', list.script, grid.script, 'AG Grid community 36.2.0', 'ms/update', 0.4);
    yield figure('watchlist/500-rows-10hz/main thread', list.task, grid.task, 'AG Grid community 36.2.0', 'ms/update', 0.8);
    const [lines, tiles] = await compared(browser, served.url, ['frontrowSparks', 'rechartsTiles'], { count: 200, share: 1, hz: 4, seconds: 4 });
    yield figure('watchlist/200-trend-lines-4hz/script', lines.script, tiles.script, 'Recharts 3.11.1', 'ms/update', 0.005);
    yield figure('watchlist/200-trend-lines-4hz/main thread', lines.task, tiles.task, 'Recharts 3.11.1', 'ms/update', 1);
  } finally {
    await browser.close();
    await served.close();
  }
};
