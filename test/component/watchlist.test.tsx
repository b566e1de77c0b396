import axe from 'axe-core';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { mountPage, type Mounted } from './mountPage.tsx';

const grid = (): HTMLElement => document.querySelector<HTMLElement>('[role="grid"]')!;
const shown = (): (string | undefined)[] => [...document.querySelectorAll<HTMLElement>('.list-body > [data-index]')].toSorted((a, b) => a.offsetTop - b.offsetTop).map((row) => row.dataset['index']);
const heads = (): (string | null)[] => [...document.querySelectorAll('.list-head [role="columnheader"]')].map((head) => head.textContent);
const kept = (lists: readonly object[], more: object = {}): Readonly<Record<string, string>> => ({ index: 'SPX', watchlists: JSON.stringify({ lists, current: 'a1', ...more }) });
const MINE = { id: 'a1', name: 'Mine', ids: ['SPX', 'NDX', 'DJI'], group: 'none' };

async function listed(options: Parameters<typeof mountPage>[0], ids: readonly string[]): Promise<Mounted> {
  const mounted = await mountPage({ indices: 20, ...options });
  await expect.poll(shown).toEqual(ids);
  return mounted;
}

test('a kept list comes back; keys move, remove and take back; the order is the user\'s', async () => {
  const { handles } = await listed({ stored: kept([MINE]) }, ['SPX', 'NDX', 'DJI']);
  grid().focus();
  await userEvent.keyboard('{Alt>}{Shift>}{ArrowDown}{/Shift}{/Alt}');
  await expect.poll(shown).toEqual(['NDX', 'SPX', 'DJI']);
  await userEvent.keyboard('{ArrowDown}{Delete}');
  await expect.poll(shown).toEqual(['NDX', 'SPX']);
  expect(document.querySelector('.list-said')?.textContent).toContain('Removed DJI from Mine');
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.poll(shown).toEqual(['NDX', 'SPX', 'DJI']);
  handles.commands.run('list.delete');
  await expect.poll(() => shown().length).toBe(20);
  handles.commands.run('list.undo');
  await expect.poll(shown).toEqual(['NDX', 'SPX', 'DJI']);
}, 40_000);

test('heads sort by a press or a key, exactly and with no row lost; the state of a row changes its place by group', async () => {
  const { market, handles } = await listed({ stored: kept([{ ...MINE, columns: ['last', 'percent', 'fromYear', 'year'] }]) }, ['SPX', 'NDX', 'DJI']);
  document.querySelector<HTMLElement>('[data-sort="index"]')?.focus();
  await userEvent.keyboard('{ArrowRight}{Enter}');
  await expect.poll(shown).toEqual(['DJI', 'NDX', 'SPX']);
  expect(document.querySelector('[aria-sort="descending"]')?.textContent).toContain('last');
  await userEvent.keyboard('{Enter}');
  await expect.poll(shown).toEqual(['SPX', 'NDX', 'DJI']);
  market.change({ index: 'SPX', price: '99999.5' });
  await expect.poll(shown, { timeout: 4000 }).toEqual(['NDX', 'DJI', 'SPX']);
  // prices of the past are asked for where a column shows them
  await expect.poll(() => document.querySelector('[data-index="NDX"] .fromYear')?.textContent, { timeout: 5000 }).toMatch(/\d/);
  handles.commands.run('list.group.state');
  market.change({ index: 'NDX', state: 'closed', reason: 'night' });
  await expect.poll(() => document.querySelectorAll('.list-body > .group').length).toBe(2);
  expect(shown().at(-1)).toBe('NDX');
});

test('a closed index has its companion below it with its own state', async () => {
  const { market } = await listed({ stored: kept([MINE], { pairs: { SPX: 'DAX' } }) }, ['SPX', 'NDX', 'DJI']);
  market.change({ index: 'SPX', state: 'closed', reason: 'night' });
  await expect.poll(shown).toEqual(['SPX', 'DAX', 'NDX', 'DJI']);
  const companion = document.querySelector<HTMLElement>('[data-companion="SPX"]');
  expect(companion?.dataset['state']).toBe(market.quote('DAX').state);
  expect(companion?.querySelector('.index')?.textContent).toContain('while SPX is closed');
});

test('columns come and go by command; density is a row\'s height; what does not fit is said', async () => {
  const { handles } = await listed({ stored: kept([{ ...MINE, columns: ['last', 'percent'] }]) }, ['SPX', 'NDX', 'DJI']);
  handles.commands.run('list.column.open');
  await expect.poll(heads).toEqual(['·', 'index', 'last', '%', 'open']);
  handles.commands.run('list.density.comfortable');
  await expect.poll(() => document.querySelector<HTMLElement>('[data-index="NDX"]')?.offsetTop).toBe(36);
  for (const id of ['high', 'low', 'status', 'source', 'fromWeek']) handles.commands.run(`list.column.${id}`);
  await expect.poll(() => document.querySelector('.list-left')?.textContent).toMatch(/^\+\d hidden/);
});

test('a value, a row and the list are copied as exact numbers', async () => {
  const { handles } = await listed({ stored: kept([{ ...MINE, columns: ['last', 'percent'] }]) }, ['SPX', 'NDX', 'DJI']);
  const copied: { text: string; html: string }[] = [];
  // what the page sets in its own copy event
  const set = DataTransfer.prototype.setData;
  DataTransfer.prototype.setData = function setData(type, value) {
    copied.push(type === 'text/html' ? { text: '', html: value } : { text: value, html: '' });
    set.call(this, type, value);
  };
  try {
    grid().focus();
    await userEvent.keyboard('{ArrowRight}{Control>}{Shift>}C{/Shift}{/Control}');
    await expect.poll(() => copied[0]?.text).toBe('3074.62');
    handles.commands.run('list.copyAll');
    await expect.poll(() => copied.find(({ text }) => text.includes('\n'))?.text.split('\n').length).toBe(5);
    expect(copied.some(({ html }) => html.includes('sdval="3074.62"'))).toBe(true);
  } finally {
    DataTransfer.prototype.setData = set;
  }
});

test('a row dragged by the pointer goes where it is dropped', async () => {
  await listed({ stored: kept([MINE]) }, ['SPX', 'NDX', 'DJI']);
  const row = document.querySelector<HTMLElement>('[data-index="SPX"]')!;
  const { left, top } = row.getBoundingClientRect();
  row.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0, pointerType: 'mouse', clientX: left + 50, clientY: top + 10 }));
  window.dispatchEvent(new PointerEvent('pointermove', { clientX: left + 50, clientY: top + 80 }));
  await expect.poll(() => document.querySelector('.drop-line') !== null).toBe(true);
  window.dispatchEvent(new PointerEvent('pointerup', { clientX: left + 50, clientY: top + 80 }));
  await expect.poll(shown).toEqual(['NDX', 'DJI', 'SPX']);
});

test('the list\'s edge is moved by keys and by the pointer, as far as the chart keeps room, and kept', async () => {
  const stored: Record<string, string> = { ...kept([MINE]), listWidth: '400' };
  await listed({ size: 'narrow', stored, keep: true }, ['SPX', 'NDX', 'DJI']);
  const edge = document.querySelector<HTMLElement>('.watchlist [role="separator"]')!;
  const width = (): number => Math.round(document.querySelector('.watchlist')!.getBoundingClientRect().width);
  const moved = async (wide: number): Promise<void> => {
    await expect.poll(width).toBe(wide);
    await expect.poll(() => edge.getAttribute('aria-valuenow')).toBe(String(wide));
  };
  await moved(400);
  for (const [key, wide] of [['ArrowRight', 416], ['ArrowLeft', 400], ['End', 624], ['Home', 220], ['Enter', 300]] as const) {
    edge.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    await moved(wide);
  }
  expect([edge.tabIndex, edge.getAttribute('aria-valuemin'), edge.getAttribute('aria-valuemax')]).toEqual([0, '220', '624']);
  edge.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0, clientX: 300 }));
  window.dispatchEvent(new PointerEvent('pointermove', { clientX: 450 }));
  await moved(450);
  expect(stored['listWidth']).toBe(''); // not before it is let go
  window.dispatchEvent(new PointerEvent('pointerup', { clientX: 450 }));
  expect(stored['listWidth']).toBe('450');
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth);
}, 40_000);

for (const theme of ['dark', 'light']) {
  test(`every column, a companion and the options, ${theme}: no violations`, async () => {
    const { market, handles } = await listed({ stored: { ...kept([{ ...MINE, columns: ['trend', 'last', 'percent', 'fromHour', 'year', 'status'] }], { pairs: { SPX: 'DAX' } }), theme } }, ['SPX', 'NDX', 'DJI']);
    market.change({ index: 'SPX', state: 'closed', reason: 'night' });
    for (const open of [false, true]) {
      handles.watchlist.options.set(open);
      await new Promise((resolve) => { setTimeout(resolve, 700); });
      const { violations } = await axe.run(document.querySelector<HTMLElement>(open ? 'dialog[open]' : '.watchlist')!, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] });
      expect(violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`))).toEqual([]);
    }
  });
}
