/** What stands before the time in a key: the index, and around it a salt or fixed text. Pure. */
import type { NumberFormat } from '../bigtable/layout/foreignLayout.ts';
import type { LayoutFile } from '../bigtable/layout/foreignFile.ts';
import { formatOf } from './keyShapes.ts';

export interface Head {
  readonly before: readonly Part[];
  readonly after: readonly Part[];
  readonly salt: LayoutFile['salt'] | null;
  readonly evidence: readonly string[];
  readonly questions: readonly string[];
}
type Part = 'salt' | { readonly text: string };

const MAX_SALTS = 100;

/** `complete`: the sample met every beginning. */
export function headOf(heads: readonly string[], separator: string, complete: boolean): Head {
  const state = { evidence: [] as string[], questions: [] as string[], salt: null as LayoutFile['salt'] | null };
  const before: Part[] = [];
  const after: Part[] = [];
  let rest = [...heads];
  // From both ends inwards: a fixed text, a salt, at most one of each kind a side.
  for (const [side, parts] of [['first', before], ['last', after]] as const) {
    for (let round = 0; round < 2; round += 1) {
      const split = rest.map((head) => cutAt(head, separator, side));
      if (split.some((each) => each === null)) break;
      const tokens = split.map((each) => each?.token ?? '');
      const others = split.map((each) => each?.rest ?? '');
      const part = partOf(tokens, others, separator, state, complete);
      if (part === null || (part === 'salt' && [...before, ...after].includes('salt'))) break;
      if (side === 'first') parts.push(part);
      else parts.unshift(part);
      rest = others;
    }
  }
  return { before, after, ...state };
}

function cutAt(head: string, separator: string, side: 'first' | 'last'): { token: string; rest: string } | null {
  const at = side === 'first' ? head.indexOf(separator) : head.lastIndexOf(separator);
  if (at < 1 || at + separator.length >= head.length) return null;
  const [left, right] = [head.slice(0, at), head.slice(at + separator.length)];
  return side === 'first' ? { token: left, rest: right } : { token: right, rest: left };
}

function partOf(tokens: readonly string[], others: readonly string[], separator: string, state: { evidence: string[]; questions: string[]; salt: LayoutFile['salt'] | null }, complete: boolean): Part | null {
  const distinct = new Set(tokens);
  const ids = new Set(others);
  const format = saltFormat(tokens);
  const [one = ''] = tokens;
  if (distinct.size === 1) {
    // Numbers alone are a doubtful index: what is fixed may be the only one that was seen.
    if (format || ids.size === 1 || saltFormat(others)) {
      state.questions.push(`${JSON.stringify(one)} is in every key that was seen: ${format ? 'a salt, ' : ''}fixed text or a part of the index?`);
      return null;
    }
    state.evidence.push(`every key has ${JSON.stringify(one)} in the same place: taken as fixed text`);
    return { text: one };
  }
  if (!format) return null;
  const values = [...distinct].map((token) => Number(format.encoding === 'binary' ? token.charCodeAt(0) : Number.parseInt(token, format.encoding === 'hex' ? 16 : 10)));
  const count = Math.max(...values) + 1;
  if (count > MAX_SALTS) return null;
  const shared = [...ids].filter((id) => new Set(tokens.filter((_, at) => others[at] === id)).size > 1);
  if (shared.length === 0) {
    state.questions.push(`the keys have numbers 0 to ${count - 1} beside the index, and no index has two of them: a salt, or a part of the index?`);
    return null;
  }
  const holes = count - values.length;
  state.salt = { count: Math.max(2, complete && holes === 0 ? count : Math.min(MAX_SALTS, Math.max(count, 2 ** Math.ceil(Math.log2(count))))), encoding: format.encoding, width: format.width, ...(format.upper ? { case: 'upper' as const } : {}) };
  state.evidence.push(`${values.length} salts ${values.length > 1 ? `from 0 to ${count - 1}` : ''}, ${shared.length} of ${ids.size} indices under more than one of them${separator === '' ? '' : `, before ${JSON.stringify(separator)}`}; ${state.salt.count} are read${complete ? '' : ' (not every key was seen: raise salt.count if there are more)'}`);
  return 'salt';
}

function saltFormat(tokens: readonly string[]): NumberFormat | null {
  const format = formatOf(tokens, 1);
  if (format && format.width <= 3) return format;
  return tokens.every((token) => token.length === 1 && token.charCodeAt(0) < 32) ? { encoding: 'binary', width: 1, upper: false } : null;
}
