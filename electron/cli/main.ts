/** Command line: finds the command, splits its words, turns every outcome into one exit code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseOptions } from '../config/options.ts';
import { problem, ProblemError } from '../../shared/result.ts';
import type { Command, Streams } from './command.ts';
import { errorLine, exitCode } from './exit.ts';

// Each file is loaded only for its own command: `keys` must not wait for gRPC.
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  store: async () => (await import('./store.ts')).store,
  init: async () => (await import('./init.ts')).init,
  latest: async () => (await import('./latest.ts')).latest,
  history: async () => (await import('./history.ts')).history,
  window: async () => (await import('./window.ts')).window,
  export: async () => (await import('./export.ts')).exportCommand,
  ingest: async () => (await import('./ingest.ts')).ingest,
  bars: async () => (await import('./bars.ts')).bars,
  replay: async () => (await import('./replay.ts')).replay,
  simulate: async () => (await import('./simulate.ts')).simulate,
  shard: async () => (await import('./shard.ts')).shard,
  rename: async () => (await import('./rename.ts')).rename,
  retention: async () => (await import('./retention.ts')).retention,
  schema: async () => (await import('./schema.ts')).schema,
  keys: async () => (await import('./keys.ts')).keys,
};

const streams: Streams = {
  out: (line) => new Promise((resolve) => { if (process.stdout.write(`${line}\n`)) resolve(); else process.stdout.once('drain', resolve); }),
  err: (line) => { process.stderr.write(`${line}\n`); },
  terminal: process.stderr.isTTY,
};

async function help(): Promise<void> {
  await streams.out('frontrow COMMAND [options]\n');
  for (const [name, load] of Object.entries(commands)) await streams.out(`  ${name.padEnd(9)} ${(await load()).summary}`);
  await streams.out('\nOptions everywhere: --project --instance --table --app-profile --emulator HOST:PORT --data DIR --config FILE --layout FILE --now TIME --json --help');
}

function version(): string {
  // dist/electron/cli.js and electron/cli/main.ts lie equally deep below package.json, but for one folder
  const candidates = ['../../package.json', '../../../package.json'].map((path) => join(import.meta.dirname, path));
  for (const path of candidates) {
    try {
      const manifest = JSON.parse(readFileSync(path, 'utf8')) as { name?: string; version?: string };
      if (manifest.name === 'frontrow') return manifest.version ?? '?';
    } catch {
      continue; // not at this depth
    }
  }
  return '?';
}

async function main(words: readonly string[]): Promise<number> {
  const [name, ...rest] = words;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    await help();
    return 0;
  }
  if (name === 'version' || name === '--version' || name === '-v') {
    await streams.out(version());
    return 0;
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) throw new ProblemError(problem('BAD_INPUT', `unknown command ${JSON.stringify(name.slice(0, 40))}`, `use one of ${Object.keys(commands).join(', ')}`));
  const command = await load();
  const parsed = parseOptions(name, rest, command.options, command.positionals);
  if (!parsed.ok) throw new ProblemError(parsed.error);
  if (parsed.value.values['help'] === true) {
    await streams.out(`frontrow ${command.usage}\n\n${command.summary}`);
    return 0;
  }
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => interrupted.abort(signal));
  const outcome = await command.run(parsed.value, streams, interrupted.signal);
  if (!outcome.ok) throw new ProblemError(outcome.error);
  return outcome.value;
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // the reader of a pipe has seen enough (`| head`)
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const found = error instanceof ProblemError ? error.problem : problem('INTERNAL', error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 3).join(' | ') : String(error), 'report this line as a bug');
  process.stderr.write(errorLine(found));
  process.exitCode = exitCode(found.code);
}
