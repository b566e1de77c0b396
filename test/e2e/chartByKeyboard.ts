/** Steps of the keyboard's test on one chart: points, table, measure, scales, axis, overlays, comparison, levels, copies. */
import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright';
import { expect, test } from 'vitest';
import { partOf } from '../readout.ts';
import { type Hands, LONG } from './byKeyboard.ts';

/** Registers the steps; they begin with one chart of SX5E on screen. */
export function chartByKeyboard({ page, press, type, command, tabTo, paneWith }: Hands): void {
  const find = (selector: string): Locator => page().locator(`.chart-box figure ${selector}`);
  const part = (name: string): Promise<string> => partOf(name, (element) => find(`[data-part="${element}"]`).innerText());
  const dialog = (): Locator => page().getByRole('dialog', { name: 'Chart of SX5E' });
  const priceLabels = (): Promise<string[]> => find('.chart-tick-price').allTextContents();
  const legend = (): Promise<string[]> => find('.chart-legend li').allInnerTexts();
  const toPoints = (): Promise<void> => paneWith('.chart-cursor');
  const openDialog = async (): Promise<void> => {
    await press('Alt+s');
    await dialog().waitFor(LONG);
  };
  const closeDialog = async (): Promise<void> => {
    await press('Escape');
    await page().locator('dialog.chart-dialog').waitFor({ ...LONG, state: 'detached' }); // by role it is gone before the page has heard of it
  };
  const clipboard = (): Promise<string> => page().evaluate(() => navigator.clipboard.readText());
  const saved = async (words: string): Promise<{ readonly name: string; readonly content: Buffer }> => {
    const [file] = await Promise.all([page().waitForEvent('download', LONG), command(words)]);
    return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
  };

  test('the cursor on the points: first, last, one and a page further; where it stands is told', async () => {
    await press('2');
    await find('.chart-cursor').waitFor(LONG);
    await toPoints();
    const at = async (): Promise<number> => Number(await find('.chart-cursor').getAttribute('aria-valuenow'));
    const told = (): Promise<string | null> => find('.chart-cursor').getAttribute('aria-valuetext');
    await press('Home');
    expect(await at()).toBe(0);
    const first = await part('time');
    await press('ArrowRight');
    expect(await at()).toBe(1);
    await press('PageUp');
    expect(await at()).toBeGreaterThan(2);
    await press('PageDown');
    expect(await at()).toBe(1);
    await press('End');
    expect(await part('time') > first).toBe(true);
    expect(await told()).toContain(`${await part('price')} at ${await part('time')}`);
    await press('Escape');
    expect(await find('.chart-cursor').getAttribute('data-cursor')).toBe('off');
  });

  test('the table beside it is of the range in view', async () => {
    const points = async (): Promise<number> => Number(/(\d+) points/.exec(await find('.chart-hidden p').innerText())?.[1]);
    await expect.poll(points, LONG).toBeGreaterThan(100);
    const whole = await points();
    await press('+', '+', '+');
    await expect.poll(points, LONG).toBeLessThan(whole / 2);
    expect(await find('tbody tr').count()).toBeGreaterThan(5);
    await press('-', '-', '-');
    await expect.poll(points, LONG).toBeGreaterThan(whole / 2);
  });

  test('back in time and to live again; measure from one point to another', async () => {
    await press('Alt+ArrowLeft');
    await find('.chart-still').waitFor(LONG);
    await press('0');
    await find('.chart-still').waitFor({ ...LONG, state: 'detached' });
    await toPoints();
    await press('Home', 'Enter', 'PageUp', 'Enter');
    expect(await part('measured')).toMatch(/[+−][\d.,]+.*%/);
    await press('Escape');
    await expect.poll(() => find('.chart-measure').getAttribute('data-on')).toBeNull();
  });

  test('logarithmic, percent and linear axis; the clock of the axis; closed time hidden or shown', async () => {
    await press('Alt+t');
    await expect.poll(priceLabels, LONG).toSatisfy((labels: string[]) => labels.length > 1 && labels.every((label) => label.endsWith('%')));
    await press('Alt+g');
    await expect.poll(priceLabels, LONG).toSatisfy((labels: string[]) => labels.length > 1 && labels.every((label) => /^[\d,]+\.\d+$/.test(label)));
    await command('linear price');
    await toPoints();
    await press('End');
    await expect.poll(() => part('time')).toMatch(/\+0[12]:00$/);
    await command('times in utc');
    await toPoints();
    await press('End');
    await expect.poll(() => part('time')).toMatch(/(?:\+00:00|UTC|Z)$/);
    await command("times of the exchange's clock");
    await press('4');
    // where the night lies between two days
    const night = async (): Promise<number> => Number(await find('.chart-break line').first().getAttribute('x1'));
    await find('.chart-break line').first().waitFor({ ...LONG, state: 'attached' });
    const hidden = await night();
    await press('Alt+n');
    await expect.poll(async () => Math.abs((await night()) - hidden), LONG).toBeGreaterThan(10);
    await press('Alt+n');
    await expect.poll(async () => Math.abs((await night()) - hidden), LONG).toBeLessThan(5);
    await press('2');
  });

  test('lines over the price: an average and the range; another index beside it; both are named', async () => {
    await openDialog();
    await tabTo(dialog().getByLabel("Range's high and low"));
    await press('Space');
    await tabTo(dialog().getByRole('button', { name: 'Add average' }));
    await press('Enter');
    await tabTo(dialog().getByRole('combobox', { name: 'Index' }));
    await type('spx');
    await press('Enter');
    await dialog().getByRole('button', { name: 'Remove SPX' }).waitFor();
    await closeDialog();
    await expect.poll(legend, LONG).toHaveLength(3);
    expect((await legend()).map((line) => line.trim().split(/\s/)[0])).toEqual(expect.arrayContaining(['SX5E', 'SPX']));
    await expect.poll(() => find('.chart-flat text').allTextContents(), LONG).toEqual([expect.stringMatching(/^range high/), expect.stringMatching(/^range low/)]);
    await openDialog();
    for (const line of ['Remove SPX', /^Remove SMA/]) {
      await tabTo(dialog().getByRole('button', { name: line }));
      await press('Enter');
    }
    await closeDialog();
    await expect.poll(legend, LONG).toEqual([]);
  });

  test('a level with a note stays on the chart', async () => {
    await openDialog();
    const price = dialog().getByRole('textbox', { name: 'Price' });
    await tabTo(price);
    const level = await price.inputValue();
    await tabTo(dialog().getByRole('textbox', { name: 'Note' }));
    await type('sell here');
    await press('Enter');
    await closeDialog();
    const drawn = find('.chart-flat[data-kind="level"] text');
    await expect.poll(() => drawn.allTextContents(), LONG).toEqual([expect.stringContaining('sell here')]);
    await page().reload();
    await expect.poll(() => drawn.allTextContents(), LONG).toEqual([expect.stringContaining('sell here')]);
    await openDialog();
    await tabTo(dialog().getByRole('button', { name: `Remove the level ${level}` }));
    await press('Enter');
    await closeDialog();
    await expect.poll(() => drawn.count(), LONG).toBe(0);
  });

  test('a range of its own, by dates', async () => {
    const day = new Date(`${await page().locator('.clock-mark .day').innerText()} UTC`).toISOString().slice(0, 10).split('-');
    await openDialog();
    for (const [field, hour] of [['From', '10'], ['To', '11']] as const) {
      await tabTo(dialog().getByLabel(field, { exact: true }));
      await press(...Array<string>(6).fill('ArrowLeft')); // to the month, whichever part of the field has the focus
      await type(`${day[1]}${day[2]}${day[0]}`);
      await press('ArrowRight');
      await type(`${hour}00AM`);
    }
    await press('Enter');
    await closeDialog();
    await find('.chart-still').waitFor(LONG);
    await toPoints();
    await press('Home');
    await expect.poll(() => part('time'), LONG).toMatch(/^10:00:/);
    await press('End');
    await expect.poll(() => part('time')).toMatch(/^10:59:|^11:00:00/);
    await press('2');
    await find('.chart-still').waitFor({ ...LONG, state: 'detached' });
  });

  test("the chart's data and picture, to the clipboard and as files", async () => {
    await find('.chart-cursor').waitFor(LONG);
    await press('Alt+Shift+d');
    await expect.poll(clipboard, LONG).toMatch(/^time\ttime in Europe\/Berlin\tprice\n/);
    expect((await clipboard()).trimEnd().split('\n').length).toBeGreaterThan(50);
    const data = await saved("save the chart's data");
    expect(data.name).toMatch(/^SX5E_\d{14}Z\.csv$/);
    expect(data.content.toString()).toMatch(/^time,time in Europe\/Berlin,price\r\n\d{4}-\d\d-\d\dT/);
    const picture = await saved("save the chart's picture");
    expect(picture.name).toMatch(/^SX5E_\d{14}Z\.png$/);
    expect(picture.content.subarray(1, 4).toString()).toBe('PNG');
  });
}
