/** Keys that work anywhere on the page: what each does, for the handler and for the help that lists them. */
import { RANGES } from './view.ts';

export type KeyAction = { readonly kind: 'range'; readonly at: number } | { readonly kind: 'step'; readonly by: 1 | -1 } | { readonly kind: 'help' } | { readonly kind: 'panel' };

interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** `1` to `3` choose a range, Alt with an up or down arrow the index before or after, `?` the help, `\` tape or health. Letters and all else begin a search. */
export function pageKey({ key, ctrlKey, metaKey, altKey }: Press): KeyAction | undefined {
  if (ctrlKey || metaKey) return undefined;
  if (altKey) return key === 'ArrowDown' ? { kind: 'step', by: 1 } : key === 'ArrowUp' ? { kind: 'step', by: -1 } : undefined;
  if (key === '?') return { kind: 'help' };
  if (key === '\\') return { kind: 'panel' };
  const at = Number(key) - 1;
  return key.length === 1 && RANGES[at] !== undefined ? { kind: 'range', at } : undefined;
}

export const KEYS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['letters', 'Ctrl K'], 'find an index by id or name'],
  [['Alt ↑', 'Alt ↓'], 'index before, index after'],
  [RANGES.map((_, at) => String(at + 1)), `chart of ${RANGES.join(', ')}`],
  [['↑', '↓', 'Home', 'End'], 'move in the list; Enter shows'],
  [['\\'], 'tape or health'],
  [['Esc'], 'close what is open'],
  [['?'], 'this help'],
];
