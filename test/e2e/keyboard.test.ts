/** The trader's desk by keyboard alone: no pointer is used in this file. Each step is one thing that a trader does; add yours to its end. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { handsOn, LONG } from './byKeyboard.ts';
import { chartByKeyboard } from './chartByKeyboard.ts';
import { hosts, type Opened, titleOf } from './hosts.ts';

const shots = join(import.meta.dirname, 'shots');
mkdirSync(shots, { recursive: true });

for (const host of hosts.filter(({ name }) => name === 'browser')) {
  describe.skipIf(host.why !== '')(titleOf(host), { timeout: 120_000 }, () => {
    let opened: Opened;
    let page: Page;
    const hands = handsOn(() => page);
    const { press, type, command, find, tabTo, paneWith, headlines } = hands;
    const tabs = (): Promise<number> => page.locator('.dock [role="tab"]').count();

    beforeAll(async () => {
      opened = await host.open();
      page = opened.page;
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
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
      await paneWith('.chart-box');
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
      await tabTo(page.getByRole('textbox', { name: 'Save what is on screen as' }));
      await type('Morning');
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
      await tabTo(keys);
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
    test('the columns, the order and the groups of the list; a value and a row of it to the clipboard', async () => {
      const ids = (): Promise<(string | null)[]> => page.locator('.list-body [data-index]').evaluateAll((rows) => rows.toSorted((a, b) => (a as HTMLElement).offsetTop - (b as HTMLElement).offsetTop).map((row) => row.getAttribute('data-index')));
      const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
      await paneWith('.watchlist');
      await command('group the list: none');
      await tabTo(page.locator('[data-sort="index"]'));
      await press('Enter');
      await expect.poll(async () => (await ids()).join(' '), LONG).toBe((await ids()).map(String).toSorted().join(' '));
      await press('ArrowRight', 'Enter');
      await expect.poll(() => page.locator('[role="columnheader"].index').getAttribute('aria-sort')).toBeNull();
      await command('the list in its own order');
      await expect.poll(() => page.locator('[aria-sort]').count()).toBe(0);
      await command('group the list by region');
      await expect.poll(() => page.locator('.list-body .group').count(), LONG).toBeGreaterThan(1);

      await press('Control+Shift+L');
      const options = page.getByRole('dialog', { name: /^List: / });
      await tabTo(options.getByRole('checkbox', { name: 'Open', exact: true }));
      await press('Space', 'Escape');
      await command('column of trend line');
      await expect.poll(() => page.locator('.list-head .open').count(), LONG).toBe(1);
      await command('column of open');
      await command('column of trend line');
      await expect.poll(() => page.locator('.list-head .open').count(), LONG).toBe(0);

      await press('F6');
      await paneWith('.watchlist');
      await press('Home', 'Control+c');
      await expect.poll(clipboard, LONG).toMatch(/^index\tname\tLast price\t.*\n[A-Z0-9]+\t/);
      await press('Control+Shift+c');
      await expect.poll(clipboard, LONG).toMatch(/^-?\d+(?:\.\d+)?$/);
    });
    test('the watchlist wider, as a pane that chooses, and back in its place', async () => {
      const edge = page.getByRole('separator', { name: 'Width of the watchlist' });
      await tabTo(edge);
      const wide = Number(await edge.getAttribute('aria-valuenow'));
      await press('ArrowRight');
      await expect.poll(() => edge.getAttribute('aria-valuenow'), LONG).toBe(String(wide + 16));
      await press('Enter');
      await expect.poll(() => edge.getAttribute('aria-valuenow'), LONG).toBe(String(wide));

      await command('the watchlist as a pane');
      await expect.poll(() => page.locator('.dock .watchlist [role="row"][data-index]').count(), LONG).toBeGreaterThan(1);
      await paneWith('.dock .watchlist');
      await press('Home', 'Enter');
      await expect.poll(headlines, LONG).toContain(await page.locator('.dock [data-active]').getAttribute('data-index'));
      await command('the watchlist as a pane');
      await expect.poll(() => page.locator('.page > .watchlist').count(), LONG).toBe(1);
    });
    test('colours of up and down, and the size of the text, in the settings', async () => {
      const dialog = page.getByRole('dialog', { name: 'Settings', exact: true });
      const upOf = (): Promise<string> => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--up'));
      const before = await upOf();
      await press('Control+,');
      await tabTo(dialog.getByRole('radio', { name: /^Teal up/ }));
      await press('ArrowDown');
      await expect.poll(upOf).not.toBe(before);
      await tabTo(dialog.getByRole('radio', { name: '100 %' }));
      await press('ArrowDown');
      const zoom = (): Promise<string> => page.evaluate(() => getComputedStyle(document.documentElement).zoom);
      await expect.poll(zoom).not.toBe('1');
      await tabTo(dialog.getByRole('button', { name: 'Reset the look' }));
      await press('Enter', 'Escape');
      await expect.poll(zoom).toBe('1');
      await expect.poll(upOf).toBe(before);
    });
    describe('one chart', () => {
      test('the plain desk again, with SX5E', async () => {
        await command('back to the plain desk');
        await expect.poll(() => page.locator('.dock').count(), LONG).toBe(0);
        await find('SX5E');
        await expect.poll(headlines, LONG).toEqual(['SX5E']);
      });
      chartByKeyboard(hands);
    });
    test('nothing went wrong in the page: no error, no warning, no refusal of the policy', () => {
      expect(opened.complaints).toEqual([]);
    });
  });
}
