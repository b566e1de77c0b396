/** The chart's dialog: each field changes its own setting, at once, and says what it can't take. */
import axe from 'axe-core';
import { useEffect, useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import '../../renderer/theme/theme.css';
import { ChartDialog } from '../../renderer/chart/ChartDialog.tsx';
import { type ChartSettings, DEFAULT_SETTINGS } from '../../renderer/chart/settings.ts';

let settings: ChartSettings;
function Harness() {
  const [now, set] = useState<ChartSettings>(DEFAULT_SETTINGS);
  useEffect(() => {
    settings = now;
  }, [now]);
  return <ChartDialog id="SPX" price="3074.62" zone="America/New_York" ids={['SPX', 'NKY', 'UKX']} settings={now} onChange={(change) => set({ ...now, ...change })} onClose={() => {}} />;
}
const open = () => render(<Harness />);
const press = (role: 'button' | 'radio' | 'checkbox', name: string | RegExp) => page.getByRole(role, { name, exact: true }).click();

test('kind, axis, clock, resolution, closed time and fixed lines', async () => {
  await open();
  for (const name of ['Candles', 'Logarithmic', 'UTC', '5 minutes']) await press('radio', name);
  for (const name of ['takes no width', 'Previous close', "Range's high and low"]) await press('checkbox', name);
  expect(settings).toEqual({ ...DEFAULT_SETTINGS, kind: 'candles', scale: 'log', zone: 'UTC', detail: '5m', collapse: false, overlays: ['range'] });
  const { violations } = await axe.run(document.querySelector('dialog')!, { rules: { region: { enabled: false } } });
  expect(violations.map(({ id }) => id)).toEqual([]);
});

test('an average of a chosen length, once, and away again', async () => {
  await open();
  await userEvent.selectOptions(page.getByRole('combobox', { name: 'Average' }), 'exponential');
  await page.getByRole('spinbutton').fill('50');
  await press('button', 'Add average');
  await press('button', 'Add average');
  expect(settings.overlays).toEqual(['previous-close', 'ema50']);
  await press('button', /^Remove E/);
  expect(settings.overlays).toEqual(['previous-close']);
});

test('an index to compare with: of the desk, another one, in percent; since an instant of the exchange', async () => {
  await open();
  for (const [typed, compare] of [['SPX', []], ['NONE', []], ['nky', ['NKY']], ['NKY', ['NKY']]] as const) {
    await page.getByRole('combobox', { name: 'Index' }).fill(typed);
    await userEvent.keyboard('{Enter}');
    expect(settings.compare).toEqual(compare);
  }
  expect(settings.scale).toBe('percent');
  await page.getByLabelText('Starting at').fill('2019-11-05T12:00');
  expect(settings.rebase).toBe(Date.UTC(2019, 10, 5, 17));
  await press('button', 'Remove NKY');
  expect(settings.compare).toEqual([]);
});

test('a level begins at the last price, has a note, keeps every digit, and takes no words for a price', async () => {
  await open();
  const price = page.getByRole('textbox', { name: 'Price' });
  await expect.element(price).toHaveValue('3074.62');
  await price.fill('high');
  await expect.element(page.getByRole('button', { name: 'Add level' })).toBeDisabled();
  await price.fill('12345678901234567.891');
  await page.getByRole('textbox', { name: 'Note' }).fill('sell here');
  await userEvent.keyboard('{Enter}');
  expect(settings.levels).toEqual([{ index: 'SPX', price: '12345678901234567.891', note: 'sell here' }]);
  await press('button', 'Remove the level 12345678901234567.891');
  expect(settings.levels).toEqual([]);
});

test('two instants on the clock of the exchange, the second after the first', async () => {
  await open();
  const [from, to] = ['From', 'To'].map((name) => page.getByLabelText(name, { exact: true }));
  await from!.fill('2019-11-05T12:00');
  await to!.fill('2019-11-05T10:00');
  await press('button', 'Show');
  await expect.element(page.getByRole('alert')).toHaveTextContent('the end must be after the beginning');
  await to!.fill('2019-11-06T10:00');
  await press('button', 'Show');
  expect(settings.range).toEqual({ from: Date.UTC(2019, 10, 5, 17), to: Date.UTC(2019, 10, 6, 15) });
  await press('button', 'Back to live');
  expect(settings.range).toBe('1D');
});
