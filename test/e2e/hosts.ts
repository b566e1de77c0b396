/** The three ways to see the dashboard, opened the same: the desktop app under the stand-in, under the real runtime, and a browser on `serve`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { _electron, type Browser, chromium, type ElectronApplication, type Page } from 'playwright';
import { chromiumArguments, chromiumPath } from '../chromium.ts';

const root = join(import.meta.dirname, '../..');
const electronHome = dirname(createRequire(import.meta.url).resolve('electron/package.json'));

export interface Opened {
  readonly page: Page;
  /** Null in a browser. */
  readonly app: ElectronApplication | null;
  /** The process that serves the page. */
  readonly pid: number;
  /** Uncaught errors, console errors and warnings, and what the policy refused, of the page so far. */
  readonly complaints: string[];
  close(): Promise<void>;
}

export interface Host {
  readonly name: 'stand-in' | 'electron' | 'browser';
  /** Why it can't be opened here, or ''. */
  readonly why: string;
  /** SIGSTOP stops the host and leaves the page running. */
  readonly freezable: boolean;
  /** `profile`: a folder that the caller keeps between two runs. */
  open(words?: readonly string[], env?: Readonly<Record<string, string>>, profile?: string): Promise<Opened>;
}

/** For a test's title: which host, and why not. */
export const titleOf = ({ name, why }: Host): string => (why === '' ? name : `${name}: skipped, ${why}`);

/** The real executable, where its download ever happened. Never imports 'electron' to find out: that would download it. */
function realElectron(): string | undefined {
  const note = join(electronHome, 'path.txt');
  const file = existsSync(note) ? join(electronHome, 'dist', readFileSync(note, 'utf8').trim()) : '';
  return file !== '' && existsSync(file) ? file : undefined;
}

function whyNoElectron(): string {
  if (realElectron() === undefined) return 'the Electron runtime is not on this machine';
  if (process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY']) return 'this session has no display';
  return process.getuid?.() === 0 ? 'the Electron runtime does not run as root with its sandbox' : '';
}

export const hosts: readonly Host[] = [
  { name: 'stand-in', why: '', freezable: true, open: (...given) => openElectron('stand-in', ...given) },
  { name: 'electron', why: whyNoElectron(), freezable: false, open: (...given) => openElectron('electron', ...given) },
  { name: 'browser', why: '', freezable: true, open: openBrowser },
];

async function openElectron(runtime: 'stand-in' | 'electron', words: readonly string[] = ['--demo'], env: Readonly<Record<string, string>> = {}, kept?: string): Promise<Opened> {
  const profile = kept ?? mkdtempSync(join(tmpdir(), 'frontrow-e2e-'));
  // playwright asks the electron package for the executable in its own process, and that reads this
  if (runtime === 'stand-in') process.env['ELECTRON_OVERRIDE_DIST_PATH'] = join(root, 'test/electron-shim');
  else delete process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  const app = await _electron.launch({ args: ['.', ...words, `--user-data-dir=${profile}`], cwd: root, timeout: 30_000, env: { ...quietEnvironment(profile), ...env } });
  const complaints: string[] = [];
  app.on('window', (page) => listen(page, complaints));
  const page = await app.firstWindow();
  listen(page, complaints);
  return {
    page, app, complaints, pid: app.process().pid ?? -1,
    async close() {
      await app.close();
      if (kept === undefined) rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** A `frontrow` command that serves until it is stopped. */
export interface Served {
  readonly child: ChildProcess;
  /** The first line of stdout, parsed. */
  readonly first: unknown;
  readonly stderr: () => string;
  stop(): Promise<void>;
}

/** Runs the built command line, as `npx frontrow` does, with a data folder of its own. */
export async function frontrow(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Served> {
  const data = mkdtempSync(join(tmpdir(), 'frontrow-e2e-'));
  const child = spawn(process.execPath, [join(root, 'dist/electron/cli.js'), ...words], { cwd: root, env: { ...quietEnvironment(data), ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => { stderr = (stderr + chunk.toString()).slice(-10_000); });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const first = await Promise.race([
    new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve)),
    ended.then(() => Promise.reject(new Error(`frontrow ${words.join(' ')} ended: ${stderr}`))),
    new Promise<never>((_resolve, reject) => setTimeout(() => reject(new Error(`frontrow ${words.join(' ')} says nothing: ${stderr}`)), 45_000).unref()),
  ]).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    child, first: JSON.parse(first), stderr: () => stderr,
    async stop() {
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await ended;
      clearTimeout(timer);
      rmSync(data, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function openBrowser(words: readonly string[] = ['--demo'], env: Readonly<Record<string, string>> = {}): Promise<Opened> {
  const served = await frontrow(['serve', '--port', '0', '--no-open', '--json', ...words], env);
  const { url, pid } = served.first as { url: string; pid: number };
  const browser = await launchBrowser();
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const complaints: string[] = [];
  listen(page, complaints);
  await page.goto(url);
  return {
    page, app: null, complaints, pid,
    async close() {
      await browser.close();
      await served.stop();
    },
  };
}

export function launchBrowser(): Promise<Browser> {
  const executablePath = chromiumPath();
  return chromium.launch({ headless: true, args: [...chromiumArguments], ...(executablePath === undefined ? {} : { executablePath }) });
}

const listening = new WeakSet<Page>();
function listen(page: Page, complaints: string[]): void {
  if (listening.has(page)) return;
  listening.add(page);
  page.on('pageerror', (error) => complaints.push(`uncaught ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(`${message.type()} ${message.text()}`);
  });
}

/** This process's environment without what would choose another store, and with a data folder that is nobody's. */
function quietEnvironment(data: string): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name, value]) => value !== undefined && !/^(?:FRONTROW_|BIGTABLE_|GOOGLE_|NODE_OPTIONS|VITEST|ELECTRON_RUN_AS_NODE)/.test(name));
  return { ...(Object.fromEntries(kept) as Record<string, string>), XDG_DATA_HOME: data, METADATA_SERVER_DETECTION: 'none' };
}
