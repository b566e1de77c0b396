/** `frontrow serve` as a browser and a script meet it: token, health, errors. */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { frontrow, launchBrowser } from './hosts.ts';

const cli = join(import.meta.dirname, '../../dist/electron/cli.js');

test('with a token: the form lets a browser in, and the page and its feed work by the cookie', async () => {
  const served = await frontrow(['serve', '--port', '0', '--no-open', '--json', '--demo', '--token', 'open sesame']);
  const browser = await launchBrowser();
  try {
    const { url } = served.first as { url: string };
    expect(JSON.stringify(served.first)).not.toContain('sesame');
    expect((await fetch(new URL('/metrics', url))).status).toBe(401);
    expect((await fetch(new URL('/healthz', url))).status).toBe(200);
    const page = await browser.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(url);
    await page.getByLabel('Token').fill('wrong');
    await page.getByRole('button').click();
    await page.getByText('That is not the token').waitFor();
    await page.getByLabel('Token').fill('open sesame');
    await page.getByRole('button').click();
    await page.locator('[data-index="SX5E"]').waitFor({ timeout: 20_000 });
    await page.reload();
    await page.locator('[data-index="SX5E"]').waitFor({ timeout: 20_000 });
    expect(asked.filter((address) => /sesame|token=/.test(address))).toEqual([]);
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([]); // the browser itself notes the refusals
    expect(await page.evaluate(() => document.cookie)).toBe('');
    expect(served.stderr()).not.toContain('sesame');
  } finally {
    await browser.close();
    await served.stop();
  }
});

test('the first line comes once /healthz says 200', async () => {
  const served = await frontrow(['serve', '--port', '0', '--no-open', '--json', '--demo']);
  try {
    const { url, pid } = served.first as { url: string; pid: number };
    expect(pid).toBe(served.child.pid);
    const { status, headers } = await fetch(new URL('/healthz', url));
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await (await fetch(new URL('/metrics', url))).text()).toContain('frontrow_viewers 0');
  } finally {
    await served.stop();
  }
});

test.each([
  [['--host', '0.0.0.0'], 2, /^frontrow: BAD_INPUT: .*token/],
  [['--port', '99999'], 2, /^frontrow: BAD_INPUT: .*port/],
  [['--nonsense'], 2, /^frontrow: BAD_INPUT: .*nonsense/],
])('serve %j is refused in one line', (words, code, line) => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [cli, 'serve', '--no-open', '--demo', ...words], { encoding: 'utf8', timeout: 30_000 });
  expect([status, stdout, stderr.trim().split('\n').length]).toEqual([code, '', 1]);
  expect(stderr).toMatch(line);
});

test('a port in use is one line and exit code 1', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => { taken.once('listening', resolve); });
  const port = String((taken.address() as AddressInfo).port);
  const { status, stderr } = spawnSync(process.execPath, [cli, 'serve', '--no-open', '--demo', '--port', port], { encoding: 'utf8', timeout: 30_000 });
  taken.close();
  expect(status).toBe(1);
  expect(stderr).toMatch(/^frontrow: PORT_IN_USE: .*\n$/);
});
