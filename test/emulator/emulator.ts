/** Google's Bigtable emulator for tests: the machine's own, else built from Debian's Go packages, else the reason why neither. */
import { execFile, spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

export interface Emulator {
  /** HOST:PORT, as BIGTABLE_EMULATOR_HOST takes it. */
  readonly address: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const HERE = import.meta.dirname;
const BUILT = join(HERE, 'bin', 'emulator');
const GOPATH = '/usr/share/gocode';
const START_MS = 30_000;
const BUILD_MS = 300_000;
// In the SDK, relative to its root.
const IN_SDK = 'platform/bigtable-emulator/cbtemulator';

/**
 * Starts an emulator on a free port, empty. BIGTABLE_EMULATOR names the executable to use (not an address: each caller gets its
 * own). Builds at most once per machine, also when several test files ask at once.
 */
export async function startEmulator(): Promise<Emulator | { skipped: string }> {
  const executable = await findEmulator();
  return typeof executable === 'string' ? run(executable) : executable;
}

async function findEmulator(): Promise<string | { skipped: string }> {
  const named = process.env['BIGTABLE_EMULATOR'];
  if (named) return isExecutable(named) ? named : { skipped: `BIGTABLE_EMULATOR is no executable: ${named}` };
  return inSdk() ?? build();
}

function inSdk(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const roots = [
    ...folders.flatMap((folder) => [folder, join(folder, '..')]),
    '/usr/lib/google-cloud-sdk', '/usr/share/google-cloud-sdk', '/snap/google-cloud-cli/current', join(process.env['HOME'] ?? '/', 'google-cloud-sdk'),
  ];
  return [...folders.map((folder) => join(folder, 'cbtemulator')), ...roots.map((root) => join(root, IN_SDK))].find(isExecutable) ?? null;
}

async function build(): Promise<string | { skipped: string }> {
  if (isExecutable(BUILT)) return BUILT;
  if (!existsSync(join(GOPATH, 'src/cloud.google.com/go/bigtable/bttest'))) return { skipped: 'no cbtemulator (gcloud SDK) and no golang-google-cloud-dev to build one from' };
  mkdirSync(dirname(BUILT), { recursive: true });
  const lock = `${BUILT}.building`;
  if (!takeLock(lock)) return builtByAnother(lock);
  try {
    // Under another name, then renamed: who finds the file finds all of it.
    const draft = `${BUILT}.${process.pid}`;
    await promisify(execFile)('go', ['build', '-o', draft, join(HERE, 'main.go')], { timeout: BUILD_MS, env: { ...process.env, GO111MODULE: 'off', GOPATH, GOFLAGS: '' } });
    renameSync(draft, BUILT);
    return BUILT;
  } catch (error) {
    return { skipped: `the emulator could not be built: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}` };
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

/** A folder is made by one only. One that is older than any build was left by a process that was killed. */
function takeLock(lock: string): boolean {
  try {
    if (Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > BUILD_MS) rmSync(lock, { recursive: true, force: true });
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}

async function builtByAnother(lock: string): Promise<string | { skipped: string }> {
  for (const end = Date.now() + BUILD_MS; Date.now() < end && existsSync(lock);) await new Promise((resolve) => setTimeout(resolve, 200));
  return isExecutable(BUILT) ? BUILT : { skipped: 'the emulator could not be built (by another test run)' };
}

async function run(executable: string): Promise<Emulator | { skipped: string }> {
  const child = spawn(executable, ['-host', '127.0.0.1', '-port', '0'], { stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill); // a test run that ends early leaves none behind
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async (): Promise<void> => {
    process.off('exit', kill);
    kill();
    await ended;
  };
  const address = await new Promise<string | null>((resolve) => {
    const timer = setTimeout(() => resolve(null), START_MS);
    let text = '';
    const look = (chunk: Buffer): void => {
      text = (text + chunk.toString()).slice(-4096);
      const found = /running on (\S+:\d+)/.exec(text)?.[1];
      if (!found) return;
      clearTimeout(timer);
      resolve(found);
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look); // read on: a full pipe would stop the emulator, which logs
    child.once('error', () => resolve(null));
    child.once('close', () => resolve(null));
  });
  if (address === null) {
    await stop();
    return { skipped: `the emulator ${executable} did not start` };
  }
  return { address, pid: child.pid ?? 0, stop };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
