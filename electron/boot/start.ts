/** `npm start`: the desktop window where the runtime is there or can be fetched, else the same dashboard in a browser. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { download, installed } from './electronBinary.ts';

const root = join(import.meta.dirname, '../..');
const words = process.argv.slice(2);
const hasDisplay = process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
const standIn = process.env['ELECTRON_OVERRIDE_DIST_PATH'] !== undefined;

/** The executable, or why there is no desktop window. */
async function runtime(): Promise<{ readonly path: string } | { readonly why: string }> {
  if (words.includes('--browser')) return { why: '--browser was given' };
  if (!standIn && !hasDisplay) return { why: 'this session has no display' };
  // Chromium refuses to run as root with its sandbox, and we never run without it
  if (!standIn && process.platform === 'linux' && process.getuid?.() === 0) return { why: 'it would run as root' };
  const path = installed();
  if (path !== undefined) return { path };
  const timeout = Number(process.env['ELECTRON_DOWNLOAD_TIMEOUT_MS'] ?? 120_000);
  return download(Number.isFinite(timeout) && timeout > 0 ? timeout : 120_000);
}

const found = await runtime();
const given = words.filter((word) => word !== '--browser');
let command: readonly [string, readonly string[]];
if ('path' in found) command = [found.path, ['.', ...given]];
else {
  process.stderr.write(`frontrow: no desktop window (${found.why}); serving the same dashboard to a browser instead.\n`);
  command = [process.execPath, [join(root, 'dist/electron/cli.js'), 'serve', ...given]];
}
const child = spawn(command[0], command[1], { cwd: root, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  process.stderr.write(`frontrow: INTERNAL: cannot start ${command[0]} (${error.message}); run \`npm start -- --browser\`\n`);
  process.exitCode = 1;
});
child.on('exit', (code, signal) => { process.exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0); });
