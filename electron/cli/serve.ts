/** `frontrow serve`: the dashboard for a browser. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ok, type Result } from '../../shared/result.ts';
import type { Desk } from '../desk/desk.ts';
import { elapsed } from '../desk/deskClock.ts';
import { resolveSettings } from '../config/settings.ts';
import type { Command } from './command.ts';
import { portOf, until } from './serving.ts';

export const serve: Command = {
  summary: 'serve the dashboard to a browser',
  usage: 'serve [--port 7007] [--host 127.0.0.1] [--token T] [--no-open] [--demo] [--fixed-clock] [--json]',
  options: { port: { type: 'string' }, host: { type: 'string' }, token: { type: 'string' }, 'no-open': { type: 'boolean' }, demo: { type: 'boolean' }, 'fixed-clock': { type: 'boolean' } },
  positionals: { min: 0, max: 0 },
  async run({ values }, streams, signal) {
    const port = portOf(values['port'] ?? process.env['FRONTROW_PORT'], 7007);
    if (!port.ok) return port;
    const settings = await resolveSettings({ values });
    if (!settings.ok) return settings;
    const text = (name: string): string | undefined => (typeof values[name] === 'string' ? values[name] : undefined);
    // The port first: one in use, or a missing token, is told at once and not after the store was opened.
    const [{ createLateDesk, STARTING }, { serveDesk }] = await Promise.all([import('../desk/lateDesk.ts'), import('../gateway/serveDesk.ts')]);
    const opened = Promise.withResolvers<Result<Desk>>();
    const late = createLateDesk({ open: () => opened.promise, health: STARTING, wallMillis: Date.now });
    const serving = await serveDesk({
      desk: late, rendererDir: rendererDir(), port: port.value,
      host: text('host') ?? process.env['FRONTROW_HOST'] ?? '127.0.0.1', token: text('token') ?? process.env['FRONTROW_TOKEN'] ?? null,
    });
    if (!serving.ok) {
      await late.close();
      return serving;
    }
    const gateway = serving.value;
    const { url } = gateway;
    const { openDesk } = await import('../desk/openDesk.ts');
    const desk = await openDesk(settings.value, { demo: values['demo'] === true, fixedClock: values['fixed-clock'] === true });
    if (!desk.ok) {
      await gateway.close();
      await late.close();
      return desk;
    }
    opened.resolve(desk);
    late.start();
    const json = values['json'] === true;
    if (json) await firstRead(late, signal);
    await streams.out(json ? JSON.stringify({ url, pid: process.pid }) : `Frontrow is at ${url}`);
    if (!json && values['no-open'] !== true) openBrowser(gateway.openUrl());
    await until(signal);
    await gateway.close();
    await late.close();
    return ok(0);
  },
};

const FIRST_READ_MS = 15_000;

/** Until /healthz would answer 200, so that a script may go on; a store that is down is a state on screen, and holds nobody up for longer. */
async function firstRead(desk: Desk, signal: AbortSignal): Promise<void> {
  const end = elapsed() + FIRST_READ_MS;
  while (desk.failing() !== null && elapsed() < end && !signal.aborted) await sleep(20);
}

/** The built page: beside the bundle, or from a source run. */
function rendererDir(): string {
  const beside = join(import.meta.dirname, '../renderer');
  return existsSync(join(beside, 'index.html')) && existsSync(join(beside, 'assets')) ? beside : join(import.meta.dirname, '../../dist/renderer');
}

/** Shows the page where there is someone to look at it. A desktop without an opener is no error: the address was printed. */
function openBrowser(url: string): void {
  if (process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY']) return;
  const [command, args] = process.platform === 'darwin' ? ['open', [url]] : process.platform === 'win32' ? ['cmd', ['/c', 'start', '', url]] : ['xdg-open', [url]];
  spawn(command, args, { stdio: 'ignore', detached: true }).on('error', () => {}).unref();
}
