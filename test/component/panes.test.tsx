/** Panes in a real browser: by keys, by axe, in every width; what was broken, and windows that hold some of them. */
import { describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { cleanup, render } from 'vitest-browser-react';
import { openPage } from '../../renderer/shell/openPage.ts';
import { PaneWindowPage } from '../../renderer/shell/PaneWindowPage.tsx';
import { oneGroup, plainLayout } from '../../renderer/workspace/layout.ts';
import type { Pane } from '../../renderer/workspace/pane.ts';
import { NOTHING, printAtWork, printNamed } from '../../renderer/workspace/saved.ts';
import { createFakeMarket } from './fakeMarket.ts';
import { mountPage } from './mountPage.tsx';
import { violations } from './violations.ts';

vi.setConfig({ testTimeout: 60_000 });

const pane = (id: string, more: Partial<Pane> = {}): Pane => ({ id, kind: 'chart', link: null, index: null, settings: { range: '1D' }, ...more });
const FOUR = { ...plainLayout(pane('aaaa', { link: 'A' }), pane('bbbb', { kind: 'tape', link: 'A' }), pane('cccc', { kind: 'health' }), 956, 760) };
const STORED = {
  index: 'SPX',
  workspace: printAtWork({ ...NOTHING, name: 'Morning', layout: { ...FOUR, panes: { ...FOUR.panes, dddd: pane('dddd', { index: 'NKY', link: 'B' }) }, parts: [{ parts: [{ tabs: ['aaaa'], shown: 'aaaa', size: 400 }, { tabs: ['dddd'], shown: 'dddd', size: 360 }], size: 640 }, ...FOUR.parts.slice(1)] }, links: { ...NOTHING.links, A: 'SPX', B: 'NKY' } }),
  workspaces: printNamed([{ ...NOTHING, name: 'Morning', layout: FOUR }, { ...NOTHING, name: 'Plain' }]),
};
const panes = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.dock [data-pane]')];
const shown = (): (string | undefined)[] => [...document.querySelectorAll<HTMLElement>('.dock [data-index-headline]')].map((one) => one.dataset['indexHeadline']);
const charts = (count: number) => expect.poll(() => document.querySelectorAll('.dock .chart-box figure[data-status="ready"]').length, { timeout: 15_000 }).toBe(count);
const press = (keys: string) => userEvent.keyboard(keys);

describe('by keys alone', () => {
  test('split, choose for one, link, tab, move, close, open again', async () => {
    const { handles } = await mountPage({ indices: 20, stored: { index: 'SPX' } });
    await expect.poll(() => document.querySelector('.chart-box figure[data-status="ready"]') !== null, { timeout: 15_000 }).toBe(true);
    expect(document.querySelector('.dock')).toBeNull(); // the plain desk needs none
    await press('{Control>}{Enter}{/Control}');
    await charts(2);
    expect(shown()).toEqual(['SPX', 'SPX']);
    expect(await violations()).toEqual([]);
    await press('nky{Enter}');
    await expect.poll(shown).toEqual(['SPX', 'NKY']);
    expect(handles.workspace.links.get().A).toBe('SPX');
    await press('{F6}{F6}{F6}{F6}');
    await press('{Control>}.{/Control}');
    const active = handles.workspace.panes.get(handles.workspace.active.get() ?? '');
    expect(active?.link).not.toBeNull();
    await press('{Alt>}{Enter}{/Alt}');
    await expect.poll(() => document.querySelectorAll('.dock [role="tab"]').length).toBe(5);
    await press('{Control>}{Shift>}{ArrowDown}{/Shift}{/Control}');
    await expect.poll(() => document.querySelectorAll('.dock .dv-groupview').length).toBe(4);
    await press('{Control>}{Delete}{/Control}');
    await expect.poll(() => document.querySelectorAll('.dock [role="tab"]').length).toBe(4);
    expect(handles.commands.run('pane.reopen')).toBe(true);
    await expect.poll(() => document.querySelectorAll('.dock [role="tab"]').length).toBe(5);
  });

  test('F6 goes round: the list, every pane, and back; the pane it reaches is the active one', async () => {
    const { handles } = await mountPage({ indices: 20, stored: STORED });
    await charts(2);
    const met: string[] = [];
    for (let at = 0; at < 5; at += 1) {
      await press('{F6}');
      met.push(document.activeElement?.closest('.watchlist') ? 'list' : (document.activeElement?.closest<HTMLElement>('[data-pane]')?.dataset['pane'] ?? '?'));
      if (met.at(-1) !== 'list') expect(handles.workspace.active.get()).toBe(met.at(-1));
    }
    expect(new Set(met)).toEqual(new Set(['list', 'aaaa', 'dddd', 'bbbb']));
    expect(met[4]).toBe(met[0]);
  });

  test('no two commands have the same keys', async () => {
    const { handles } = await mountPage({ indices: 20, stored: STORED });
    await charts(2);
    const chords = handles.commands.all.get().flatMap(({ id, keys }) => keys.map((chord) => [chord, id] as const));
    const double = [...Map.groupBy(chords, ([chord]) => chord).values()].filter((list) => list.length > 1).map((list) => list.map(([chord, id]) => `${chord} ${id}`));
    expect(double).toEqual([]);
  });
});

test('a layout that can\'t be read is the plain desk and one line, which goes away', async () => {
  await mountPage({ indices: 20, stored: { workspace: '{"version":1,"layout":{"panes":7}}' } });
  await expect.poll(() => document.querySelector('main .headline') !== null).toBe(true);
  await expect.element(page.getByText(/panes of last time can't be read/)).toBeVisible();
  expect(document.querySelectorAll('.notice')).toHaveLength(1);
  expect(await violations()).toEqual([]);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  expect(document.querySelectorAll('.notice')).toHaveLength(0);
});

for (const theme of ['dark', 'light']) {
  for (const size of ['wide', 'narrow', 'zoomed'] as const) {
    test(`four panes, ${size}, ${theme}: no violations, nothing spills over`, async () => {
      await mountPage({ indices: 20, size, stored: { ...STORED, theme } });
      await charts(2);
      expect(panes().length).toBe(3); // the fourth is a tab that is not shown
      expect(await violations()).toEqual([]);
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth);
      if (size !== 'zoomed') expect(document.documentElement.scrollHeight).toBeLessThanOrEqual(innerHeight);
    });
  }
  test(`workspaces and a window of panes, ${theme}: no violations`, async () => {
    const { handles } = await mountPage({ indices: 20, stored: { ...STORED, theme } });
    await charts(2);
    handles.workspaceDialog.set(true);
    await expect.element(page.getByRole('button', { name: 'Delete Morning' })).toBeVisible();
    await page.getByRole('button', { name: 'Rename Plain' }).click();
    expect(await violations()).toEqual([]);
    handles.workspaceDialog.set(false);
  });
}

describe('the watchlist as a pane', () => {
  const lists = (): string[] => [...document.querySelectorAll('.watchlist')].map((list) => (list.closest('.dock') ? 'pane' : 'edge'));
  const choose = (id: string): void => document.querySelector<HTMLElement>(`[data-index="${id}"]`)?.click();

  test('out of its place by a press, chooses for the pane used before, comes back after a restart, and back into its place', async () => {
    const stored: Record<string, string> = { ...STORED };
    const first = await mountPage({ indices: 20, size: 'narrow', stored, keep: true });
    await expect.poll(shown, { timeout: 15_000 }).toEqual(['SPX', 'NKY']);
    document.querySelector<HTMLElement>('[aria-label="The watchlist as a pane"]')?.click();
    await expect.poll(lists).toEqual(['pane']);
    choose('UKX');
    await expect.poll(shown).toEqual(['UKX', 'NKY']);
    expect(await violations()).toEqual([]);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth);
    first.handles.close();
    await cleanup();
    const { handles } = await mountPage({ indices: 20, stored });
    await expect.poll(lists, { timeout: 15_000 }).toEqual(['pane']);
    handles.workspace.link(Object.values(handles.workspace.layout.get()!.panes).find(({ kind }) => kind === 'watchlist')!.id, 'B');
    choose('DAX');
    await expect.poll(() => handles.workspace.links.get()).toMatchObject({ A: 'UKX', B: 'DAX' });
    expect(handles.commands.run('pane.watchlist')).toBe(true);
    await expect.poll(lists).toEqual(['edge']);
  });

  test('in a window of its own it has its commands, and its choice is told to the desk, which has none then', async () => {
    const work = { ...NOTHING, name: null, links: { ...NOTHING.links, A: 'SPX' }, windows: [{ id: 'wwww', layout: oneGroup([pane('eeee', { kind: 'watchlist' })], 'eeee'), bounds: null }] };
    await mountPage({ indices: 20, stored: { index: 'SPX', workspace: printAtWork(work) } });
    await expect.poll(() => document.querySelector('main .headline') !== null).toBe(true);
    expect(lists()).toEqual([]);
    await cleanup();
    const said: unknown[] = [];
    const windows = { open: () => false, post: (message: unknown) => void said.push(message), subscribe: () => () => {}, bounds: () => null, closeSelf() {}, own() {} };
    const handles = openPage(createFakeMarket({ indices: 20 }), { getItem: (key) => (key === 'frontrow.workspace' ? printAtWork(work) : null), setItem: () => {} }, { windows, windowId: 'wwww' });
    await render(<PaneWindowPage handles={handles} />);
    await expect.poll(lists).toEqual(['pane']);
    choose('DAX');
    await expect.poll(() => said.at(-1)).toMatchObject({ kind: 'links', links: { A: 'DAX' } });
    expect(handles.commands.run('list.sort.last')).toBe(true);
    expect(await violations()).toEqual([]);
    handles.close();
  });
});

test('a window of panes shows its own alone, with connection, replay mark and a way back', async () => {
  await page.viewport(900, 650);
  const stored: Record<string, string> = { 'frontrow.workspace': printAtWork({ ...NOTHING, name: null, windows: [{ id: 'wwww', layout: oneGroup([pane('aaaa', { index: 'NKY' })], 'aaaa'), bounds: null }] }) };
  const said: unknown[] = [];
  const windows = { open: () => false, post: (message: unknown) => void said.push(message), subscribe: () => () => {}, bounds: () => null, closeSelf() {}, own() {} };
  const handles = openPage(createFakeMarket({ indices: 20 }), { getItem: (key) => stored[key] ?? null, setItem: () => {} }, { windows, windowId: 'wwww' });
  await render(<PaneWindowPage handles={handles} />);
  await charts(1);
  expect(shown()).toEqual(['NKY']);
  expect(document.querySelector('.link')?.textContent).toBe('connected');
  expect(document.querySelector('.watchlist')).toBeNull();
  expect(await violations()).toEqual([]);
  await page.getByRole('button', { name: 'Return' }).click();
  expect(said.at(-1)).toEqual({ kind: 'return', id: 'wwww' });
  handles.close();
});
