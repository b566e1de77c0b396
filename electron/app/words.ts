/** The app's own options among the words it was started with; the rest belongs to Chromium and Electron. */
import type { OptionSpecs } from '../config/options.ts';

/** `argv` after the executable and, unpackaged, the app's folder. Takes `--name`, `--name=value` and `--name value` of `known`, as they are. */
export function ownWords(argv: readonly string[], known: OptionSpecs): string[] {
  const own: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? '';
    const name = /^--([a-z][a-z-]*)(?:=|$)/.exec(word)?.[1];
    const spec = name !== undefined && Object.hasOwn(known, name) ? known[name] : undefined;
    if (spec === undefined) continue;
    own.push(word);
    const next = argv[i + 1];
    if (spec.type === 'string' && !word.includes('=') && next !== undefined) {
      own.push(next);
      i++;
    }
  }
  return own;
}
