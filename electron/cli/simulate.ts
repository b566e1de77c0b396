/** `frontrow simulate`: an invented market into the chosen store, the same for the same seed. */
import { randomBytes } from 'node:crypto';
import { failed, ok, problem, type Result } from '../../shared/result.ts';
import { formatIso, micros } from '../../shared/time.ts';
import { ensureTable } from '../bigtable/admin.ts';
import { createConditional } from '../bigtable/conditional.ts';
import type { Parsed } from '../config/options.ts';
import { deskClock } from '../desk/deskClock.ts';
import { runSimulation, type Simulation, type SimulationSummary } from '../ingest/live/simulation.ts';
import { refuseRealTable } from '../ingest/realTable.ts';
import { sleep } from '../ingest/sleep.ts';
import type { Command } from './command.ts';
import { withStore } from './withStore.ts';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

export const simulate: Command = {
  summary: 'an invented market into the chosen store, the same for the same seed',
  usage: 'simulate --indices N --rate R [--skew zipf:S] [--late P] [--duplicate P] [--collisions P] [--corrections P] [--writers W] [--seed N] [--duration D] [--latest] [--into-real-table TABLE] [--json]\n\n'
    + 'R events a second over all indices SIM0001 to SIMn; P are shares of them (0 to 1). D is 90, 90s, 5m or 2h; without it, until Ctrl-C.',
  options: {
    indices: text, rate: text, skew: text, late: text, duplicate: text, collisions: text, corrections: text, writers: text, seed: text, duration: text, latest: flag, 'into-real-table': text,
  },
  positionals: { min: 0, max: 0 },
  async run(parsed, streams, signal) {
    const asked = request(parsed.values);
    if (!asked.ok) return asked;
    return withStore(parsed, async (store, settings) => {
      const into = parsed.values['into-real-table'];
      const refusal = refuseRealTable(store.address, typeof into === 'string' ? into : null, 'simulate');
      if (refusal) return failed(refusal);
      const writer = await store.writer(); // rejects where the table is another's
      // a store on this machine is made ready; a real table is its owner's
      if (store.address.kind !== 'bigtable') {
        const ensured = await ensureTable(store.address);
        if (!ensured.ok) return ensured;
      }
      const conditional = createConditional(store.address);
      try {
        const done = await runSimulation({
          ...asked.value, reader: store.reader, writer, conditional, clock: deskClock(settings.testNow), machineMillis: () => Date.now(), sleep, start: settings.testNow,
          token: randomBytes(6).toString('hex'), latest: parsed.values['latest'] === true, signal,
          onStarted: (slots) => streams.err(`simulating ${asked.value.shape.indices} indices at ${asked.value.shape.rate} events a second, ${slots.length === 1 ? 'slot' : 'slots'} ${slots.join(', ')}${asked.value.duration === null ? '; Ctrl-C ends it' : ''}`),
          onWait: () => streams.err('waiting for a slot: this seed’s last run did not give its own back'),
          onProgress: (sent, behindMs) => { if (streams.terminal) process.stderr.write(`\r${sent} events${behindMs > 1000 ? `, ${(behindMs / 1000).toFixed(1)} s behind` : ''}\u001B[K`); },
          onProblem: (trouble) => streams.err(trouble ? `frontrow: ${trouble.code}: ${trouble.what}; writing again until it works` : 'writing works again'),
        });
        if (streams.terminal) streams.err('');
        if (!done.ok) return done;
        await streams.out(parsed.values['json'] === true ? JSON.stringify({ summary: jsonOf(done.value, asked.value) }) : sentence(done.value));
        return ok(0);
      } finally {
        await conditional.close();
      }
    });
  },
};

function jsonOf({ sent, counts, slots, stopped, fromMicros, elapsedMs }: SimulationSummary, { shape }: Asked): Record<string, unknown> {
  const events = Object.values(sent).reduce((a, b) => a + b, 0);
  return {
    ...counts, collisions: sent.collision, events, sent, stopped, fromMicros: String(fromMicros), elapsedMs: Math.round(elapsedMs), options: shape, perSlot: slots.map(({ slot, counts: own }) => ({ slot, ...own })),
  };
}

function sentence({ sent, counts, fromMicros, slots }: SimulationSummary): string {
  const { written, late, duplicates, corrected, quarantined, waiting, refused } = counts;
  const rest = [quarantined > 0 ? `${quarantined} ahead of their time (${waiting} still are)` : '', refused > 0 ? `${refused} refused` : ''].filter((part) => part !== '');
  return [`${written} ticks from ${formatIso(micros(fromMicros))} by ${slots.length} writers: ${late} of them late, ${sent.collision} at the microsecond of another; ${duplicates} duplicates, ${corrected} corrections`, ...rest].join('; ');
}

type Asked = Pick<Simulation, 'shape' | 'duration'>;

function request(values: Parsed['values']): Result<Asked> {
  const option = (name: string): string | null => (typeof values[name] === 'string' ? values[name] : null);
  const bad = (name: string, next: string): Result<never> => failed(problem('BAD_INPUT', option(name) === null ? `simulate needs --${name}` : `--${name} ${JSON.stringify((option(name) ?? '').slice(0, 40))} is not one`, next));
  const whole = (name: string, otherwise: number | null, least: number, most: number): number | null => {
    const given = option(name);
    if (given === null) return otherwise;
    const value = /^\d{1,16}$/.test(given) ? Number(given) : Number.NaN;
    return value >= least && value <= most ? value : null;
  };
  const indices = whole('indices', null, 1, 5000);
  if (indices === null) return bad('indices', 'give --indices 1 to 5000');
  const rate = /^\d{1,6}(\.\d{1,6})?$/.test(option('rate') ?? '') ? Number(option('rate')) : 0;
  if (!(rate > 0 && rate <= 200_000)) return bad('rate', 'give --rate events a second, above 0 up to 200000');
  const skew = skewOf(option('skew'));
  if (skew === null) return bad('skew', 'give zipf:S with S from 0 to 5, such as zipf:1.1');
  const shares = { late: 0, duplicate: 0, collisions: 0, corrections: 0 };
  for (const name of ['late', 'duplicate', 'collisions', 'corrections'] as const) {
    const given = option(name) ?? '0';
    const share = /^(?:\d|\d?\.\d{1,9})$/.test(given) ? Number(given) : Number.NaN;
    if (!(share <= 1)) return bad(name, 'give a share of all events, 0 to 1, such as 0.05');
    shares[name] = share;
  }
  const sum = shares.late + shares.duplicate + shares.collisions + shares.corrections;
  if (sum > 1) return failed(problem('BAD_INPUT', '--late, --duplicate, --collisions and --corrections are more than 1 together', 'give smaller shares'));
  const writers = whole('writers', 1, 1, 9);
  if (writers === null) return bad('writers', 'give 1 to 9');
  const seed = whole('seed', 1, 0, Number.MAX_SAFE_INTEGER);
  if (seed === null) return bad('seed', `give a whole number up to ${Number.MAX_SAFE_INTEGER}`);
  const duration = option('duration') === null ? null : secondsOf(option('duration') ?? '');
  if (duration === undefined) return bad('duration', 'give seconds, or 90s, 5m, 2h');
  return ok({ shape: { indices, rate, skew, ...shares, writers, seed }, duration });
}

function skewOf(given: string | null): number | null {
  if (given === null) return 0;
  const skew = /^zipf:\d(\.\d{1,6})?$/.test(given) ? Number(given.slice(5)) : Number.NaN;
  return skew <= 5 ? skew : null;
}

/** Undefined for anything but a time of up to a year. */
function secondsOf(given: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,8}(?:\.\d{1,3})?)(s|m|h)?$/.exec(given) ?? [];
  const seconds = Number(digits) * (unit === 'h' ? 3600 : unit === 'm' ? 60 : 1);
  return digits !== '' && seconds > 0 && seconds <= 366 * 86_400 ? seconds : undefined;
}
