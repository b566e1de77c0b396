/** What only the desktop app has: a start that fails on screen, a window that comes back, sleep, crashes, quitting. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hosts, type Opened, titleOf } from './hosts.ts';

for (const host of hosts.filter(({ name }) => name !== 'browser')) {
  describe.skipIf(host.why !== '')(titleOf(host), () => {
    let opened: Opened | undefined;
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'frontrow-e2e-'));
    });
    afterEach(async () => {
      await opened?.close();
      opened = undefined;
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    });

    test('a bad config file is a banner with the fix, and the app goes on by itself once it is corrected', async () => {
      const config = join(folder, 'frontrow.json');
      writeFileSync(config, '{"poll":{"intervalMs":1}}');
      opened = await host.open(['--demo', '--config', config]);
      const { page } = opened;
      await page.getByRole('alert').getByText('poll.intervalMs').waitFor({ timeout: 20_000 });
      writeFileSync(config, '{}');
      await page.locator('[data-index="SX5E"]').waitFor({ timeout: 45_000 });
      await expect.poll(() => page.getByRole('alert').count(), { timeout: 10_000 }).toBe(0);
    });

    test('an option with a bad value is a banner too', async () => {
      opened = await host.open(['--emulator', 'nowhere']);
      await opened.page.getByRole('alert').getByText('HOST:PORT').waitFor({ timeout: 20_000 });
    });

    test('the window comes back where it was', async () => {
      const bounds = { x: 40, y: 60, width: 1100, height: 720 };
      const first = await host.open(['--demo'], {}, folder);
      await first.app?.evaluate(({ BrowserWindow }, given) => BrowserWindow.getAllWindows()[0]?.setBounds(given), bounds);
      await first.close();
      opened = await host.open(['--demo'], {}, folder);
      expect(await opened.app?.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())).toEqual(bounds);
    });

    test('a pane pops out into a window of its own, with the desk\'s marks; it comes back after a restart, where it was, and returns when it is closed', async () => {
      const paneWindow = async (one: Opened): Promise<Page> => {
        const find = (): Page | undefined => one.app?.windows().find((window) => window.url().includes('#w='));
        await expect.poll(find, { timeout: 45_000 }).toBeTruthy();
        return find()!;
      };
      const first = await host.open(['--demo'], {}, folder);
      await first.page.locator('[data-index="SX5E"]').waitFor({ timeout: 60_000 });
      await first.page.keyboard.type('sx5e');
      await first.page.keyboard.press('Enter');
      await first.page.keyboard.press('F8');
      const popped = await paneWindow(first);
      await popped.locator('[data-index-headline="SX5E"]').waitFor({ timeout: 20_000 });
      await popped.locator('.clock-mark', { hasText: 'REPLAY' }).waitFor();
      await popped.getByText('connected', { exact: true }).waitFor();
      expect(await popped.evaluate(() => Object.keys((globalThis as unknown as { market: object }).market).toSorted())).toEqual(['host', 'request', 'subscribe']);
      await expect.poll(() => first.page.locator('.dock [data-kind="chart"]').count()).toBe(0);
      // a look chosen on the desk is the window's too, at once
      await first.page.keyboard.press('Control+,');
      for (const name of [/^Dark$/, /^Blue up/, '110 %', '12 hours']) await first.page.getByRole('radio', { name }).click();
      await first.page.getByRole('combobox', { name: 'Locale' }).fill('de-DE');
      await first.page.keyboard.press('Enter');
      await expect.poll(() => popped.evaluate(() => { const { dataset, style } = document.documentElement; return [dataset['theme'], dataset['palette'], style.zoom]; })).toEqual(['dark', 'blue-orange', '1.1']);
      await expect.poll(() => popped.locator('.headline-last .price').innerText()).toMatch(/^\d\.\d{3},\d\d$/);
      await expect.poll(() => popped.locator('.dock-main').textContent()).toMatch(/\d\s[AP]M/);
      await first.page.keyboard.press('Escape');
      const bounds = { x: 70, y: 80, width: 820, height: 640 };
      await first.app?.evaluate(({ BrowserWindow }, given) => BrowserWindow.getAllWindows().at(-1)?.setBounds(given), bounds);
      await expect.poll(() => first.app?.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(2);
      expect(first.complaints).toEqual([]);
      await first.close();

      opened = await host.open(['--demo'], {}, folder);
      const { page, complaints } = opened;
      const again = await paneWindow(opened);
      await again.locator('[data-index-headline="SX5E"]').waitFor({ timeout: 45_000 });
      expect(await opened.app?.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().at(-1)?.getBounds())).toEqual(bounds);
      await opened.app?.evaluate(({ BrowserWindow }) => { BrowserWindow.getAllWindows().at(-1)?.close(); });
      await page.locator('.dock [data-kind="chart"] [data-index-headline="SX5E"]').waitFor({ timeout: 20_000 });
      expect(complaints).toEqual([]);
    }, 240_000);

    test('after sleep, and after the page\'s process died, prices go on', async () => {
      opened = await host.open();
      const { app, page } = opened;
      const sx5e = page.locator('[data-index="SX5E"]');
      await sx5e.waitFor({ timeout: 45_000 });
      await app?.evaluate(({ powerMonitor }) => { powerMonitor.emit('resume'); });
      const before = await sx5e.locator('.price').innerText();
      await expect.poll(() => sx5e.locator('.price').innerText(), { timeout: 30_000 }).not.toBe(before);
      await page.reload();
      await sx5e.waitFor({ timeout: 20_000 });
      await expect.poll(() => sx5e.getAttribute('data-state'), { timeout: 20_000 }).toMatch(/^(?:live|quiet)$/);
    });

    test('closing the window ends the process with 0, in order', async () => {
      const { app } = await host.open();
      const child = app?.process();
      const ended = new Promise((resolve) => child?.once('exit', resolve));
      await app?.evaluate(({ BrowserWindow }) => { BrowserWindow.getAllWindows()[0]?.close(); }).catch(() => {});
      expect(await ended).toBe(0);
    });
  });
}
