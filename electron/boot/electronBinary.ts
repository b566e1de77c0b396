/** Where the Electron runtime is, and fetching it once; never `import 'electron'` to find out: that starts a download. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const home = dirname(createRequire(import.meta.url).resolve('electron/package.json'));
const failureNote = join(home, '../.cache/frontrow-electron-download-failed');
const RETRY_AFTER_MS = 24 * 3_600_000;

/** The executable if it is on this machine already. */
export function installed(): string | undefined {
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  const note = join(home, 'path.txt');
  if (!override && !existsSync(note)) return undefined;
  const file = join(override ?? join(home, 'dist'), existsSync(note) ? readFileSync(note, 'utf8').trim() : 'electron');
  return existsSync(file) ? file : undefined;
}

export type Fetched = { readonly path: string } | { readonly why: string };

/**
 * Asks Electron's own installer once, for at most `timeoutMs`. A failure is remembered for a day, so that a machine
 * behind a closed network does not wait at every start; `npx install-electron` ignores that.
 */
export async function download(timeoutMs: number): Promise<Fetched> {
  const failure = recentFailure();
  if (failure !== undefined) return { why: `${failure} (tried less than a day ago)` };
  process.stderr.write(`frontrow: fetching the Electron runtime (once, at most ${Math.round(timeoutMs / 1000)} s)...\n`);
  const why = await runInstaller(timeoutMs);
  const path = why === undefined ? installed() : undefined;
  if (path !== undefined) {
    rmSync(failureNote, { force: true });
    return { path };
  }
  const reason = why ?? 'the installer left no executable';
  noteFailure(reason);
  return { why: reason };
}

function recentFailure(): string | undefined {
  try {
    return Date.now() - statSync(failureNote).mtimeMs < RETRY_AFTER_MS ? readFileSync(failureNote, 'utf8') : undefined;
  } catch {
    return undefined; // no note
  }
}

function noteFailure(reason: string): void {
  try {
    mkdirSync(dirname(failureNote), { recursive: true });
    writeFileSync(failureNote, reason);
  } catch {
    // an install that this user can't write to: it is tried at each start
  }
}

function runInstaller(timeoutMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    // its own process group, so that a hanging download's children end with it
    const child = spawn(process.execPath, [join(home, 'install.js')], { stdio: ['ignore', 'ignore', 'pipe'], detached: process.platform !== 'win32' });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => { if (said.length < 10_000) said += chunk.toString(); });
    const timer = setTimeout(() => {
      end(`the download did not finish within ${Math.round(timeoutMs / 1000)} s`);
      try {
        if (process.platform === 'win32') child.kill();
        else if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // it ended in the same moment
      }
    }, timeoutMs);
    const end = (why: string | undefined): void => { clearTimeout(timer); resolve(why); };
    child.on('error', (error) => end(error.message));
    child.on('exit', (code) => {
      const line = said.split('\n').find((text) => /error/i.test(text)) ?? said.split('\n')[0] ?? '';
      end(code === 0 ? undefined : line.trim().slice(0, 160) || `its installer ended with code ${code}`);
    });
  });
}
