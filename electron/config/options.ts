/** Options that every command takes, and how the command line is split; no meaning yet. */
import { parseArgs } from 'node:util';
import { failed, ok, type Problem, problem, type Result } from '../../shared/result.ts';

export interface OptionSpec {
  readonly type: 'string' | 'boolean';
  /** One letter, after a single dash. */
  readonly short?: string;
}
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

const text: OptionSpec = { type: 'string' };
const flag: OptionSpec = { type: 'boolean' };

export const COMMON_OPTIONS = {
  project: text, instance: text, table: text, 'app-profile': text, emulator: text, data: text, config: text, layout: text, now: text, json: flag, help: flag,
} satisfies OptionSpecs;

export interface Parsed {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
}

const usage = (command: string): string => `run \`frontrow ${command} --help\` for what it takes`;

/** Splits the words after a command. Unknown options, missing values and unexpected words are BAD_INPUT. */
export function parseOptions(command: string, words: readonly string[], extra: OptionSpecs, positionals: { min: number; max: number }): Result<Parsed, Problem> {
  const known: OptionSpecs = { ...COMMON_OPTIONS, ...extra };
  try {
    const { values, positionals: given } = parseArgs({ args: optionsFirst(words, known), options: known, allowPositionals: true, strict: true });
    if (values['help'] !== true) {
      if (given.length < positionals.min) return failed(problem('BAD_INPUT', `\`${command}\` needs ${positionals.min - given.length} more argument(s)`, usage(command)));
      const empty = Object.keys(values).find((name) => values[name] === '');
      // an unset shell variable: the working folder must not become the data folder by it
      if (empty !== undefined) return failed(problem('BAD_INPUT', `option --${empty} is empty`, 'give it a value or leave it out'));
      if (given.length > positionals.max) return failed(problem('BAD_INPUT', `unexpected argument ${JSON.stringify(given[positionals.max])} after \`${command}\``, usage(command)));
    }
    return ok({ values: { ...values }, positionals: given });
  } catch (error) {
    // parseArgs explains itself at length; its first sentence is enough
    const [what = 'bad option'] = (error instanceof Error ? error.message : String(error)).split('. ');
    return failed(problem('BAD_INPUT', what.charAt(0).toLowerCase() + what.slice(1), usage(command)));
  }
}

/** Options first, then `--` and the rest: instants before 1970 are negative numbers, which parseArgs would take for options. */
function optionsFirst(words: readonly string[], known: OptionSpecs): string[] {
  const options: string[] = [];
  const rest: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '--') {
      rest.push(...words.slice(i + 1));
      break;
    }
    if (!word.startsWith('-') || /^-\d/.test(word)) {
      rest.push(word);
      continue;
    }
    const next = words[i + 1];
    const name = word.startsWith('--') ? word.slice(2) : Object.keys(known).find((one) => known[one]?.short === word.slice(1));
    if (name !== undefined && known[name]?.type === 'string' && next !== undefined && (!next.startsWith('-') || /^-\d/.test(next))) {
      options.push(`--${name}=${next}`);
      i++;
    } else if (name !== undefined && known[name]?.type === 'string') throw new Error(`option ${word} needs a value`);
    else options.push(word);
  }
  return [...options, '--', ...rest];
}
