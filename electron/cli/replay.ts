/** `frontrow replay`: real bars or ticks as a live market into the chosen store. */
import { failed, ok, problem, type Result } from '../../shared/result.ts';
import { formatIso } from '../../shared/time.ts';
import { ensureTable } from '../bigtable/admin.ts';
import type { Parsed } from '../config/options.ts';
import { elapsed } from '../desk/deskClock.ts';
import { refuseRealTable } from '../ingest/realTable.ts';
import { readBars } from '../ingest/readBars.ts';
import { type ReplayOptions, runReplay } from '../ingest/replay.ts';
import { sleep } from '../ingest/sleep.ts';
import type { Command } from './command.ts';
import { IMPORT_OPTIONS, IMPORT_USAGE, importOptions } from './importOptions.ts';
import { withStore } from './withStore.ts';

const text = { type: 'string' } as const;

export const replay: Command = {
  summary: 'replay real bars or ticks as a live market',
  usage: `replay FILE... ${IMPORT_USAGE} [--speed X|max] [--into-real-table TABLE] [--json]`,
  options: { ...IMPORT_OPTIONS, speed: text, 'into-real-table': text },
  positionals: { min: 1, max: 1000 },
  async run(parsed, streams, signal) {
    const asked = request(parsed.values);
    if (!asked.ok) return asked;
    // refused files are told before a store is made for them
    for (const file of parsed.positionals) {
      const read = await readBars(file, asked.value);
      if (!read.ok) return read;
    }
    return withStore(parsed, async (store) => {
      const into = parsed.values['into-real-table'];
      const refusal = refuseRealTable(store.address, typeof into === 'string' ? into : null);
      if (refusal) return failed(refusal);
      if (store.address.kind === 'embedded') {
        const ensured = await ensureTable(store.address);
        if (!ensured.ok) return ensured;
      }
      const json = parsed.values['json'] === true;
      const done = await runReplay({
        files: parsed.positionals, writer: await store.writer(), elapsed, sleep, machineMillis: () => Date.now(), signal, options: asked.value,
        onFile({ file, index: id, format, zone: in_, bars, ticks, movedDays, rejectedCount, rejected, warnings }) {
          for (const warning of warnings) streams.err(`${file}: ${warning}`);
          streams.err(`${file}: ${id}, ${format}, ${in_}, ${ticks === 0 ? `${bars} bars` : `${ticks} ticks`}${movedDays === 0 ? '' : `, moved by ${movedDays} days`}${rejectedCount === 0 ? '' : `, ${rejectedCount} lines rejected`}`);
          for (const { line, reason } of rejected.slice(0, 20)) streams.err(`  line ${line}: ${reason}`);
        },
        onProgress({ written, total, time }) {
          if (streams.terminal) process.stderr.write(`\r${written} of ${total} ticks, ${formatIso(time).slice(0, 19)}Z REPLAY\u001B[K`);
        },
        onProblem: (trouble) => { if (trouble) streams.err(`frontrow: ${trouble.code}: ${trouble.what}; writing again until it works`); },
      });
      if (streams.terminal) streams.err('');
      if (!done.ok) return done;
      const { ticks, from, to } = done.value;
      await streams.out(json ? JSON.stringify({ ticks, fromMicros: String(from), toMicros: String(to) }) : `${ticks} ticks from ${formatIso(from)} to ${formatIso(to)}`);
      return ok(0);
    });
  },
};

function request(values: Parsed['values']): Result<ReplayOptions> {
  const asked = importOptions(values);
  if (!asked.ok) return asked;
  const speed = typeof values['speed'] === 'string' ? values['speed'] : '10';
  if (speed !== 'max' && !/^\d{1,2}(\.\d+)?$/.test(speed)) return failed(problem('BAD_INPUT', `--speed ${JSON.stringify(speed.slice(0, 20))} is not a speed`, 'give 1 to 60, or max'));
  return ok({ ...asked.value, speed: speed === 'max' ? 'max' : Number(speed) });
}
