/** `npm run dev`: the page with hot reload; the main process and preload rebuilt and restarted on change. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createBuilder, createServer } from 'vite';
import type { RolldownWatcher } from 'rolldown';
import { installed } from './electronBinary.ts';

const server = await createServer({ server: { host: '127.0.0.1' } });
await server.listen();
server.printUrls();
const electron = installed();
const address = server.resolvedUrls?.local[0];
if (electron === undefined) process.stderr.write('No Electron runtime here: `npm run frontrow -- serve` gives the page a host.\n');

let child: ChildProcess | undefined;
function restart(): void {
  if (electron === undefined || address === undefined) return;
  const start = (): void => { child = spawn(electron, ['.', ...process.argv.slice(2)], { stdio: 'inherit', env: { ...process.env, VITE_DEV_SERVER_URL: address } }); };
  if (child && child.exitCode === null) {
    child.once('exit', start);
    child.kill();
  } else start();
}

const builder = await createBuilder({ mode: 'development', build: { watch: {} } });
const built = new Set<string>();
for (const name of ['main', 'preload']) {
  const environment = builder.environments[name];
  if (!environment) continue;
  const watcher = (await builder.build(environment)) as RolldownWatcher;
  watcher.on('event', (event) => {
    if (event.code === 'ERROR') process.stderr.write(`${String(event.error)}\n`);
    if (event.code === 'BUNDLE_END') void event.result.close();
    if (event.code !== 'END') return;
    const first = !built.has(name);
    built.add(name);
    if (built.size < 2) return;
    if (name === 'main' || first) restart();
    else server.ws.send({ type: 'full-reload' });
  });
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    child?.kill();
    process.exit(0);
  });
}
