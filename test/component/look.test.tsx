import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { mountPage } from './mountPage.tsx';

const root = document.documentElement;
const dialog = (): HTMLDialogElement | null => document.querySelector('dialog.settings[open]');
const computed = (name: string): string => getComputedStyle(root).getPropertyValue(name).trim();
/** Real clicks cost seconds here, and prove the same of a radio. */
const press = (role: 'radio' | 'button', options: { name: string | RegExp; exact?: boolean }): void => (page.getByRole(role, options).element() as HTMLElement).click();
/** As typed: a real fill waits for frames to stand still. */
function fill(name: string, text: string): void {
  const input = page.getByRole('combobox', { name }).element() as HTMLInputElement;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}
const lastOf = (id: string): string => document.querySelector(`[data-index="${id}"] .last`)?.textContent ?? '';

test('opens on its keys; every choice counts at once, is kept, and can be taken back', async () => {
  const stored: Record<string, string> = {};
  const { row } = await mountPage({ indices: 5, stored, keep: true });
  await expect.poll(() => row('SPX').getAttribute('data-state')).toBe('live');
  await userEvent.keyboard('{Control>},{/Control}');
  await expect.poll(dialog).not.toBeNull();
  const before = lastOf('SPX');
  expect(before).toMatch(/^\d,\d{3}\.\d\d$/);

  press('radio', { name: 'Dark', exact: true });
  press('radio', { name: /^High/ });
  press('radio', { name: /^Blue up/ });
  expect([root.dataset['theme'], root.dataset['contrast'], root.dataset['palette']]).toEqual(['dark', 'high', 'blue-orange']);
  expect(computed('--up')).toContain('#8cc4ff');

  fill('Locale', 'de-de');
  press('button', { name: 'Use', exact: true });
  await expect.poll(() => lastOf('SPX')).toMatch(/^\d\.\d{3},\d\d$/);
  expect(dialog()).not.toBeNull();
  fill('Locale', 'no such');
  press('button', { name: 'Use', exact: true });
  await expect.poll(() => dialog()?.querySelector('output')?.textContent).toContain('No locale that this browser knows');

  press('radio', { name: '12 hours' });
  await expect.poll(() => /\d:\d\d:\d\d\s[AP]M/.test(document.querySelector('.clocks')?.textContent ?? '')).toBe(true);
  press('radio', { name: 'None', exact: true });
  expect(root.dataset['motion']).toBe('reduced');
  expect(JSON.parse(stored['look'] ?? '')).toEqual({ contrast: 'high', palette: 'blue-orange', text: 100, locale: 'de-DE', hours: '12', motion: 'reduced' });
  expect(stored['theme']).toBe('dark');

  press('button', { name: 'Reset the look' });
  await expect.poll(() => lastOf('SPX')).toMatch(/^\d,\d{3}\.\d\d$/);
  expect([root.dataset['theme'], root.dataset['contrast'], root.dataset['palette'], root.dataset['motion']]).toEqual([undefined, undefined, 'teal-orange', undefined]);
});

test('comes back after a restart; what can not be read is told once and costs only itself', async () => {
  await mountPage({ indices: 2, stored: { look: JSON.stringify({ palette: 'green-magenta', text: 7, contrast: 'high' }) } });
  expect([root.dataset['palette'], root.dataset['contrast']]).toEqual(['green-magenta', 'high']);
  await expect.element(page.getByText('Settings that could not be read are as by default: text.')).toBeVisible();
});

test('what another window chooses counts here at once; what it can not have chosen does not', async () => {
  const { handles } = await mountPage({ indices: 2 });
  const elsewhere = (key: string, newValue: string | null): boolean => window.dispatchEvent(new StorageEvent('storage', { key: `frontrow.${key}`, newValue }));
  elsewhere('look', JSON.stringify({ ...handles.look.get(), palette: 'blue-orange', text: 125, locale: 'de-DE', hours: '12' }));
  elsewhere('theme', 'dark');
  const shown = () => [root.dataset['palette'], root.style.zoom, root.dataset['theme'], handles.writing.get()];
  expect(shown()).toEqual(['blue-orange', '1.25', 'dark', 'de-DE 12']);
  for (const wrong of ['{', '[]', 'x'.repeat(3000), null]) elsewhere('look', wrong);
  elsewhere('theme', 'pink');
  expect(shown()).toEqual(['blue-orange', '1.25', 'dark', 'de-DE 12']);
});

test.each([['wide', 1440, 900], ['narrow', 1024, 700]] as const)('text of 200 %% in a %s window: nothing sticks out, everything can be scrolled to', async (size, width, height) => {
  const { row, handles } = await mountPage({ indices: 20, size, stored: { look: JSON.stringify({ text: 200 }) } });
  await expect.poll(() => row('SPX').getAttribute('data-state')).toBe('live');
  await expect.poll(() => document.querySelector('.chart-plot, .recharts-wrapper') !== null, { timeout: 10_000 }).toBe(true);
  expect([window.innerWidth, window.innerHeight]).toEqual([width, height]);
  // one column: the layout of a window of half the size
  const box = (selector: string): DOMRect => document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
  expect(box('.watchlist').width).toBeGreaterThan(width * 0.9);
  expect(box('.headline').top).toBeGreaterThanOrEqual(box('.watchlist').bottom - 1);
  for (const part of ['.top-line', '.watchlist', '.headline', '.ranges', '.chart-box', '.side', '.health-line']) {
    expect([part, box(part).right <= width + 1, box(part).height > 0]).toEqual([part, true, true]);
  }
  expect(root.scrollHeight).toBeGreaterThan(root.clientHeight);

  // the crosshair stands where the pointer is
  await expect.poll(() => document.querySelector('.chart-cursor') !== null, { timeout: 10_000 }).toBe(true);
  const area = document.querySelector('.chart-cursor')!;
  const x = area.getBoundingClientRect().left + area.getBoundingClientRect().width * 0.4;
  area.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, clientX: x, clientY: area.getBoundingClientRect().top + 40 }));
  await expect.poll(() => Math.abs(box('.chart-cursor-x').left - x)).toBeLessThan(40);

  handles.settings.set(true);
  await expect.poll(dialog).not.toBeNull();
  const panel = dialog()!.getBoundingClientRect();
  expect([panel.left >= 0, panel.top >= 0, panel.right <= width, panel.bottom <= height]).toEqual([true, true, true, true]);
});
