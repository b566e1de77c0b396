/** The built command line in processes of its own, with an environment that chooses no store. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const CLI = join(import.meta.dirname, '../../../dist/electron/cli.js');

export interface Ended {
  /** Exit code, or the signal that ended it. */
  readonly code: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** `XDG_DATA_HOME` must be given: the default data folder of whoever runs the tests is not ours. */
export function spawnFrontrow(words: readonly string[], home: string, { cwd = home, env = {} }: Surroundings = {}, limitMs = 50_000): ChildProcess {
  const kept = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:FRONTROW_|BIGTABLE_|GOOGLE_|CLOUDSDK_|NODE_OPTIONS|VITEST)/.test(name)));
  return spawn(process.execPath, [CLI, ...words], {
    cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: limitMs, killSignal: 'SIGKILL',
    env: { ...kept, HOME: home, XDG_DATA_HOME: join(home, 'share'), METADATA_SERVER_DETECTION: 'none', ...env },
  });
}

/** Starts a command whose end is waited for later. */
export function running(words: readonly string[], home: string, surroundings: Surroundings = {}): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const child = spawnFrontrow(words, home, surroundings);
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => { stdout += chunk.toString(); });
  child.stderr?.on('data', (chunk: Buffer) => { stderr += chunk.toString(); });
  return { child, ended: new Promise((resolve) => child.once('close', (code, signal) => resolve({ code: code ?? signal, stdout, stderr }))) };
}

/** Runs a command to its end. */
export const frontrow = (words: readonly string[], home: string, surroundings: Surroundings = {}): Promise<Ended> => running(words, home, surroundings).ended;

/** What serves lives as long as its file's tests, on a slow machine too. */
const SERVING_MS = 300_000;

/** Starts a command that serves until it is stopped; `first` is its first line, parsed. */
export async function serving(words: readonly string[], home: string, surroundings: Surroundings = {}): Promise<{ first: Record<string, unknown>; child: ChildProcess; stop(): Promise<Ended['code']> }> {
  const child = spawnFrontrow(words, home, surroundings, SERVING_MS);
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => { stderr += chunk.toString(); });
  const ended = new Promise<Ended['code']>((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
  const line = await Promise.race([
    new Promise<string>((resolve) => { if (child.stdout) createInterface({ input: child.stdout }).once('line', resolve); }),
    ended.then((code) => Promise.reject(new Error(`frontrow ${words.join(' ')} ended with ${String(code)}: ${stderr}`))),
  ]);
  return {
    first: JSON.parse(line) as Record<string, unknown>, child,
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
