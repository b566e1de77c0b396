/** `npm start` where there is no Electron runtime: one clear line, then the same dashboard for a browser. */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

let tree: string;
let children: ChildProcess[] = [];
let mirror: Server;
let asked: string[];
const sockets = new Set<Socket>();

/** A working tree of its own, built, with an Electron package that has no runtime: notes and downloads stay in it. */
beforeEach(async () => {
  tree = mkdtempSync(join(tmpdir(), 'frontrow-boot-'));
  for (const name of ['boot', 'ingest/data']) cpSync(join(root, 'electron', name), join(tree, 'electron', name), { recursive: true });
  cpSync(join(root, 'package.json'), join(tree, 'package.json'));
  symlinkSync(join(root, 'dist'), join(tree, 'dist'));
  mkdirSync(join(tree, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules'))) if (name !== 'electron' && name !== '.cache') symlinkSync(join(root, 'node_modules', name), join(tree, 'node_modules', name));
  cpSync(join(root, 'node_modules/electron'), join(tree, 'node_modules/electron'), { recursive: true, filter: (from) => !/electron\/(?:dist|path\.txt)(?:\/|$)/.test(from) });

  asked = [];
  mirror = createServer((request) => { asked.push(request.url ?? ''); }); // and never an answer
  mirror.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => { mirror.listen(0, '127.0.0.1', resolve); });
});
afterEach(async () => {
  await Promise.all(children.map((child) => new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(null);
    child.once('exit', resolve);
    child.kill('SIGTERM');
  })));
  children = [];
  for (const socket of sockets) socket.destroy();
  mirror.close();
  rmSync(tree, { recursive: true, force: true, maxRetries: 3 });
});

interface Started {
  readonly url: Promise<string>;
  readonly stderr: () => string;
}

/** As a user with a display, whoever runs the tests: root and a bare terminal never ask for the runtime. */
function start(env: Readonly<Record<string, string>>, desktop = true): Started {
  const kept = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:FRONTROW_|BIGTABLE_|GOOGLE_|NODE_OPTIONS|VITEST|ELECTRON|npm_config|DISPLAY|WAYLAND|https?_proxy|all_proxy)/i.test(name)));
  const asUser = desktop ? ['--import', 'data:text/javascript,process.getuid=()=>1000'] : [];
  const child = spawn(process.execPath, [...asUser, join(tree, 'electron/boot/start.ts'), '--port', '0', '--no-open'], {
    cwd: tree, stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...kept, HOME: tree, XDG_DATA_HOME: join(tree, 'share'), electron_config_cache: join(tree, 'downloads'), ...(desktop ? { DISPLAY: ':99' } : {}), ...env },
  });
  children.push(child);
  let [stdout, stderr] = ['', ''];
  child.stderr.on('data', (chunk: Buffer) => { stderr += chunk.toString(); });
  const url = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      const found = /^Frontrow is at (http:\S+)\n/.exec(stdout)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`npm start ended with ${String(code)}: ${stdout}${stderr}`)));
  });
  return { url, stderr: () => stderr };
}

async function showsDashboard(url: string): Promise<void> {
  expect(await (await fetch(url)).text()).toContain('<title>Frontrow');
  await expect.poll(async () => (await fetch(new URL('/healthz', url))).status, { timeout: 20_000 }).toBe(200);
}

const NOTICE = /^frontrow: no desktop window \(([^\n]+)\); serving the same dashboard to a browser instead\.$/m;

test('a session without a display: one line, at once, and no download', async () => {
  const { url, stderr } = start({ ELECTRON_MIRROR: `http://127.0.0.1:${(mirror.address() as AddressInfo).port}/` }, false);
  await showsDashboard(await url);
  expect(stderr().split('\n')).toEqual([expect.stringMatching(NOTICE), '']);
  expect(asked).toEqual([]);
});

test('a download that hangs is given up in time, said so in one line, and not tried again the next time', async () => {
  const env = { ELECTRON_MIRROR: `http://127.0.0.1:${(mirror.address() as AddressInfo).port}/`, ELECTRON_DOWNLOAD_TIMEOUT_MS: '4000' };
  const first = start(env);
  await showsDashboard(await first.url);
  expect(asked[0]).toMatch(/^\/v\d+\.\d+\.\d+\/electron-v/);
  expect(NOTICE.exec(first.stderr())?.[1]).toContain('did not finish within 4 s');
  expect(first.stderr().split('\n')).toHaveLength(3); // what it is doing, what came of it, and nothing else
  await expect.poll(() => sockets.size, { timeout: 10_000 }).toBe(0); // the installer is gone with its connection

  asked = [];
  const second = start(env);
  await showsDashboard(await second.url);
  expect(NOTICE.exec(second.stderr())?.[1]).toContain('less than a day ago');
  expect(asked).toEqual([]);
});

test('a download that fails at once, and a tree that cannot be written: one line each', async () => {
  mirror.removeAllListeners('request');
  mirror.on('request', (_request, response) => { response.writeHead(404).end(); });
  // a file where the folder of notes would be: stands for a read-only install
  writeFileSync(join(tree, 'node_modules/.cache'), '');
  const { url, stderr } = start({ ELECTRON_MIRROR: `http://127.0.0.1:${(mirror.address() as AddressInfo).port}/` });
  await showsDashboard(await url);
  expect(NOTICE.exec(stderr())?.[1]).toMatch(/404/);
  expect(stderr().trim().split('\n')).toHaveLength(2);
  expect(readFileSync(join(tree, 'node_modules/.cache'), 'utf8')).toBe('');
});

test('a runtime that is there is started with the app and its options', async () => {
  const folder = join(tree, 'runtime');
  mkdirSync(folder);
  writeFileSync(join(folder, 'electron'), `#!/bin/sh\necho "$@" > '${join(tree, 'started')}'\n`, { mode: 0o755 });
  const { url } = start({ ELECTRON_OVERRIDE_DIST_PATH: folder });
  url.catch(() => {}); // it ends without one
  await expect.poll(() => existsSync(join(tree, 'started')) && readFileSync(join(tree, 'started'), 'utf8'), { timeout: 20_000 }).toBe('. --port 0 --no-open\n');
});
