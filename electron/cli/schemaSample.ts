/** The sample that `schema detect` and `schema check` look at. */
import { failed, ok, type Problem, problem, type Result } from '../../shared/result.ts';
import type { Parsed } from '../config/options.ts';
import type { OpenStore } from '../desk/openStore.ts';
import { tableFacts, type TableFacts } from '../schema/facts.ts';
import { DEFAULT_SAMPLE, type Sample, sampleTable } from '../schema/sample.ts';

const MOST = 100_000;

export async function takeSample(store: OpenStore, { values }: Pick<Parsed, 'values'>, signal: AbortSignal): Promise<Result<{ readonly sample: Sample; readonly facts: TableFacts }, Problem>> {
  const given = values['sample'];
  const most = given === undefined ? DEFAULT_SAMPLE : typeof given === 'string' && /^\d{1,6}$/.test(given) ? Number(given) : 0;
  if (most < 1 || most > MOST) return failed(problem('BAD_INPUT', '--sample is not a number of rows', `give 1 to ${MOST}`));
  const facts = await tableFacts(store.address);
  if (!facts.ok) return facts;
  const sample = await sampleTable(store.physical, facts.value.ranges.map(({ end }) => end).filter((end) => end !== ''), most, signal);
  return sample.ok ? ok({ sample: sample.value, facts: facts.value }) : sample;
}

/** No second word may follow the action. */
export const noMore = (words: readonly string[], action: string): Problem | null =>
  words.length === 0 ? null : problem('BAD_INPUT', `unexpected argument ${JSON.stringify(words[0]?.slice(0, 40))} after \`schema ${action}\``, 'leave it out');
