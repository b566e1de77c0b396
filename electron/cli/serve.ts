/** `frontrow serve`: the dashboard for a browser. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ok } from '../../shared/result.ts';
import { resolveSettings } from '../config/settings.ts';
import type { Command } from './command.ts';
import { portOf, until } from './serving.ts';

export const serve: Command = {
  summary: 'serve the dashboard to a browser',
  usage: 'serve [--port 7007] [--host 127.0.0.1] [--token T] [--no-open] [--demo] [--json]',
  options: { port: { type: 'string' }, host: { type: 'string' }, token: { type: 'string' }, 'no-open': { type: 'boolean' }, demo: { type: 'boolean' } },
  positionals: { min: 0, max: 0 },
  async run({ values }, streams, signal) {
    const port = portOf(values['port'] ?? process.env['FRONTROW_PORT'], 7007);
    if (!port.ok) return port;
    const settings = await resolveSettings({ values });
    if (!settings.ok) return settings;
    const { openDesk } = await import('../desk/openDesk.ts');
    const desk = await openDesk(settings.value, { demo: values['demo'] === true });
    if (!desk.ok) return desk;
    const { serveDesk } = await import('../gateway/serveDesk.ts');
    const text = (name: string): string | undefined => (typeof values[name] === 'string' ? values[name] : undefined);
    const serving = await serveDesk({
      desk: desk.value, rendererDir: rendererDir(), port: port.value,
      host: text('host') ?? process.env['FRONTROW_HOST'] ?? '127.0.0.1', token: text('token') ?? process.env['FRONTROW_TOKEN'] ?? null,
    });
    if (!serving.ok) {
      await desk.value.close();
      return serving;
    }
    const gateway = serving.value;
    const { url } = gateway;
    const json = values['json'] === true;
    await streams.out(json ? JSON.stringify({ url, pid: process.pid }) : `Frontrow is at ${url}`);
    if (!json && values['no-open'] !== true) openBrowser(gateway.openUrl());
    await until(signal);
    await gateway.close();
    await desk.value.close();
    return ok(0);
  },
};

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
