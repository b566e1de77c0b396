import { expect, test } from 'vitest';
import { problem } from '../../shared/result.ts';
import { type FakeMarket, SCENES } from './fakeMarket.ts';
import { mountPage } from './mountPage.tsx';
import { violations } from './violations.ts';

const STATES: Readonly<Record<string, (market: FakeMarket) => void>> = {
  ...SCENES,
  credentials: (market) => market.health({ link: 'broken', problem: problem('CREDENTIALS_EXPIRED', 'the access token expired', 'run `gcloud auth application-default login`') }),
};

for (const theme of ['dark', 'light']) {
  for (const panel of ['tape', 'health']) {
    for (const [name, scene] of Object.entries(STATES)) {
      test(`${name}, ${theme}, ${panel}: no violations`, async () => {
        const { market } = await mountPage({ indices: 20, stored: { theme, panel, index: 'SPX' } });
        await expect.poll(() => document.querySelector('[data-index="SPX"]')?.getAttribute('data-state')).toBe('live');
        scene(market);
        expect(await violations()).toEqual([]);
      });
    }
  }
  test(`empty, silent and narrow, ${theme}: no violations`, async () => {
    const { market, pass, handles } = await mountPage({ indices: 0, size: 'narrow', stored: { theme } });
    await expect.poll(() => document.querySelector('main pre') !== null).toBe(true);
    expect(await violations()).toEqual([]);
    handles.view.help.set(true);
    await expect.poll(() => document.querySelector('dialog[open]') !== null).toBe(true);
    expect(await violations()).toEqual([]);
    handles.view.help.set(false);
    handles.view.drawer.set(true);
    market.silence(true);
    pass(4000);
    await expect.poll(() => document.querySelector('[role="alert"]') !== null).toBe(true);
    expect(await violations()).toEqual([]);
  });
}

for (const theme of ['dark', 'light']) {
  test(`high contrast, ${theme}: no violations, text at 7:1, the settings too`, async () => {
    const { market, handles } = await mountPage({ indices: 20, stored: { theme, panel: 'health', index: 'SPX', look: JSON.stringify({ contrast: 'high', palette: 'blue-orange' }) } });
    await expect.poll(() => document.querySelector('[data-index="SPX"]')?.getAttribute('data-state')).toBe('live');
    SCENES.trouble(market);
    expect(await violations(true)).toEqual([]);
    handles.settings.set(true);
    await expect.poll(() => document.querySelector('dialog[open]') !== null).toBe(true);
    expect(await violations(true)).toEqual([]);
  });
}
