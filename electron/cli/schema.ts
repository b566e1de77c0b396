/** `frontrow schema`: what a table's layout is, whether it follows the guidance, and what questions cost in it. One action each. */
import { failed, type Problem, problem, type Result } from '../../shared/result.ts';
import type { Parsed } from '../config/options.ts';
import type { Command, Streams } from './command.ts';

export type SchemaAction = (parsed: Parsed, words: readonly string[], streams: Streams, signal: AbortSignal) => Promise<Result<number, Problem>>;

const actions: Readonly<Record<string, () => Promise<SchemaAction>>> = {
  detect: async () => (await import('./schemaDetect.ts')).schemaDetect,
  check: async () => (await import('./schemaCheck.ts')).schemaCheck,
  explain: async () => (await import('./schemaExplain.ts')).schemaExplain,
  lab: async () => (await import('./schemaLab.ts')).schemaLab,
};

const text = { type: 'string' } as const;

export const schema: Command = {
  summary: 'propose a layout for a table, check it, show what each question reads, and compare layouts by measurement',
  usage: 'schema detect [--sample N] [-o FILE] | schema check [--sample N] | schema explain [ID] [--from T] [--to T]   (--layout FILE and --json everywhere; check ends with 1 where it finds a violation, detect where it is unsure)\n'
    + '       schema lab [--indices 50] [--rate 5] [--skew zipf:1.1] [--bytes 60] [--span 1h] [--window 10m] [--seed 1] [--repeat 30] [--tablets 16] [--layouts A,B] [--memory] [-o REPORT.html]   (candidate layouts, measured)',
  options: { sample: text, output: { ...text, short: 'o' }, from: text, to: text, indices: text, rate: text, skew: text, bytes: text, span: text, window: text, seed: text, repeat: text, tablets: text, layouts: text, memory: { type: 'boolean' } },
  positionals: { min: 1, max: 2 },
  async run(parsed, streams, signal) {
    const [action = '', ...words] = parsed.positionals;
    const load = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (!load) return failed(problem('BAD_INPUT', `unknown: schema ${JSON.stringify(action.slice(0, 40))}`, `use one of ${Object.keys(actions).join(', ')}`));
    return (await load())(parsed, words, streams, signal);
  },
};
