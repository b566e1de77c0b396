/** A page that is used by keyboard alone: nothing here, and nothing made of it, touches the pointer. */
import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';

export const LONG = { timeout: 30_000 } as const;

export interface Hands {
  readonly page: () => Page;
  readonly press: (...keys: string[]) => Promise<void>;
  readonly type: (text: string) => Promise<void>;
  /** Any command, by words, as the palette finds it. */
  readonly command: (words: string) => Promise<void>;
  /** To an index: its id is typed anywhere. */
  readonly find: (id: string) => Promise<void>;
  /** Tab until the focus is there. */
  readonly tabTo: (goal: Locator) => Promise<void>;
  /** F6 until the focus is inside. */
  readonly paneWith: (selector: string) => Promise<void>;
  /** Ids of the charts on screen, in order. */
  readonly headlines: () => Promise<(string | null)[]>;
}

/** `page` is asked for with each step: it is there once the tests run. */
export function handsOn(page: () => Page): Hands {
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page().keyboard.press(key);
  };
  const chosen = (): Locator => page().locator('#found [role="option"][aria-selected="true"]');
  const focusIn = (selector: string): Promise<boolean> => page().evaluate((wanted) => document.activeElement?.closest(wanted) != null, selector);
  return {
    page, press,
    type: (text) => page().keyboard.type(text),
    async command(words) {
      await press('Control+k');
      await page().keyboard.type(words);
      await expect.poll(() => chosen().count(), { ...LONG, message: `a command: ${words}` }).toBe(1);
      await press('Enter');
    },
    async find(id) {
      await page().keyboard.type(id.toLowerCase());
      await chosen().filter({ hasText: id }).waitFor();
      await press('Enter');
    },
    async tabTo(goal) {
      await goal.waitFor();
      const isThere = (): Promise<boolean> => goal.evaluate((element) => element === document.activeElement);
      const met = await goal.evaluateHandle((element) => {
        const mark = { yet: element === document.activeElement };
        element.addEventListener('focus', () => { mark.yet = true; }, { once: true });
        return mark;
      });
      // Five keys for each look, and back to where it was passed.
      for (let at = 0; at < 40 && !(await met.evaluate(({ yet }) => yet)); at += 1) await press('Tab', 'Tab', 'Tab', 'Tab', 'Tab');
      for (let at = 0; at < 5 && !(await isThere()); at += 1) await press('Shift+Tab');
      expect(await isThere()).toBe(true);
    },
    async paneWith(selector) {
      for (let at = 0; at < 6 && !(await focusIn(selector)); at += 1) await press('F6');
      expect(await focusIn(selector)).toBe(true);
    },
    headlines: () => page().locator('[data-index-headline]').evaluateAll((all) => all.map((one) => one.getAttribute('data-index-headline'))),
  };
}
