/** The main job, end to end, on the demo's real prices: the same flow in every host. */
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hosts, type Opened, titleOf } from './hosts.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const shots = join(import.meta.dirname, 'shots');
mkdirSync(shots, { recursive: true });

const row = (page: Page, id: string) => page.locator(`[data-index="${id}"]`);
const priceOf = (page: Page, id: string): Promise<string> => row(page, id).locator('.price').innerText();
const statesOf = (page: Page): Promise<string[]> => page.locator('[data-index]').evaluateAll((rows) => rows.map((one) => one.getAttribute('data-state') ?? ''));
/** Path data of the chart's series: changes as prices come. */
const seriesOf = (page: Page): Promise<string> => page.locator('.chart-box').evaluate((box) => [...box.querySelectorAll('path')].map((path) => path.getAttribute('d') ?? '').toSorted((a, b) => b.length - a.length)[0] ?? '');

for (const host of hosts) {
  describe.skipIf(host.why !== '')(titleOf(host), () => {
    let opened: Opened;
    let page: Page;
    beforeAll(async () => {
      opened = await host.open();
      page = opened.page;
      await page.setViewportSize({ width: 1440, height: 900 });
      await row(page, 'SX5E').waitFor({ timeout: 45_000 });
    });
    afterAll(async () => {
      await opened?.close();
    });

    test('shows every index of the demo with its state: Europe trades, Asia is closed', async () => {
      for (const id of ['SPX', 'SX5E', 'NKY', 'NIFTY', 'DE30']) await row(page, id).waitFor();
      await expect.poll(() => row(page, 'SX5E').getAttribute('data-state'), { timeout: 30_000 }).toMatch(/^(?:live|quiet)$/);
      await expect.poll(() => row(page, 'NKY').getAttribute('data-state'), { timeout: 30_000 }).toBe('closed');
      expect(await priceOf(page, 'SX5E')).toMatch(/^\d{1,3}(?:,\d{3})*\.\d+$/);
    });
    test('marks everything as a replay', async () => {
      await page.getByText('REPLAY').first().waitFor();
    });
    test('a real price moves by itself', async () => {
      const before = await priceOf(page, 'SX5E');
      await expect.poll(() => priceOf(page, 'SX5E'), { timeout: 30_000 }).not.toBe(before);
    });
    test('the chart of the selected index is drawn, and grows with its ticks', async () => {
      await row(page, 'SX5E').click();
      await page.getByRole('region', { name: 'Chart of SX5E' }).waitFor();
      for (const range of ['5m', '1h', '1D']) {
        await page.getByRole('button', { name: range, exact: true }).click();
        await expect.poll(async () => (await seriesOf(page)).length, { timeout: 20_000 }).toBeGreaterThan(100);
      }
      await page.getByRole('button', { name: '5m', exact: true }).click();
      await expect.poll(async () => (await seriesOf(page)).length, { timeout: 20_000 }).toBeGreaterThan(20);
      const before = await seriesOf(page);
      await expect.poll(() => seriesOf(page), { timeout: 30_000 }).not.toBe(before);
    });
    test('the tape and the health of the feed are filled', async () => {
      await expect.poll(() => page.getByRole('contentinfo', { name: 'Health' }).innerText(), { timeout: 20_000 }).toMatch(/read p50/);
    });

    for (const colorScheme of ['light', 'dark'] as const) {
      for (const [width, height] of [[1440, 900], [1024, 700]] as const) {
        test(`${width}x${height} ${colorScheme}: axe finds nothing, nothing spills over, a picture is kept`, async () => {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height });
          await expect.poll(() => page.evaluate(() => innerWidth)).toBe(width);
          await page.screenshot({ path: join(shots, `${host.name}-${width}x${height}-${colorScheme}.png`), animations: 'disabled' });
          // evaluate() goes around the page's policy; an added script tag would be refused by it
          await page.evaluate(axe);
          const violations = await page.evaluate(async () => {
            const { violations: found } = await (globalThis as unknown as { axe: { run(context: Document): Promise<{ violations: { id: string; nodes: { target: unknown[] }[] }[] }> } }).axe.run(document);
            return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
          });
          expect(violations).toEqual([]);
          expect(await page.evaluate(() => [document.documentElement.scrollWidth <= innerWidth, document.documentElement.scrollHeight <= innerHeight])).toEqual([true, true]);
        });
      }
    }

    test('nothing went wrong in the page: no error, no warning, no refusal of the policy', () => {
      expect(opened.complaints).toEqual([]);
    });

    test.skipIf(!host.freezable)('a frozen host: within 5 s the page itself marks every value disconnected, and all is well again after', async () => {
      process.kill(opened.pid, 'SIGSTOP');
      try {
        await expect.poll(() => statesOf(page), { timeout: 5_000, interval: 100 }).toSatisfy((states: string[]) => states.length >= 5 && states.every((state) => state === 'disconnected'));
        expect(await priceOf(page, 'SX5E')).toMatch(/\d/); // the last good one stays
        await page.getByRole('alert').first().waitFor();
        await page.screenshot({ path: join(shots, `${host.name}-frozen.png`) });
      } finally {
        process.kill(opened.pid, 'SIGCONT');
      }
      await expect.poll(() => row(page, 'SX5E').getAttribute('data-state'), { timeout: 30_000 }).toMatch(/^(?:live|quiet)$/);
    });
  });
}
