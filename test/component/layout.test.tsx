import { expect, test } from 'vitest';
import { SCENES } from './fakeMarket.ts';
import { mountPage, SIZES } from './mountPage.tsx';

const box = (selector: string): DOMRect => {
  const element = document.querySelector(selector);
  if (!element) throw new Error(`no ${selector}`);
  return element.getBoundingClientRect();
};
/** Text that runs out of its own box, apart from what ends in an ellipsis on purpose. */
const cut = (selector: string): string[] =>
  [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => element.scrollWidth > element.clientWidth + 1).map((element) => element.textContent ?? '');

for (const size of ['wide', 'narrow'] as const) {
  for (const indices of [1, 20, 200]) {
    for (const scene of ['trouble', 'disconnected'] as const) {
      test(`${size}, ${indices} indices, ${scene}: nothing overflows, nothing that matters is cut`, async () => {
        const { market } = await mountPage({ size, indices, stored: { index: 'SPX' } });
        await expect.poll(() => document.querySelectorAll('[data-index]').length).toBeGreaterThan(0);
        SCENES[scene](market);
        await expect.poll(() => document.querySelector('.chart-box figure') !== null, { timeout: 10_000 }).toBe(true);
        await expect.poll(() => document.querySelector('.trouble') !== null || (indices === 1 && scene === 'trouble')).toBe(true);
        const [width, height] = SIZES[size];
        expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
        expect(document.documentElement.scrollHeight).toBeLessThanOrEqual(height);
        for (const trouble of document.querySelectorAll('.trouble, .link, .clock-mark')) {
          const { left, right, bottom } = trouble.getBoundingClientRect();
          expect(left).toBeGreaterThanOrEqual(0);
          expect(right).toBeLessThanOrEqual(width);
          expect(bottom).toBeLessThanOrEqual(40);
        }
        const last = document.querySelector('.top-line')?.lastElementChild?.getBoundingClientRect();
        expect(last?.right).toBeLessThanOrEqual(width);
        expect(cut('.row .last, .row .percent, .row .points, .row .age, .headline-last, .headline-change .big, .health-line > span')).toEqual([]);
        const chart = box('.chart-box');
        expect(chart.width).toBeGreaterThanOrEqual(680);
        expect(chart.height).toBeGreaterThanOrEqual(430);
        expect(box('.watchlist').width).toBe(size === 'wide' ? 484 : 300);
        expect(box('[data-index]').height).toBe(28);
      });
    }
  }
}

test('range and points drop first, the side becomes a drawer that opens, takes the focus and closes', async () => {
  const { handles } = await mountPage({ size: 'narrow', indices: 20 });
  await expect.poll(() => document.querySelectorAll('[data-index]').length).toBeGreaterThan(0);
  for (const column of ['points', 'range']) expect(document.querySelector<HTMLElement>(`.row .${column}`)?.offsetParent ?? null).toBeNull();
  for (const column of ['last', 'percent', 'age']) expect(box(`.row .${column}`).width).toBeGreaterThan(20);
  const side = document.querySelector<HTMLElement>('.side');
  expect(side && getComputedStyle(side).visibility).toBe('hidden');
  document.querySelector<HTMLElement>('.drawer-button')?.click();
  await expect.poll(() => side && getComputedStyle(side).visibility).toBe('visible');
  await expect.poll(() => document.activeElement?.getAttribute('role')).toBe('tab');
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  await expect.poll(() => handles.view.drawer.get()).toBe(false);
});

for (const indices of [5, 20]) {
  test(`1440x900 at 200 %, ${indices} indices: one column that scrolls down, never sideways, with everything in it`, async () => {
    const { market } = await mountPage({ size: 'zoomed', indices, stored: { index: 'SPX' } });
    await expect.poll(() => document.querySelector('.chart-box figure') !== null, { timeout: 10_000 }).toBe(true);
    SCENES.trouble(market);
    await expect.poll(() => document.querySelector('.trouble') !== null).toBe(true);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(SIZES.zoomed[0]);
    const parts = ['.top-line', '.watchlist', '.headline', '.chart-box', '.side', '.health-line'].map(box);
    for (const [at, part] of parts.entries()) {
      expect(part.left).toBeGreaterThanOrEqual(0);
      expect(part.right).toBeLessThanOrEqual(SIZES.zoomed[0]);
      if (at > 0) expect(part.top).toBeGreaterThanOrEqual((parts[at - 1]?.bottom ?? 0) - 1);
    }
    expect(box('.chart-box').height).toBeGreaterThanOrEqual(300);
    window.scrollTo(0, 400);
    expect(box('.trouble').bottom).toBeLessThan(120); // trouble stays in sight
    window.scrollTo(0, 0);
  });
}

for (const size of ['wide', 'narrow'] as const) {
  test(`${size}: long names, labels and notes are read in full or end in an ellipsis, never over each other`, async () => {
    const { market } = await mountPage({ size, stored: { index: 'SPX' } });
    await expect.poll(() => document.querySelector('.tape') !== null).toBe(true);
    const info = market.asked.length > 0 ? { id: 'SPX', name: 'A name of an index that goes on and on, as those of strategy indices do', mic: 'XNYS', zone: 'America/New_York', region: 'Americas', currency: 'USD', decimals: 2, delayMs: 900_000, label: 'CFD mid of a broker, not the index; prices of another day moved here' } as const : undefined;
    if (info) market.send('indices', [info]);
    market.change({ index: 'SPX', flags: ['replay', 'delayed', 'skew', 'future', 'corrected'], delayMs: 900_000, skewMs: 3200 });
    await expect.poll(() => document.querySelectorAll('.flags li').length).toBe(4);
    expect(cut('.flags li, .figures > *, .headline-last, .headline-change .big, .row .label, .tape td')).toEqual([]);
    const mark = box('.row .note-mark');
    expect(mark.bottom).toBeLessThanOrEqual(box('[data-index="SPX"]').bottom); // care is never wrapped away
    expect(mark.right).toBeLessThanOrEqual(box('.row .index').right);
    const parts = [...document.querySelectorAll('.headline-name > *, .flags li, .day-range, .figures dl > div')].map((element) => element.getBoundingClientRect());
    for (const a of parts) {
      expect(a.right).toBeLessThanOrEqual(box('.main').right);
      for (const b of parts) if (a !== b) expect(a.right <= b.left + 0.5 || b.right <= a.left + 0.5 || a.bottom <= b.top + 4 || b.bottom <= a.top + 4).toBe(true);
    }
  });
}
