/** `frontrow schema lab`: the candidate layouts under one invented workload, measured; a table, JSON lines, a report. */
import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { isLoopbackEndpoint } from '../../shared/loopback.ts';
import { failed, ok, type Problem, problem, type Result } from '../../shared/result.ts';
import type { StoreAddress } from '../bigtable/reader.ts';
import type { Parsed } from '../config/options.ts';
import { resolveSettings } from '../config/settings.ts';
import { CANDIDATES } from '../schema/lab/candidates.ts';
import { labHtml } from '../schema/lab/labHtml.ts';
import { labJson, labText } from '../schema/lab/labText.ts';
import { openLab } from '../schema/lab/labStore.ts';
import { runLab, type LabRun } from '../schema/lab/runLab.ts';
import type { SchemaAction } from './schema.ts';
import type { Streams } from './command.ts';
import { noMore } from './schemaSample.ts';

/** All candidates are loaded at the same time, mostly in this process's memory. */
const MOST_TICKS = 200_000;

/** 0 measured. Its tables are gone afterwards, also after Ctrl-C. */
export const schemaLab: SchemaAction = async (parsed, words, streams, signal) => {
  const wrong = noMore(words, 'lab');
  if (wrong) return failed(wrong);
  const asked = labRequest(parsed.values);
  if (!asked.ok) return asked;
  const opened = await labAddress(parsed);
  if (!opened.ok) return opened;
  const { address } = opened.value;
  try {
    const lab = await openLab(address, `frontrow-lab-${randomBytes(4).toString('hex')}-`);
    if (!lab.ok) return lab;
    try {
      const done = await runLab({ ...asked.value, lab: lab.value, version: BigInt(Date.now()) * 1000n, signal, onProgress: progress(streams) });
      if (streams.terminal) process.stderr.write('\r\u001B[K');
      if (!done.ok) return done;
      const file = parsed.values['output'];
      if (typeof file === 'string') {
        const trouble = writeReport(file, labHtml(done.value));
        if (trouble) return failed(trouble);
      }
      const lines = parsed.values['json'] === true ? labJson(done.value).map((line) => JSON.stringify(line)) : labText(done.value);
      for (const line of lines) await streams.out(line);
      if (typeof file === 'string') streams.err(`report written to ${file}`);
      return ok(0);
    } finally {
      await lab.value.close();
    }
  } finally {
    await opened.value.stop();
  }
};

/** An embedded store in memory, or the emulator that is chosen; never the service, and never an emulator on another machine. */
async function labAddress(parsed: Pick<Parsed, 'values'>): Promise<Result<{ address: StoreAddress; stop(): Promise<void> }, Problem>> {
  const settings = await resolveSettings(parsed);
  if (!settings.ok) return settings;
  const { store } = settings.value;
  if (parsed.values['memory'] !== true && store.kind !== 'embedded') {
    if (store.kind === 'emulator' && store.endpoint !== null && isLoopbackEndpoint(store.endpoint)) return ok({ address: store, stop: () => Promise.resolve() });
    const where = store.kind === 'emulator' ? `the store at ${store.endpoint ?? '?'}, which is not on this machine` : `project ${store.project}, instance ${store.instance}`;
    return failed(problem('BAD_INPUT', `schema lab would make and fill tables in ${where}`, 'add --memory for a store in memory, or name an emulator on this machine with --emulator'));
  }
  const { startStore } = await import('../embedded/startStore.ts');
  const started = await startStore({ data: null, port: 0 });
  if (!started.ok) return started;
  return ok({ address: { ...store, kind: 'embedded', endpoint: started.value.address }, stop: () => started.value.close() });
}

function progress(streams: Streams): (text: string) => void {
  let layout = '';
  return (text) => {
    if (streams.terminal) process.stderr.write(`\r${text}\u001B[K`);
    else {
      // a line for each layout and question is enough for a log
      const [name = ''] = text.split(/[:,]/, 1);
      if (name !== layout) streams.err(name);
      layout = name;
    }
  };
}

/** Whole or not at all. */
function writeReport(path: string, html: string): Problem | null {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, html, { flag: 'wx' });
    renameSync(draft, path);
    return null;
  } catch (error) {
    rmSync(draft, { force: true });
    return problem('BAD_INPUT', `${path} can't be written (${error instanceof Error ? error.message : 'no reason given'})`, 'name another file');
  }
}

type Asked = Pick<LabRun, 'shape' | 'candidates' | 'repeat' | 'tablets'>;

/** The options of the lab; BAD_INPUT names the one that is wrong. */
export function labRequest(values: Parsed['values']): Result<Asked> {
  const option = (name: string, otherwise: string): string => (typeof values[name] === 'string' ? values[name] : otherwise);
  const problems: Problem[] = [];
  const number = (name: string, otherwise: string, read: (text: string) => number, least: number, most: number, hint: string): number => {
    const given = option(name, otherwise);
    const value = read(given);
    if (!(value >= least && value <= most)) problems.push(problem('BAD_INPUT', `--${name} ${JSON.stringify(given.slice(0, 40))} is not one`, hint));
    return value;
  };
  const wholeOf = (text: string): number => (/^\d{1,16}$/.test(text) ? Number(text) : Number.NaN);
  const shape = {
    indices: number('indices', '50', wholeOf, 1, 5000, 'give --indices 1 to 5000'),
    rate: number('rate', '5', (text) => (/^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN), 0.001, 200_000, 'give ticks a second of all indices, 0.001 to 200000'),
    skew: number('skew', 'zipf:1.1', (text) => (/^zipf:\d(\.\d{1,6})?$/.test(text) ? Number(text.slice(5)) : Number.NaN), 0, 5, 'give zipf:S with S from 0 to 5, such as zipf:1.1'),
    bytes: number('bytes', '60', wholeOf, 24, 10_000, 'give the bytes of a tick’s values, 24 to 10000'),
    span: number('span', '1h', secondsOf, 1, 30 * 86_400, 'give how much is loaded: 90s, 20m, 1h, 2d'),
    window: number('window', '10m', secondsOf, 0.001, 30 * 86_400, 'give the span that Q3 and Q5 ask for: 30s, 10m, 1h'),
    seed: number('seed', '1', wholeOf, 0, Number.MAX_SAFE_INTEGER, `give a whole number up to ${Number.MAX_SAFE_INTEGER}`),
  };
  const repeat = number('repeat', '30', wholeOf, 1, 1000, 'give how often each question is asked, 1 to 1000');
  const tablets = number('tablets', '16', wholeOf, 1, 1000, 'give into how many key ranges a table is cut, 1 to 1000');
  const names = typeof values['layouts'] === 'string' ? values['layouts'].split(',') : Object.keys(CANDIDATES);
  const candidates = names.flatMap((name) => (Object.hasOwn(CANDIDATES, name) ? [CANDIDATES[name]] : [])).filter((make) => make !== undefined);
  if (candidates.length !== names.length) problems.push(problem('BAD_INPUT', '--layouts names one that does not exist', `use some of ${Object.keys(CANDIDATES).join(',')}`));
  if (problems.length === 0 && shape.rate * shape.span > MOST_TICKS) problems.push(problem('BAD_INPUT', `${Math.round(shape.rate * shape.span)} ticks are more than ${MOST_TICKS}`, 'load a shorter --span: rows a day are computed from --rate'));
  if (problems.length === 0 && shape.window > shape.span) problems.push(problem('BAD_INPUT', '--window is longer than --span', 'load more, or ask for less'));
  const [first] = problems;
  return first ? failed(first) : ok({ shape, candidates, repeat, tablets });
}

function secondsOf(text: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,8}(?:\.\d{1,3})?)(s|m|h|d)?$/.exec(text) ?? [];
  return digits === '' ? Number.NaN : Number(digits) * ({ s: 1, m: 60, h: 3600, d: 86_400 }[unit] ?? 1);
}
