/** `frontrow schema detect`: a layout file for a table that others designed, with its evidence, or what can't be told. */
import { renameSync, writeFileSync } from 'node:fs';
import { failed, ok, problem } from '../../shared/result.ts';
import { deskClock } from '../desk/deskClock.ts';
import { proposeLayout, type Proposal } from '../schema/detect.ts';
import type { SchemaAction } from './schema.ts';
import { noMore, takeSample } from './schemaSample.ts';
import type { Streams } from './command.ts';
import { withStore } from './withStore.ts';

/** 0 proposed, or our own layout; 1 unsure: a draft at best, which does not load before its questions are answered. */
export const schemaDetect: SchemaAction = async (parsed, words, streams, signal) => {
  const wrong = noMore(words, 'detect');
  if (wrong) return failed(wrong);
  return withStore(parsed, async (store, settings) => {
    const taken = await takeSample(store, parsed, signal);
    if (!taken.ok) return taken;
    if (taken.value.sample.rows.length === 0) return failed(problem('NOT_FOUND', `table ${store.address.table} has no rows`, 'name another with --table'));
    const proposal = proposeLayout(taken.value.sample, deskClock(settings.testNow).now());
    const file = parsed.values['output'];
    if (typeof file === 'string' && proposal.file) {
      const written = write(file, proposal);
      if (written) return failed(written);
    }
    if (parsed.values['json'] === true) await streams.out(JSON.stringify({ table: store.address.table, ...proposal, layout: proposal.file, file: typeof file === 'string' && proposal.file ? file : null, rows: taken.value.sample.rows.length, requests: taken.value.sample.requests }));
    else await tell(proposal, typeof file === 'string' ? file : null, streams);
    return ok(proposal.confidence === 'unsure' ? 1 : 0);
  }, { mustExist: true });
};

async function tell({ confidence, evidence, questions, file }: Proposal, written: string | null, streams: Streams): Promise<void> {
  const words = { canonical: 'our own layout', sure: 'sure', likely: 'likely', unsure: 'unsure' };
  streams.err(`confidence: ${words[confidence]}`);
  for (const line of evidence) streams.err(`  seen: ${printable(line)}`);
  for (const line of questions) streams.err(`  can't tell: ${printable(line)}`);
  if (!file) return;
  if (written !== null) streams.err(`${confidence === 'unsure' ? 'draft' : 'layout'} written to ${written}${confidence === 'unsure' ? ': answer the questions in it before use' : `: use it with --layout ${written}`}`);
  else await streams.out(JSON.stringify(file, null, 2));
}

/** Whole or not at all. An unsure draft says so inside, in a field that no layout file may have. */
function write(path: string, { file, confidence, questions }: Proposal): ReturnType<typeof problem> | null {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, `${JSON.stringify(confidence === 'unsure' ? { unanswered: questions, ...file } : file, null, 2)}\n`, { flag: 'wx' });
    renameSync(draft, path);
    return null;
  } catch (error) {
    return problem('BAD_INPUT', `${path} can't be written (${error instanceof Error ? error.message : 'no reason given'})`, 'name another file');
  }
}

const printable = (line: string): string => line.replaceAll(/[\u0000-\u001F\u007F-\u009F]+/g, ' ');
