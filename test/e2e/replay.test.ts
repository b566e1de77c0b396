/** A trader goes back to a stored morning: the whole desk follows, marked, in two windows, and returns to live. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hosts } from './hosts.ts';

const root = join(import.meta.dirname, '../..');
const shots = process.env['FRONTROW_SHOTS'];

test('jump, step, scrub and play over imported minutes, by keyboard; another window follows; back to live', async () => {
  const data = mkdtempSync(join(tmpdir(), 'frontrow-e2e-'));
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, 'frontrow.json'), JSON.stringify({ indices: ['SPX'] }));
  const files = ['mplfinance_SPX_1min_2019-11-05_06.csv', 'mplfinance_SPX_daily_2019-11-01_06.csv'].map((name) => join(root, 'electron/ingest/data', name));
  const imported = spawnSync(process.execPath, [join(root, 'dist/electron/cli.js'), 'ingest', ...files, '--index', 'SPX', '--data', data], { encoding: 'utf8', timeout: 50_000 });
  expect([imported.status, imported.stderr.includes('BAD')]).toEqual([0, false]);
  const browser = hosts.find(({ name }) => name === 'browser') ?? expect.fail();
  const opened = await browser.open(['--data', data]);
  try {
    const { page } = opened;
    const price = (): Promise<string | null> => page.locator('[data-index="SPX"]').first().textContent();
    await page.locator('[data-index="SPX"]').first().waitFor({ timeout: 20_000 });
    expect(await page.locator('.clock-mark').count()).toBe(0);
    await page.keyboard.press('Alt+J');
    const field = page.getByLabel('Date and time in America/New_York');
    await field.fill('2019-11-06T10:30:59');
    await page.keyboard.press('Enter');
    await page.locator('.clock-mark').waitFor();
    // the file's 10:30 bar closed at 3073.18
    await expect.poll(price, { timeout: 10_000 }).toContain('3,073.18');
    await expect.poll(() => page.title()).toContain('REPLAY');
    await page.locator('figure.chart[data-status="ready"]').waitFor({ timeout: 15_000 });
    const other = await (page.context().browser() ?? expect.fail()).newPage();
    await other.goto(page.url());
    await expect.poll(() => other.locator('[data-index="SPX"]').first().textContent(), { timeout: 15_000 }).toContain('3,073.18');
    await expect.poll(() => other.locator('.clock-mark').textContent()).toContain('REPLAY');
    if (shots !== undefined) {
      for (const [width, height] of [[1440, 900], [1024, 700]] as const) {
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize({ width, height });
          await page.emulateMedia({ colorScheme });
          await page.screenshot({ path: join(shots, `replay-${width}-${colorScheme}.png`) });
        }
      }
      await page.setViewportSize({ width: 1440, height: 900 });
    }
    await page.keyboard.press('Alt+.');
    await expect.poll(() => field.inputValue()).toMatch(/T10:31(?::00)?$/);
    await page.keyboard.press('Alt+,');
    await expect.poll(() => field.inputValue()).toBe('2019-11-06T10:30:59');
    await page.getByLabel('Instant shown').focus();
    await page.keyboard.press('PageUp');
    await expect.poll(() => field.inputValue()).toBe('2019-11-06T11:30:59');
    await page.getByLabel('Speed', { exact: true }).selectOption('600');
    await page.evaluate(() => { (document.activeElement as HTMLElement).blur(); });
    await page.keyboard.press('Space');
    await expect.poll(async () => (await field.inputValue()) > '2019-11-06T11:40', { timeout: 10_000 }).toBe(true);
    await page.keyboard.press('Space');
    await expect.poll(() => page.getByRole('group', { name: 'Transport' }).getByLabel('Play').count()).toBe(1);
    await page.keyboard.press('Alt+L');
    await expect.poll(() => page.locator('.clock-mark').count(), { timeout: 5000 }).toBe(0);
    await expect.poll(() => other.locator('.clock-mark').count(), { timeout: 5000 }).toBe(0);
    await expect.poll(() => page.title()).not.toContain('REPLAY');
    expect(opened.complaints).toEqual([]);
  } finally {
    await opened.close();
    rmSync(data, { recursive: true, force: true, maxRetries: 3 });
  }
});
