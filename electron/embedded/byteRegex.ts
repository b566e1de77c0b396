/**
 * RE2 patterns on bytes, matched against the whole input in linear time: a lazily built deterministic automaton. JavaScript's own
 * engine has another syntax and may take exponential time, which would stop the store's thread for everyone.
 */
import { type Assertion, type Node, parseByteRegex } from './byteRegexSyntax.ts';

/** Instructions: a set of bytes to step over, a fork, an assertion, or the end. */
type Step =
  | { readonly kind: 'bytes'; readonly set: Uint8Array; next: number }
  | { readonly kind: 'fork'; next: number; other: number }
  | { readonly kind: 'assert'; readonly what: Assertion; next: number }
  | { readonly kind: 'match' };

/** A state of the automaton: the instructions that wait for a byte, before looking at what follows. */
interface State {
  readonly waiting: readonly number[];
  readonly next: (State | undefined)[]; // by byte, and at 256 the end of the input
  readonly accepts: boolean; // of the state reached at the end
}

const END = 256;
const MAX_STEPS = 20_000;
const MAX_STATES = 2_000; // then the automaton is begun anew: memory stays bounded

/** Throws SyntaxError where the pattern is not RE2's. */
export function compileByteRegex(pattern: Uint8Array): (bytes: Uint8Array) => boolean {
  const steps: Step[] = [];
  emit(steps, parseByteRegex(Buffer.from(pattern).toString('latin1')));
  steps.push({ kind: 'match' });
  const automaton = createAutomaton(steps);
  return (bytes) => automaton(bytes);
}

function createAutomaton(steps: readonly Step[]): (bytes: Uint8Array) => boolean {
  let states = new Map<string, State>();
  const stateOf = (waiting: readonly number[], before: number, accepts: boolean): State => {
    // The byte before matters only to assertions that wait: word or not, newline or not, start.
    const kind = waiting.some((at) => steps[at]?.kind === 'assert') ? kindOf(before) : '';
    const id = `${kind}:${accepts ? 1 : 0}:${waiting.join()}`;
    let state = states.get(id);
    if (!state) {
      if (states.size >= MAX_STATES) states = new Map();
      states.set(id, (state = { waiting, next: [], accepts }));
    }
    return state;
  };
  const follow = (state: State, before: number, byte: number): State => {
    const now = closure(steps, state.waiting, (what) => holds(what, before, byte));
    const accepts = byte === END && now.some((at) => steps[at]?.kind === 'match');
    const stepped = byte === END ? [] : now.flatMap((at) => {
      const step = steps[at];
      return step?.kind === 'bytes' && step.set[byte] === 1 ? [step.next] : [];
    });
    return stateOf(closure(steps, stepped, null), byte, accepts);
  };
  const initial = (): State => stateOf(closure(steps, [0], null), -1, false);
  let start = initial();
  return (bytes) => {
    if (states.size >= MAX_STATES) {
      states = new Map();
      start = initial();
    }
    let state = start;
    let before = -1;
    for (let i = 0; i <= bytes.length; i++) {
      const byte = bytes[i] ?? END;
      state = state.next[byte] ??= follow(state, before, byte);
      if (state.waiting.length === 0) break; // nothing can match any more, or this was the end
      before = byte;
    }
    return state.accepts;
  };
}

/** All instructions that are reached without a byte. Without `holds` assertions stay in the set, to be decided at the next byte. */
function closure(steps: readonly Step[], from: readonly number[], asserts: ((what: Assertion) => boolean) | null): number[] {
  const seen = new Set<number>();
  const todo = [...from];
  for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const step = steps[at];
    if (step?.kind === 'fork') todo.push(step.next, step.other);
    else if (step?.kind === 'assert' && asserts?.(step.what)) todo.push(step.next);
  }
  return [...seen].filter((at) => steps[at]?.kind !== 'fork').sort((a, b) => a - b);
}

const isWord = (byte: number): boolean => (byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 90) || byte === 95 || (byte >= 97 && byte <= 122);
const kindOf = (byte: number): string => (byte === -1 ? 's' : byte === 10 ? 'n' : isWord(byte) ? 'w' : 'o');

function holds(what: Assertion, before: number, after: number): boolean {
  switch (what) {
    case 'start': return before === -1;
    case 'end': return after === END;
    case 'lineStart': return before === -1 || before === 10;
    case 'lineEnd': return after === END || after === 10;
    case 'word': return isWord(before) !== isWord(after);
    case 'notWord': return isWord(before) === isWord(after);
  }
}

/** Appends the instructions of `node`; they leave to the instruction after them. */
function emit(steps: Step[], node: Node): void {
  if (steps.length > MAX_STEPS) throw new SyntaxError('the pattern is too large');
  switch (node.kind) {
    case 'bytes': steps.push({ kind: 'bytes', set: node.set, next: steps.length + 1 }); return;
    case 'assert': steps.push({ kind: 'assert', what: node.what, next: steps.length + 1 }); return;
    case 'all': for (const part of node.parts) emit(steps, part); return;
    case 'any': {
      const leaving: { next: number }[] = [];
      for (const [index, part] of node.parts.entries()) {
        if (index === node.parts.length - 1) emit(steps, part);
        else {
          const fork = { kind: 'fork' as const, next: steps.length + 1, other: 0 };
          steps.push(fork);
          emit(steps, part);
          const leave = { kind: 'fork' as const, next: 0, other: 0 };
          steps.push(leave);
          leaving.push(leave);
          fork.other = steps.length;
        }
      }
      for (const leave of leaving) Object.assign(leave, { next: steps.length, other: steps.length });
      return;
    }
    case 'repeat': {
      for (let i = 0; i < node.least; i++) emit(steps, node.part);
      if (node.most === Infinity) {
        const fork = { kind: 'fork' as const, next: steps.length + 1, other: 0 };
        const at = steps.push(fork) - 1;
        emit(steps, node.part);
        steps.push({ kind: 'fork', next: at, other: at });
        fork.other = steps.length;
        return;
      }
      const forks: { other: number }[] = [];
      for (let i = node.least; i < node.most; i++) {
        const fork = { kind: 'fork' as const, next: steps.length + 1, other: 0 };
        steps.push(fork);
        forks.push(fork);
        emit(steps, node.part);
      }
      for (const fork of forks) fork.other = steps.length;
    }
  }
}
