/** The form of the user's own trading dates: keyboard, refusals in words, list, undo, trouble by name, axe. */
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { mountPage } from './mountPage.tsx';
import { violations } from './violations.ts';

const dialog = (): HTMLElement => document.querySelector<HTMLElement>('dialog.settings[open]') ?? expect.fail('no settings');
const told = (): string => dialog().querySelector('.own-told')?.textContent ?? '';
const rows = (): string[] => [...dialog().querySelectorAll('.own-table tbody tr')].map((row) => [...row.querySelectorAll('th, td:not(:last-child)')].map((cell) => cell.textContent).join(' | '));

/** Into the field that has the focus: each real key costs a trip to the browser and back, and proves the same of a text field. */
function write(text: string): void {
  const input = document.activeElement as HTMLInputElement;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

test('a date is kept by keyboard alone, shown, and taken back', async () => {
  const { market, handles, row } = await mountPage({ indices: 5 });
  await expect.poll(() => row('SPX').getAttribute('data-state')).toBe('live');
  handles.settings.set(true);
  const exchange = page.getByRole('combobox', { name: 'Exchange or index' });
  await expect.element(exchange).toBeVisible();
  (exchange.element() as HTMLElement).focus();
  write('nowhere');
  await userEvent.keyboard('{Enter}');
  await expect.poll(told).toContain('Name an exchange by its code');
  expect([exchange.element().getAttribute('aria-invalid'), market.asked.some(({ name }) => name === 'correct')]).toEqual(['true', false]);

  write('nky'); // an index stands for its exchange
  await userEvent.keyboard('{Tab}');
  write('2026-12-30');
  await userEvent.keyboard('{Tab}{Tab}{Tab}{Tab}{ArrowRight}{Tab}'); // month, day, year, its button, what it is
  expect(document.activeElement?.closest('label')?.textContent).toBe('Hours, Tokyo time ');
  write('9:00-11:30 11:00-14:00');
  await userEvent.keyboard('{Enter}');
  await expect.poll(told).toContain('11:00 to 14:00 begins before 09:00 to 11:30 ends');
  write('9:00-11:30 12:30–14:00');
  await userEvent.keyboard('{Tab}');
  write('half day');
  await userEvent.keyboard('{Enter}');
  await expect.poll(rows).toEqual(['XTKS Tokyo | Wed, Dec 30, 2026 | 09:00–11:30, 12:30–14:00 | half day']);
  expect(told()).toBe('Kept: XTKS, Wed, Dec 30, 2026: 09:00–11:30, 12:30–14:00.');
  expect(market.asked.find(({ name }) => name === 'correct')?.request).toEqual({ mic: 'XTKS', date: '2026-12-30', to: { windows: [{ open: '09:00', close: '11:30' }, { open: '12:30', close: '14:00' }], note: 'half day' } });
  expect(await violations()).toEqual([]);

  (page.getByRole('button', { name: /^Remove XTKS/ }).element() as HTMLElement).click();
  await expect.poll(rows).toEqual([]);
  expect(document.activeElement).toBe(exchange.element());
  handles.notices.list.get()[0]?.action?.run();
  await expect.poll(() => rows().length).toBe(1);
}, 60_000);

test('what the host refuses is said; lines it could not read are trouble by name', async () => {
  const { market, handles, row } = await mountPage({ indices: 5 });
  await expect.poll(() => row('SPX').getAttribute('data-state')).toBe('live');
  market.calendar(['calendar.csv, line 3: "someday": a date is YYYY-MM-DD']);
  const trouble = page.getByRole('button', { name: 'Your dates: 1 unread' });
  await expect.element(trouble).toBeVisible();
  (trouble.element() as HTMLElement).click();
  await expect.element(page.getByText('calendar.csv, line 3: "someday": a date is YYYY-MM-DD')).toBeVisible();
  market.refuse('correct', { code: 'BAD_INPUT', what: 'calendar.csv can\'t be written (EACCES)', next: 'make the user-data folder writable', retryable: false });
  (page.getByLabelText('Date', { exact: true }).element() as HTMLElement).focus();
  write('2026-12-24');
  (page.getByRole('button', { name: 'Keep this date' }).element() as HTMLElement).click();
  await expect.poll(told).toBe('calendar.csv can\'t be written (EACCES); make the user-data folder writable');
  market.calendar();
  await expect.poll(() => document.querySelector('.trouble-line')?.textContent).toBe('');
  expect(handles.desk.calendar.get()?.problems).toEqual([]);
});
