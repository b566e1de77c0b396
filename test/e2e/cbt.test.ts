/** The stock `cbt` tool writes a tick; the price is on screen and on the command line, from the embedded store and from Google's emulator. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { indexIdOf, tickKey } from '../../shared/rowKey.ts';
import { micros } from '../../shared/time.ts';
import { startEmulator } from '../emulator/emulator.ts';
import { frontrow, launchBrowser, type Served } from './hosts.ts';

const cli = join(import.meta.dirname, '../../dist/electron/cli.js');

const stores = [
  {
    name: 'the embedded store',
    async start() {
      const store = await frontrow(['store', '--memory', '--json']);
      return { address: (store.first as { address: string }).address, stop: () => store.stop() };
    },
  },
  { name: "Google's emulator", start: startEmulator },
];

describe.each(stores)('$name', ({ start }) => {
  let skipped = '';
  let address = '';
  let stopStore: (() => Promise<void>) | undefined;
  let host: Served | undefined;
  let browser: Browser | undefined;
  let page: Page;
  let home: string;

  const env = (): NodeJS.ProcessEnv => ({ ...process.env, BIGTABLE_EMULATOR_HOST: address, XDG_DATA_HOME: home });

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'frontrow-e2e-'));
    const cbt = await promisify(execFile)('cbt', ['version']).catch(() => null);
    const store = cbt === null ? { skipped: 'no cbt (gcloud SDK) on this machine' } : await start();
    if ('skipped' in store) {
      skipped = store.skipped;
      return;
    }
    ({ address } = store);
    stopStore = () => store.stop();
    expect(spawnSync(process.execPath, [cli, 'init', '--emulator', address], { env: env() }).status).toBe(0);
    host = await frontrow(['serve', '--port', '0', '--no-open', '--json', '--emulator', address]);
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto((host.first as { url: string }).url);
    await cbtSet('OWN', '6500.01');
    await page.locator('[data-index="OWN"]').waitFor({ timeout: 20_000 });
  }, 400_000);
  afterAll(async () => {
    await browser?.close();
    await host?.stop();
    await stopStore?.();
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  });

  /** Ends once the store has acknowledged the write. */
  async function cbtSet(id: string, price: string): Promise<void> {
    const key = tickKey(indexIdOf(id), micros(BigInt(Date.now()) * 1000n), 0);
    await promisify(execFile)('cbt', ['-project', 'frontrow', '-instance', 'frontrow', 'set', 'quotes', key, `q:p=${price}`], { env: env(), timeout: 30_000 });
  }

  /** When the row of `id` first shows `price`, in milliseconds since 1970. */
  const shown = (id: string, price: string): Promise<number> => page.evaluate(
    ({ row, text }) => new Promise<number>((resolve) => {
      const look = (): void => {
        if (document.querySelector(`[data-index="${row}"] .price`)?.textContent === text) resolve(Date.now());
        else requestAnimationFrame(look);
      };
      look();
    }),
    { row: id, text: price },
  );

  test.for([
    // of no calendar: an index whose market is closed at this hour would be read every 30 s only
    ['a known index', 'OWN', '6512.37', '6,512.37'], ['and again', 'OWN', '6512.38', '6,512.38'], ['and below', 'OWN', '-6501.5', '−6,501.50'],
    ['a brand-new index', 'NKY', '51234.567890123456789', '51,234.57'], ['a brand-new index of no calendar', 'MY.OWN-1', '9007199254740993.01', '9,007,199,254,740,993.01'],
  ] as const)('%s: on screen after the write, and printed exactly', async ([, id, price, text], { skip }) => {
    if (skipped !== '') skip(skipped);
    const seen = shown(id, text);
    await cbtSet(id, price);
    const acknowledged = Date.now();
    const lag = (await seen) - acknowledged;
    expect(lag).toBeLessThan(15_000);
    const { status, stdout } = spawnSync(process.execPath, [cli, 'latest', id, '--json', '--emulator', address], { encoding: 'utf8', env: env() });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ index: id, price });
  });
});
