import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { problem } from '../../shared/result.ts';
import { SCENES } from './fakeMarket.ts';
import { mountPage } from './mountPage.tsx';

const stateOf = (id: string): string | undefined => document.querySelector<HTMLElement>(`[data-index="${CSS.escape(id)}"]`)?.dataset['state'];
const order = (): (string | undefined)[] => [...document.querySelectorAll<HTMLElement>('.list-body > *')].toSorted((a, b) => a.offsetTop - b.offsetTop).map((row) => row.dataset['index'] ?? row.textContent ?? undefined);
const foot = (): string => document.querySelector('.health-line')?.textContent ?? '';
const text = (selector: string): string => document.querySelector(selector)?.textContent ?? '';

test('a row carries index, state and the formatted price', async () => {
  const { row } = await mountPage();
  await expect.poll(() => stateOf('SPX')).toBe('live');
  expect(row('SPX').textContent).toContain('3,074.62');
  expect(row('SPX').textContent).toContain('live');
  expect(stateOf('NKY')).toBe('closed');
});

test('a price is shown exactly, beyond what a double holds', async () => {
  const { market, row } = await mountPage();
  await expect.poll(() => stateOf('SPX')).toBe('live');
  market.change({ index: 'SPX', price: '12345678901234567.89' });
  await expect.poll(() => row('SPX').textContent).toContain('12,345,678,901,234,567.89');
});

test('trouble is pinned on top by name, struck through, and the counts agree with the list', async () => {
  const { market } = await mountPage({ indices: 20 });
  await expect.poll(() => stateOf('SPX')).toBe('live');
  SCENES.trouble(market);
  await expect.poll(order).toContain('Trouble');
  expect(order().slice(0, 4)).toEqual(['Trouble', 'IBOV', 'NDX', 'Americas']);
  expect(order().filter((id) => id === 'NDX')).toHaveLength(1);
  const price = document.querySelector('[data-index="NDX"] .price');
  expect(price && getComputedStyle(price).textDecorationLine).toBe('line-through');
  await expect.poll(() => text('.trouble-line')).toMatch(/IBOV disconnected 4:\d\d.*NDX stalled 4:\d\d/);
  const rows = [...document.querySelectorAll<HTMLElement>('[data-index]')];
  for (const [state, word] of [['live', 'live'], ['stalled', 'stalled'], ['closed', 'closed'], ['nodata', 'without data']] as const) {
    expect(foot()).toContain(`${rows.filter((row) => row.dataset['state'] === state).length} ${word}`);
  }
  expect(foot()).toContain('20 indices');
});

test('a silent host: everything disconnected by the page itself, ages go on, one snapshot brings it back', async () => {
  const { market, pass } = await mountPage({ speed: 1 });
  await expect.poll(() => stateOf('SPX')).toBe('live');
  market.silence(true);
  pass(3100);
  await expect.poll(() => stateOf('SPX')).toBe('disconnected');
  expect(stateOf('NKY')).toBe('disconnected');
  expect(document.querySelector('[role="alert"]')?.textContent).toContain('silent');
  expect(foot()).toContain('5 indices: 5 disconnected');
  const age = (): string => text('[data-index="SPX"] .age');
  const before = age();
  pass(70_000);
  await expect.poll(age).toMatch(/^1:1\d$/);
  expect(age()).not.toBe(before);
  const connects = market.connects;
  market.silence(false);
  pass(6000);
  await expect.poll(() => stateOf('SPX'), { timeout: 5000 }).toBe('live');
  expect(market.connects).toBeGreaterThan(connects);
  expect(document.querySelector('[role="alert"]')).toBeNull();
});

test('a heartbeat alone does not bring values back: they may have changed meanwhile', async () => {
  const { market, pass } = await mountPage();
  await expect.poll(() => stateOf('SPX')).toBe('live');
  market.silence(true);
  pass(3100);
  await expect.poll(() => stateOf('SPX')).toBe('disconnected');
  market.withhold(true);
  market.silence(false);
  for (let beat = 0; beat < 5; beat += 1) {
    market.beat();
    await new Promise((resolve) => { setTimeout(resolve, 60); });
    expect(stateOf('SPX')).toBe('disconnected');
  }
  market.withhold(false);
  pass(6000);
  await expect.poll(() => stateOf('SPX'), { timeout: 5000 }).toBe('live');
});

test('a missing sequence number asks for a new snapshot', async () => {
  const { market, pass } = await mountPage();
  await expect.poll(() => stateOf('SPX')).toBe('live');
  pass(2000);
  market.skip('quotes');
  market.change({ index: 'SPX', price: '3000' });
  await expect.poll(() => market.connects).toBe(2);
  await expect.poll(() => text('[data-index="SPX"]')).toContain('3,000.00');
});

test('the whole store gone: a named banner with what to do, nothing looks live', async () => {
  const { market } = await mountPage({ indices: 20 });
  await expect.poll(() => stateOf('SPX')).toBe('live');
  SCENES.disconnected(market);
  await expect.poll(() => text('[role="alert"]')).toContain('Nothing listens at 127.0.0.1:8086');
  expect(text('[role="alert"]')).toContain('start the store');
  await expect.poll(() => text('.trouble-line')).toContain('All 20 disconnected');
  expect(document.querySelectorAll('[data-state="live"]')).toHaveLength(0);
});

test('an empty table names the command that fills it', async () => {
  await mountPage({ indices: 0 });
  await expect.poll(() => text('main')).toContain('The table is empty');
  expect(text('main')).toContain('npx frontrow serve --demo');
});

test('no table names init', async () => {
  const { market } = await mountPage({ indices: 0 });
  market.health({ link: 'broken', problem: problem('TABLE_MISSING', 'no table quotes', 'run `frontrow init`') });
  await expect.poll(() => text('main pre')).toBe('npx frontrow init');
});

test('keyboard: arrows, Home, End and Enter in the list', async () => {
  const { handles } = await mountPage({ indices: 20, stored: { index: 'SPX' } });
  await expect.poll(() => stateOf('SPX')).toBe('live');
  document.querySelector<HTMLElement>('[role="grid"]')?.focus();
  await userEvent.keyboard('{ArrowDown}');
  const grid = document.querySelector('[role="grid"]');
  expect(grid?.getAttribute('aria-activedescendant')).toBe('row-NDX');
  const active = document.querySelector<HTMLElement>('[data-active]');
  expect(active && getComputedStyle(active).outlineStyle).toBe('solid');
  expect(handles.selected.get()).toBe('SPX');
  await userEvent.keyboard('{Enter}');
  expect(handles.selected.get()).toBe('NDX');
  await userEvent.keyboard('{End}{Enter}');
  await expect.poll(() => handles.selected.get()).toBe('SHCOMP');
  await userEvent.keyboard('{Home}{Enter}');
  await expect.poll(() => handles.selected.get()).toBe('SPX');
});

test('Ctrl+K and typing find an index; Escape gives the focus back', async () => {
  const { handles } = await mountPage({ indices: 20 });
  await expect.poll(() => stateOf('SPX')).toBe('live');
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(page.getByRole('combobox', { name: 'Find an index or a command' })).toHaveFocus();
  await userEvent.keyboard('stoxx{Enter}');
  await expect.poll(() => handles.selected.get()).toBe('SX5E');
  await userEvent.keyboard('ftse');
  await expect.poll(() => document.querySelectorAll('[role="option"]').length).toBe(1);
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => document.activeElement?.getAttribute('role')).not.toBe('combobox');
  expect(handles.selected.get()).toBe('SX5E');
});

test('the tape shows new ticks, corrections and removals', async () => {
  const { market } = await mountPage({ stored: { index: 'SPX' } });
  await expect.poll(() => document.querySelectorAll('.tape tbody tr').length).toBeGreaterThan(20);
  expect(market.asked.some(({ name, request }) => name === 'watch' && JSON.stringify(request) === '{"indices":["SPX"]}')).toBe(true);
  const at = String(market.now());
  const tick = { eventMicros: at, sequence: 0, price: '3080.5', volume: null, source: 'x', ingestMicros: null };
  market.send('ticks', { index: 'SPX', ticks: [tick], removed: [], backfill: false });
  await expect.poll(() => text('.tape tbody tr')).toContain('09:41:07.000');
  expect(text('.tape tbody tr')).toContain('3,080.50');
  const fits = (): boolean => document.querySelector('.panel')!.scrollWidth <= document.querySelector('.panel')!.clientWidth;
  expect(fits()).toBe(true);
  market.send('ticks', { index: 'SPX', ticks: [{ ...tick, price: '3081' }], removed: [], backfill: false });
  await expect.poll(() => text('.tape tbody tr')).toMatch(/3,081\.00.*corrected, was 3,080\.50/);
  expect(fits()).toBe(true);
  market.send('ticks', { index: 'SPX', ticks: [], removed: [{ eventMicros: at, sequence: 0 }], backfill: false });
  await expect.poll(() => text('.tape tbody tr')).toContain('removed');
});

test('the replay is marked, its speed and pause are asked of the host', async () => {
  const { market } = await mountPage();
  await expect.poll(() => text('.clock-mark')).toContain('REPLAY');
  await userEvent.selectOptions(page.getByRole('combobox', { name: 'Replay speed' }), '60');
  await expect.poll(() => market.asked.filter(({ name }) => name === 'clock').at(-1)?.request).toEqual({ speed: 60 });
  await page.getByRole('button', { name: 'Pause the replay' }).click();
  await expect.element(page.getByRole('button', { name: 'Resume the replay' })).toBeVisible();
});

test('200 indices: only the rows in sight exist', async () => {
  await mountPage({ indices: 200 });
  await expect.poll(() => document.querySelectorAll('[data-index]').length).toBeGreaterThan(20);
  expect(document.querySelectorAll('[data-index]').length).toBeLessThan(45);
  expect(document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount')).toBe(String(200 + 3 + 1));
});

test('a change of one quote draws its own row only', async () => {
  const { market } = await mountPage({ indices: 20 });
  await expect.poll(() => stateOf('SPX')).toBe('live');
  const changed = new Set<string>();
  const observer = new MutationObserver((records) => {
    for (const { target } of records) {
      const row = (target instanceof Element ? target : target.parentElement)?.closest<HTMLElement>('[data-index]');
      // ages and sparklines move by themselves
      if (row && !(target instanceof Element ? target : target.parentElement)?.closest('.age, .trend')) changed.add(row.dataset['index'] ?? '');
    }
  });
  const list = document.querySelector('.list-body');
  if (list) observer.observe(list, { subtree: true, childList: true, characterData: true, attributes: true });
  market.change({ index: 'DAX', price: '13000' });
  await expect.poll(() => text('[data-index="DAX"]')).toContain('13,000.00');
  observer.disconnect();
  expect([...changed]).toEqual(['DAX']);
});

test('the live region is polite and does not chatter', async () => {
  const { market } = await mountPage();
  await expect.poll(() => text('.page > [aria-live="polite"]')).toContain('S&P 500');
  const seen = new Set<string>();
  const observer = new MutationObserver(() => seen.add(text('.page > [aria-live="polite"]')));
  const region = document.querySelector('.page > [aria-live="polite"]');
  if (region) observer.observe(region, { characterData: true, childList: true, subtree: true });
  for (let at = 0; at < 10; at += 1) {
    market.advance(100_000n);
    market.step();
    await new Promise((resolve) => { setTimeout(resolve, 30); });
  }
  observer.disconnect();
  expect(seen.size).toBe(0);
  expect(vi.isMockFunction(console.error)).toBe(true);
});

test('what must be known of a value stands on its row in words, and in the headline', async () => {
  const { market, row } = await mountPage({ stored: { index: 'SPX' } });
  await expect.poll(() => stateOf('SPX')).toBe('live');
  expect(row('SPX').querySelector('.note-mark')).toBeNull(); // the replay is marked in the top line, once
  market.change({ index: 'SPX', flags: ['replay', 'corrected'] }, { index: 'SX5E', flags: ['replay', 'future'] });
  await expect.poll(() => row('SPX').querySelector('.state .sr')?.textContent).toBe('live, corrected by its source');
  expect(row('SPX').querySelector('.note-mark')?.getAttribute('data-tone')).toBeNull();
  expect(row('SX5E').querySelector('.note-mark')?.getAttribute('data-tone')).toBe('bad');
  expect(row('SX5E').title).toContain('future row passed over');
  expect(text('.flags')).toContain('corrected by its source');
});

test('a value without a base shows no change and says why', async () => {
  const { market, row } = await mountPage({ stored: { index: 'SPX' } });
  await expect.poll(() => stateOf('SPX')).toBe('live');
  market.change({ index: 'SPX', change: null, changePercent: null, base: null, baseNote: 'no official close since 2019-11-04' });
  await expect.poll(() => text('.headline-change')).toMatch(/change unknown.*no official close since .*4/);
  expect(row('SPX').querySelector('.percent')?.textContent).toMatch(/^–no official close since/);
});

test('a closed index tells when it opens', async () => {
  await mountPage({ stored: { index: 'NKY' } });
  await expect.poll(() => text('.headline-state')).toMatch(/closed.*opens .*7.* 09:00/);
});

test('first shown is what trades at an exchange, not what no calendar knows', async () => {
  const { handles } = await mountPage({ indices: 20 });
  await expect.poll(() => handles.selected.get()).toBe('SPX');
  expect(text('h1')).toContain('S&P 500');
});

test('keys: digits choose the range, Alt with arrows the index, \\ the panel, ? the help until Escape', async () => {
  const { handles } = await mountPage({ indices: 20, stored: { index: 'SPX' } });
  await expect.poll(() => stateOf('SPX')).toBe('live');
  await userEvent.keyboard('1');
  expect(handles.view.range.get()).toBe('5m');
  await expect.element(page.getByRole('button', { name: '5m', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
  await expect.poll(() => handles.selected.get()).toBe('NDX');
  await userEvent.keyboard('\\');
  await expect.poll(() => text('.panel')).toContain('Time of a read');
  await userEvent.keyboard('?');
  await expect.element(page.getByRole('dialog', { name: 'Keys and signs' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => handles.view.help.get()).toBe(false);
  expect(document.querySelector('dialog')?.open).toBe(false);
});

test('the palette runs a command by its words; its keys can be changed, kept, and a conflict says whose they are', async () => {
  const { handles } = await mountPage({ indices: 20, stored: { index: 'SPX' } });
  await expect.poll(() => stateOf('SPX')).toBe('live');
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(page.getByRole('option', { name: /^Next index/ })).toBeVisible();
  await userEvent.keyboard('chart 5m{Enter}');
  expect(handles.view.range.get()).toBe('5m');
  await userEvent.keyboard('?');
  await userEvent.click(page.getByRole('button', { name: /^Keys of Next index/ }));
  await userEvent.keyboard('1');
  await expect.element(page.getByText('1 is "Chart of 5m"; choose another, or change that one first')).toBeVisible();
  await userEvent.click(page.getByRole('button', { name: /^Keys of Next index/ }));
  await userEvent.keyboard('{Control>}j{/Control}');
  await expect.element(page.getByRole('button', { name: 'Keys of Next index: Ctrl J. Change' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => handles.view.help.get()).toBe(false);
  await userEvent.keyboard('{Control>}j{/Control}');
  await expect.poll(() => handles.selected.get()).toBe('NDX');
});

test('the health panel: states as in the list, units, and a problem with its next step', async () => {
  const { market } = await mountPage({ indices: 20, stored: { panel: 'health' } });
  await expect.poll(() => stateOf('SPX')).toBe('live');
  SCENES.trouble(market);
  await expect.poll(() => text('.states')).toMatch(/stalled1/);
  const rows = [...document.querySelectorAll<HTMLElement>('[data-index]')];
  for (const [state, word] of [['live', 'live'], ['quiet', 'quiet'], ['stalled', 'stalled'], ['closed', 'closed'], ['disconnected', 'disconnected'], ['nodata', 'without data']] as const) {
    expect(text('.states')).toContain(`${word}${rows.filter((row) => row.dataset['state'] === state).length}`);
  }
  for (const figure of ['1.2 /s', '5.6 ms', '0.1 % of a node', '14 ticks', '0 rows']) expect(text('.panel')).toContain(figure);
  SCENES.disconnected(market);
  await expect.poll(() => text('.health-problem')).toMatch(/Nothing listens at 127.0.0.1:8086.*start the store.*tried again by itself/);
});

test('what cannot be read yet is not called empty', async () => {
  const { market } = await mountPage({ indices: 0 });
  market.health({ link: 'broken', problem: problem('CREDENTIALS_MISSING', 'no Google credentials were found', 'run `gcloud auth application-default login`') });
  await expect.poll(() => text('main h1')).toBe('No Google credentials were found');
  expect(text('main code')).toBe('gcloud auth application-default login');
  expect(text('.list-empty')).toBe('No index could be read yet.');
});
