/** The trader's desk by keyboard alone: no pointer is used in this file. Each step is one thing that a trader does; add yours to its end. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hosts, type Opened, titleOf } from './hosts.ts';

const shots = join(import.meta.dirname, 'shots');
mkdirSync(shots, { recursive: true });
const LONG = { timeout: 30_000 } as const;

for (const host of hosts.filter(({ name }) => name === 'browser')) {
  describe.skipIf(host.why !== '')(titleOf(host), { timeout: 120_000 }, () => {
    let opened: Opened;
    let page: Page;
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    /** Any command, by words, as the palette finds it. */
    const command = async (words: string): Promise<void> => {
      await press('Control+k');
      await page.keyboard.type(words);
      await page.locator('#found [role="option"][aria-selected="true"]').waitFor();
      await press('Enter');
    };
    /** To an index: its id is typed anywhere. */
    const find = async (id: string): Promise<void> => {
      await page.keyboard.type(id.toLowerCase());
      await page.locator('#found [role="option"][aria-selected="true"]', { hasText: id }).waitFor();
      await press('Enter');
    };
    const headlines = (): Promise<(string | null)[]> => page.locator('[data-index-headline]').evaluateAll((all) => all.map((one) => one.getAttribute('data-index-headline')));
    const tabs = (): Promise<number> => page.locator('.dock [role="tab"]').count();

    beforeAll(async () => {
      opened = await host.open();
      page = opened.page;
      await page.locator('[data-index="SX5E"]').waitFor({ timeout: 60_000 });
    }, 120_000);
    afterAll(async () => {
      await opened?.close();
    });

    test('find an index by typing its id; walk the list', async () => {
      await find('SX5E');
      await expect.poll(headlines, LONG).toEqual(['SX5E']);
      await press('Alt+ArrowDown');
      await expect.poll(headlines, LONG).not.toEqual(['SX5E']);
      await find('SX5E');
      await expect.poll(headlines, LONG).toEqual(['SX5E']);
    });
    test('switch the range and the kind of the chart', async () => {
      for (const [key, range] of [['1', '5m'], ['2', '1h'], ['3', '1D']] as const) {
        await press(key);
        await expect.poll(() => page.locator('.ranges .tab[aria-pressed="true"]').innerText(), LONG).toBe(range);
      }
      await command('candles');
      await expect.poll(() => page.locator('.chart-kind select').inputValue(), LONG).toBe('candles');
      await command('line');
      await expect.poll(() => page.locator('.chart-kind select').inputValue(), LONG).toBe('line');
    });
    test('walk the points of the chart', async () => {
      await page.locator('.chart-box figure[data-status="ready"] [tabindex="0"]').first().waitFor(LONG);
      await press('F6');
      for (let at = 0; at < 4 && (await page.evaluate(() => document.activeElement?.closest('.chart-box') === null)); at += 1) await press('F6');
      expect(await page.evaluate(() => document.activeElement?.closest('.chart-box') !== null)).toBe(true);
      expect(await page.evaluate(() => document.activeElement?.matches(':focus-visible'))).toBe(true);
      await press('Home', 'ArrowRight', 'End', 'Escape');
    });
    test('split; each chart has its own index and range; tab, move, link', async () => {
      await press('Control+Enter');
      await expect.poll(headlines, LONG).toEqual(['SX5E', 'SX5E']);
      await find('SPX');
      await expect.poll(headlines, LONG).toEqual(['SX5E', 'SPX']);
      await press('2');
      await expect.poll(() => page.locator('.ranges .tab[aria-pressed="true"]').allInnerTexts(), LONG).toEqual(['1D', '1h']);
      await press('Alt+Enter');
      await expect.poll(tabs, LONG).toBe(5);
      await press('Control+Shift+ArrowDown');
      await expect.poll(headlines, LONG).toEqual(['SX5E', 'SPX', 'SPX']);
      await find('NKY');
      await expect.poll(headlines, LONG).toEqual(['SX5E', 'SPX', 'NKY']);
      await command('link the pane to a');
      await expect.poll(headlines, LONG).toEqual(['SX5E', 'SPX', 'SX5E']);
      await command('unlink');
      await find('NKY');
      await expect.poll(headlines, LONG).toEqual(['SX5E', 'SPX', 'NKY']);
      await page.screenshot({ path: join(shots, 'panes.png') });
    });
    test('save the workspace under a name, go back to the plain desk, open it again', async () => {
      await press('Control+s');
      await page.getByRole('textbox', { name: 'Save what is on screen as' }).waitFor();
      for (let at = 0; at < 5 && (await page.evaluate(() => document.activeElement?.tagName)) !== 'INPUT'; at += 1) await press('Tab');
      await page.keyboard.type('Morning');
      await press('Enter');
      await page.getByRole('button', { name: /^Morning/ }).waitFor();
      await press('Escape');
      await command('back to the plain desk');
      await expect.poll(() => page.locator('.dock').count(), LONG).toBe(0);
      await command('open workspace morning');
      await expect.poll(headlines, LONG).toEqual(['SX5E', 'SPX', 'NKY']);
    });
    test('pop a pane out into a window of its own; all of it is there after a reload; bring it back', async () => {
      for (let at = 0; at < 6 && (await page.evaluate(() => document.activeElement?.closest('[data-pane]')?.querySelector('[data-index-headline]')?.getAttribute('data-index-headline'))) !== 'NKY'; at += 1) await press('F6');
      const [popup] = await Promise.all([page.context().waitForEvent('page'), press('F8')]);
      await popup.locator('[data-index-headline="NKY"]').waitFor(LONG);
      await popup.locator('.clock-mark', { hasText: 'REPLAY' }).waitFor(LONG);
      await popup.getByText('connected', { exact: true }).waitFor(LONG);
      await expect.poll(headlines, LONG).toEqual(['SX5E', 'SPX']);
      await page.reload();
      await expect.poll(headlines, LONG).toEqual(['SX5E', 'SPX']);
      await page.waitForTimeout(2_500); // as long as a window has to answer
      expect(page.context().pages()).toHaveLength(2);
      await popup.keyboard.down('Shift');
      await popup.keyboard.down('F8').catch(() => {}); // the window is gone before the key is let go
      await expect.poll(async () => (await headlines()).toSorted((a, b) => String(a).localeCompare(String(b))), LONG).toEqual(['NKY', 'SPX', 'SX5E']);
      await expect.poll(() => page.context().pages().length, LONG).toBe(1);
    });
    test('change a key: the new one works, the old one does not, also after a reload', async () => {
      await press('?');
      const keys = page.getByRole('button', { name: /^Keys of Split below/ });
      await keys.waitFor();
      for (let at = 0; at < 150 && !(await keys.evaluate((button) => button === document.activeElement)); at += 1) await press('Tab');
      await press('Enter', 'Control+Shift+Y');
      await expect.poll(() => keys.getAttribute('aria-label')).toMatch(/Ctrl Shift Y/);
      await press('Escape');
      await page.reload();
      await expect.poll(async () => (await headlines()).length, LONG).toBe(3);
      const before = await tabs();
      await press('Control+Shift+Enter');
      await page.waitForTimeout(500);
      expect(await tabs()).toBe(before);
      await press('Control+Shift+Y');
      await expect.poll(tabs, LONG).toBe(before + 1);
      await press('Control+Delete');
      await expect.poll(tabs, LONG).toBe(before);
    });
    test('change the colours', async () => {
      const theme = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      await command('colours light');
      await expect.poll(theme, LONG).toBe('rgb(255, 255, 255)');
      await command('colours dark');
      await expect.poll(theme, LONG).not.toBe('rgb(255, 255, 255)');
    });
    test('pause the replay and let it go on', async () => {
      const mark = page.locator('.clock-mark');
      await press('Alt+p');
      await mark.getByRole('button', { name: 'Resume the replay' }).waitFor(LONG);
      await press('Alt+p');
      await mark.getByRole('button', { name: 'Pause the replay' }).waitFor(LONG);
    });
    test('make a list, put an index on it, go back to the first', async () => {
      const rows = (): Promise<number> => page.locator('.watchlist [data-index]').count();
      const before = await rows();
      await find('SPX');
      await command('new list');
      await command('add the index shown to this list');
      await expect.poll(rows, LONG).toBe(1);
      await press('Alt+PageDown');
      await expect.poll(rows, LONG).toBe(before);
    });
    test('nothing went wrong in the page: no error, no warning, no refusal of the policy', () => {
      expect(opened.complaints).toEqual([]);
    });
  });
}
