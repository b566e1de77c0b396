/** Pictures of the page on its directed host, to look at: `node test/component/stage/look.ts OUT_DIR [NAME...]`. */
import { mkdirSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { chromium } from 'playwright';
import { createServer } from 'vite';
import { chromiumArguments, chromiumPath } from '../../chromium.ts';

const SHOTS: Readonly<Record<string, readonly [query: string, width: number, height: number, dark: boolean]>> = {
  'dark-20': ['n=20&scene=trouble', 1440, 900, true],
  'light-20': ['n=20&scene=trouble&clock=wall', 1440, 900, false],
  'dark-5': ['n=5&index=SX5E', 1440, 900, true],
  'dark-1': ['n=1', 1440, 900, true],
  'dark-200': ['n=200&scene=trouble&panel=health', 1440, 900, true],
  'small-dark-20': ['n=20&scene=trouble', 1024, 700, true],
  'small-light-5': ['n=5&scene=trouble', 1024, 700, false],
  'small-drawer': ['n=20&scene=trouble&drawer=1', 1024, 700, true],
  'broken-dark': ['n=20&scene=disconnected', 1440, 900, true],
  'broken-small': ['n=5&scene=disconnected', 1024, 700, false],
  'frozen-dark': ['n=20&scene=frozen', 1440, 900, true],
  'filling-light': ['n=20&scene=filling&panel=health', 1440, 900, false],
  'notes-dark': ['n=20&scene=notes&index=SPX', 1440, 900, true],
  'notes-small': ['n=5&scene=notes&index=SPX', 1024, 700, false],
  'help-light': ['n=5&help=1', 1440, 900, false],
  'zoomed-dark': ['n=20&scene=trouble', 720, 450, true],
  'empty-dark': ['n=0&scene=empty', 1440, 900, true],
};

const [out = 'look', ...names] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const root = `${import.meta.dirname}/../../..`;
const server = await createServer({ configFile: false, root, plugins: [react()], logLevel: 'error', cacheDir: 'node_modules/.vite-stage', server: { port: 0, host: '127.0.0.1', hmr: false } });
await server.listen();
const address = server.resolvedUrls?.local[0] ?? '';
const path = chromiumPath();
const browser = await chromium.launch({ ...(path === undefined ? {} : { executablePath: path }), args: [...chromiumArguments] });
for (const [name, [query, width, height, dark]] of Object.entries(SHOTS)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light' });
  page.on('console', (message) => {
    if (message.type() !== 'info' && message.type() !== 'debug') console.error(`${name}: ${message.text()}`);
  });
  page.on('pageerror', (error) => console.error(`${name}: ${error.stack}`));
  await page.goto(`${address}test/component/stage/index.html?${query}`);
  await page.waitForTimeout(query.includes('frozen') ? 9000 : 4000);
  await page.screenshot({ path: `${out}/${name}.png` });
  await page.close();
}
await browser.close();
await server.close();
