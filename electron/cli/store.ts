/** `frontrow store`: the embedded store alone, for every tool that speaks Bigtable. */
import { failed, ok, problem } from '../../shared/result.ts';
import { resolveSettings } from '../config/settings.ts';
import type { Command } from './command.ts';
import { portOf, until } from './serving.ts';

export const store: Command = {
  summary: 'run the embedded Bigtable-compatible store alone',
  usage: 'store [--port 0] [--data DIR | --memory] [--json]',
  options: { port: { type: 'string' }, memory: { type: 'boolean' } },
  positionals: { min: 0, max: 0 },
  async run({ values }, streams, signal) {
    const port = portOf(values['port'], 0);
    if (!port.ok) return port;
    if (values['memory'] === true && values['data'] !== undefined) return failed(problem('BAD_INPUT', '--memory and --data exclude each other', 'give one of them'));
    const settings = await resolveSettings({ values });
    if (!settings.ok) return settings;
    const data = values['memory'] === true ? null : settings.value.dataDir;
    const { startStore } = await import('../embedded/startStore.ts');
    const started = await startStore({ data, port: port.value });
    if (!started.ok) return started;
    const { address } = started.value;
    await streams.out(values['json'] === true ? JSON.stringify({ address }) : `store at ${address} (${data ?? 'in memory: gone when it ends'}); BIGTABLE_EMULATOR_HOST=${address} points other tools to it`);
    await until(signal);
    await started.value.close();
    return ok(0);
  },
};
