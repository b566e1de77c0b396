#!/usr/bin/env node
// Entry of `npm start`, `npm test`, `npm run bench` and `npx frontrow`: sets itself up, then runs the real thing on its own Node.
// Plain JavaScript for Node 20: it must run on a bare clone, before anything is installed or built. Set-up text goes to stderr.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installStamp, sourceStamp } from './stamps.mjs';
import { withLock } from './lock.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const node = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
const stampFile = { install: join(root, 'node_modules/.frontrow-installed'), build: join(root, 'dist/.frontrow-built') };

/** @param {string} what @param {string} next @returns {never} */
function giveUp(what, next) {
  process.stderr.write(`frontrow: INTERNAL: ${what}; ${next}\n`);
  process.exit(1);
}

/** @param {string} file @param {string} stamp */
const fresh = (file, stamp) => existsSync(file) && readFileSync(file, 'utf8') === stamp;

/** @param {string} command @param {string[]} args @param {string} what @param {string} next */
function run(command, args, what, next) {
  // stdout of the child goes to our stderr: stdout is for data
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (status !== 0) giveUp(`${what} (${error?.message ?? `exit code ${status}`})`, next);
}

function install() {
  process.stderr.write('frontrow: installing packages (once, about a minute)...\n');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const major = Number(spawnSync(npm, ['--version'], { encoding: 'utf8', shell: process.platform === 'win32' }).stdout?.split('.')[0] ?? 0);
  // npm 11 can refuse install scripts that package.json doesn't name; older ones don't know the switch
  const strict = major >= 11 ? ['--strict-allow-scripts'] : [];
  run(npm, ['ci', ...strict, '--no-audit', '--no-fund', '--loglevel=error'], 'npm ci failed', 'read its message above, check the network to the npm registry and run the command again');
  if (!existsSync(node)) run(npm, ['rebuild', 'node', '--loglevel=error'], 'the node package has no executable for this machine', 'use Linux, macOS or Windows on x64 or arm64');
}

function build() {
  process.stderr.write('frontrow: building (sources changed)...\n');
  run(node, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], 'the build failed', 'read its message above');
}

/** @param {boolean} needsBuild */
async function setUp(needsBuild) {
  const upToDate = () => fresh(stampFile.install, installStamp(root)) && (!needsBuild || fresh(stampFile.build, sourceStamp(root)));
  if (upToDate()) return;
  await withLock(join(root, '.frontrow-setup.lock'), () => {
    const lockfile = installStamp(root);
    if (!fresh(stampFile.install, lockfile)) {
      install();
      writeFileSync(stampFile.install, lockfile);
    }
    // taken before the build: an edit during it makes the next command build again
    const sources = sourceStamp(root);
    if (needsBuild && !fresh(stampFile.build, sources)) {
      build();
      mkdirSync(dirname(stampFile.build), { recursive: true });
      writeFileSync(stampFile.build, sources);
    }
  });
}

const [command = 'help', ...rest] = process.argv.slice(2);
if (Number(process.versions.node.split('.')[0]) < 20) giveUp(`Node ${process.versions.node} is too old`, 'install Node 20 or newer');
await setUp(true);

/** @type {Record<string, string[]>} */
const scripts = {
  start: [join(root, 'electron/boot/start.ts'), ...rest],
  test: [join(root, 'electron/boot/test.ts'), ...rest],
  bench: [join(root, 'test/bench/main.ts'), ...rest],
};
const args = scripts[command] ?? [join(root, 'dist/electron/cli.js'), ...process.argv.slice(2)];
// Google's library warns of a metadata server that answers oddly; that there are no credentials is said by the command itself.
const child = spawn(node, ['--disable-warning=MetadataLookupWarning', ...args], {
  cwd: scripts[command] ? root : process.cwd(),
  stdio: 'inherit',
  env: { ...process.env, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(root, 'node_modules/.cache/compile') },
});
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => child.kill(signal));
// npm and npx that are told to end do not tell us: what they started must not go on without them, holding its port and its data folder
if (process.env['npm_command'] !== undefined && process.platform !== 'win32') {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 500);
  watch.unref();
}
child.on('error', (error) => giveUp(`cannot start ${node} (${error.message})`, 'delete node_modules and run the command again'));
child.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0);
});
