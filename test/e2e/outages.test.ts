/** What a trader sees when writers and stores misbehave: real store and real browser host, in processes of their own. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoreAddress } from '../../electron/bigtable/reader.ts';
import { createWriter } from '../../electron/bigtable/writer.ts';
import { indexIdOf, tickKey } from '../../shared/rowKey.ts';
import { micros } from '../../shared/time.ts';
import { frontrow, launchBrowser, type Served } from './hosts.ts';

const cli = join(import.meta.dirname, '../../dist/electron/cli.js');
const MAIN = 'E2E00'; // in no calendar: its state goes by age alone, whatever the hour this runs

const micro = (): bigint => BigInt(Date.now()) * 1000n;

for (const [indices, strategy] of [[2, 'scan'], [30, 'delta']] as const) {
  describe(`${indices} indices by ${strategy}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'frontrow-e2e-'));
    const data = join(folder, 'store');
    const ids = Array.from({ length: indices }, (_, at) => `E2E${String(at).padStart(2, '0')}`);
    let store: Served;
    let host: Served;
    let browser: Browser;
    let page: Page;
    let port: string;
    let writer: ReturnType<typeof createWriter>;
    let pump: NodeJS.Timeout | undefined;
    let cents = 0;

    async function write(id: string, price: string, time = micro(), version = micro()): Promise<string> {
      const key = tickKey(indexIdOf(id), micros(time), 0);
      const { failed } = await writer.write([{ key, cells: [{ family: 'q', qualifier: 'p', value: price }] }], (version / 1000n) * 1000n);
      expect(failed).toEqual([]);
      return key;
    }
    /** A live market: a new price of MAIN four times a second. */
    function startPump(): void {
      pump = setInterval(() => {
        cents = (cents + 1) % 9_000;
        void write(MAIN, `100.${String(cents % 90 + 10)}`).catch(() => {}); // the store may be away on purpose
      }, 250);
    }
    const stopPump = (): void => clearInterval(pump);
    const row = (id: string) => page.locator(`[data-index="${id}"]`);
    const stateOf = (id: string): Promise<string | null> => row(id).getAttribute('data-state');
    const priceOf = (id: string): Promise<string> => row(id).locator('.price').innerText();
    const startStore = (on: string): Promise<Served> => frontrow(['store', '--port', on, '--data', data, '--json']);

    beforeAll(async () => {
      store = await startStore('0');
      const { address } = store.first as { address: string };
      port = address.split(':')[1] ?? '';
      const config = join(folder, 'frontrow.json');
      writeFileSync(config, JSON.stringify({ indices: ids, poll: { strategy } }));
      expect(spawnSync(process.execPath, [cli, 'init', '--emulator', address, '--json'], { encoding: 'utf8' }).status).toBe(0);
      const target: StoreAddress = { kind: 'emulator', project: 'frontrow', instance: 'frontrow', table: 'quotes', appProfile: null, endpoint: address };
      writer = createWriter(target, { deadlineMs: 2_000 });
      for (const id of ids) await write(id, '50');
      host = await frontrow(['serve', '--port', '0', '--no-open', '--json', '--emulator', address, '--config', config]);
      browser = await launchBrowser();
      page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      await page.goto((host.first as { url: string }).url);
      await row(MAIN).waitFor({ timeout: 30_000 });
      startPump();
    });
    afterAll(async () => {
      stopPump();
      await browser?.close();
      await host?.stop();
      await writer?.close();
      await store?.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    });

    test('a written price is on screen, live', async () => {
      await expect.poll(() => stateOf(MAIN), { timeout: 15_000 }).toMatch(/^(?:live|quiet)$/);
      await expect.poll(() => priceOf(MAIN), { timeout: 15_000 }).toMatch(/^100\.\d\d$/);
    });

    test('a tick stamped an hour ahead never becomes the price', async () => {
      await write(MAIN, '9999.99', micro() + 3_600_000_000n);
      const seen = new Set<string>();
      for (let i = 0; i < 15; i++) {
        seen.add(await priceOf(MAIN));
        await page.waitForTimeout(200);
      }
      expect([...seen].filter((price) => !price.startsWith('100.'))).toEqual([]);
      expect(seen.size).toBeGreaterThan(1); // and the true ones kept coming
    });

    test('a corrected newest row shows, though its key is old', async () => {
      stopPump();
      const time = micro();
      await write(MAIN, '200.01', time);
      await expect.poll(() => priceOf(MAIN), { timeout: 10_000 }).toBe('200.01');
      await write(MAIN, '200.02', time);
      await expect.poll(() => priceOf(MAIN), { timeout: 10_000 }).toBe('200.02');
    });

    test('a silent writer: the value is marked stalled, keeps its price and tells its age', async () => {
      // The limit is three times the longest gap it has learned to expect, which the silences of this file stretch.
      await expect.poll(() => stateOf(MAIN), { timeout: 40_000 }).toBe('stalled');
      expect(await priceOf(MAIN)).toBe('200.02');
      await expect.poll(() => row(MAIN).locator('.age').innerText()).toMatch(/\d+ ?s/);
      startPump();
      await expect.poll(() => stateOf(MAIN), { timeout: 15_000 }).toMatch(/^(?:live|quiet)$/);
    });

    const everyState = (): Promise<string[]> => page.locator('[data-index]').evaluateAll((rows) => [...new Set(rows.map((one) => one.getAttribute('data-state') ?? ''))]);

    test('a frozen store: every value is marked disconnected, a banner says so, and prices go on when it thaws', async () => {
      store.child.kill('SIGSTOP');
      try {
        await expect.poll(everyState, { timeout: 15_000 }).toEqual(['disconnected']);
        await page.getByRole('alert').first().waitFor();
        expect(await priceOf(MAIN)).toMatch(/^100\./); // the last good one
        expect((await fetch(new URL('/healthz', (host.first as { url: string }).url))).status).toBe(503);
      } finally {
        store.child.kill('SIGCONT');
      }
      await expect.poll(() => stateOf(MAIN), { timeout: 15_000 }).toMatch(/^(?:live|quiet)$/);
    });

    test('a killed store: the same, and a new one on its port is found without a restart', async () => {
      const ended = new Promise((resolve) => store.child.once('exit', resolve));
      store.child.kill('SIGKILL');
      await ended;
      await expect.poll(everyState, { timeout: 15_000 }).toEqual(['disconnected']);
      await page.waitForTimeout(3_000);
      store = await startStore(port);
      await expect.poll(() => stateOf(MAIN), { timeout: 15_000 }).toMatch(/^(?:live|quiet)$/);
      await expect.poll(() => page.getByRole('alert').count(), { timeout: 15_000 }).toBe(0);
    });
  });
}
