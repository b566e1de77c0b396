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
  for (const column of ['points', 'range']) expect(document.querySelector<HTMLElement>(`.row .${column}`)?.offsetParent).toBeNull();
  for (const column of ['last', 'percent', 'age']) expect(box(`.row .${column}`).width).toBeGreaterThan(20);
  const side = document.querySelector<HTMLElement>('.side');
  expect(side && getComputedStyle(side).visibility).toBe('hidden');
  document.querySelector<HTMLElement>('.drawer-button')?.click();
  await expect.poll(() => side && getComputedStyle(side).visibility).toBe('visible');
  await expect.poll(() => document.activeElement?.getAttribute('role')).toBe('tab');
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  await expect.poll(() => handles.view.drawer.get()).toBe(false);
});
