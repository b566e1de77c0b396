/** A bench page in a production build in a real browser, with the main thread's time from the DevTools protocol. */
import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import react from '@vitejs/plugin-react';
import type { Browser, CDPSession, Page } from 'playwright';
import { build } from 'vite';

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Builds the page in `root` into a temporary folder and serves it on loopback until closed. */
export async function servePage(root: string): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'frontrow-bench-'));
  await build({ configFile: false, logLevel: 'error', root, plugins: [react()], build: { outDir: folder, emptyOutDir: true, target: 'chrome150', chunkSizeWarningLimit: 5_000 } });
  const server = createServer((request, response) => {
    const file = join(folder, normalize(request.url === '/' ? 'index.html' : (request.url ?? '')));
    if (!file.startsWith(folder) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => { server.close(resolve); });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface Opened {
  readonly page: Page;
  readonly metrics: CDPSession;
}

/** The page once it says that it is ready. */
export async function openPage(browser: Browser, url: string): Promise<Opened> {
  const page = await browser.newPage({ viewport: { width: 1300, height: 900 } });
  page.on('pageerror', (error) => { throw error; });
  await page.goto(url);
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
  const metrics = await page.context().newCDPSession(page);
  await metrics.send('Performance.enable', { timeDomain: 'threadTicks' });
  return { page, metrics };
}

export interface Spent {
  /** Milliseconds of CPU in scripts. */
  readonly script: number;
  /** In all tasks of the main thread: scripts, styles, layout, painting. */
  readonly task: number;
}

export async function spentMs({ metrics }: Pick<Opened, 'metrics'>): Promise<Spent> {
  const { metrics: all } = await metrics.send('Performance.getMetrics');
  const of = (name: string): number => (all.find((one) => one.name === name)?.value ?? Number.NaN) * 1000;
  return { script: of('ScriptDuration'), task: of('TaskDuration') };
}
