/** RE2's syntax, read as a tree over bytes. The pattern is one character per byte (Latin-1): `é` in UTF-8 is two of them. */
export type Assertion = 'start' | 'end' | 'lineStart' | 'lineEnd' | 'word' | 'notWord';
export type Node =
  | { readonly kind: 'bytes'; readonly set: Uint8Array }
  | { readonly kind: 'assert'; readonly what: Assertion }
  | { readonly kind: 'all' | 'any'; readonly parts: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly least: number; readonly most: number };

interface Flags { readonly i: boolean; readonly m: boolean; readonly s: boolean }

const MAX_REPEAT = 1000; // as RE2
const MAX_DEPTH = 200;
const CLASSES: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z', alpha: 'A-Za-z', ascii: '\x00-\x7f', blank: '\t ', cntrl: '\x00-\x1f\x7f', digit: '0-9', graph: '!-~', lower: 'a-z',
  print: ' -~', punct: '!-/:-@[-`{-~', space: '\t\n\v\f\r ', upper: 'A-Z', word: '0-9A-Za-z_', xdigit: '0-9A-Fa-f',
};
const PERL: Readonly<Record<string, string>> = { d: '0-9', s: '\t\n\f\r ', w: '0-9A-Za-z_' };
const CONTROLS: Readonly<Record<string, number>> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };
const ASSERTIONS: Readonly<Record<string, Assertion>> = { A: 'start', z: 'end', b: 'word', B: 'notWord' };

/** Throws SyntaxError. */
export function parseByteRegex(pattern: string): Node {
  let at = 0;
  let depth = 0;
  let flags: Flags = { i: false, m: false, s: false };
  const refuse = (why: string): never => {
    throw new SyntaxError(`invalid regular expression at byte ${at}: ${why}`);
  };

  const alternatives = (): Node => {
    if (++depth > MAX_DEPTH) refuse('nested too deeply');
    const parts = [sequence()];
    while (pattern[at] === '|') {
      at++;
      parts.push(sequence());
    }
    depth--;
    return parts.length === 1 ? (parts[0] as Node) : { kind: 'any', parts };
  };

  const sequence = (): Node => {
    const parts: Node[] = [];
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') {
      if (pattern.startsWith('\\Q', at)) {
        const end = pattern.indexOf('\\E', at);
        for (const char of pattern.slice(at + 2, end < 0 ? undefined : end)) parts.push(bytes(single(char.charCodeAt(0))));
        at = end < 0 ? pattern.length : end + 2;
        continue;
      }
      parts.push(repeated(atom()));
    }
    return { kind: 'all', parts };
  };

  const repeated = (part: Node): Node => {
    const range = /^(?:[*+?]|\{(\d{1,5})(,(\d{0,5}))?\})/.exec(pattern.slice(at, at + 16));
    if (!range) return part;
    const [text, least, comma, most] = range;
    at += text.length;
    if (pattern[at] === '?') at++; // lazy: the same set of matches
    if (/^[*+?]/.test(pattern.slice(at, at + 1))) refuse('a repetition of a repetition');
    if (text === '*') return { kind: 'repeat', part, least: 0, most: Infinity };
    if (text === '+') return { kind: 'repeat', part, least: 1, most: Infinity };
    if (text === '?') return { kind: 'repeat', part, least: 0, most: 1 };
    const from = Number(least);
    const to = comma === undefined ? from : most === '' || most === undefined ? Infinity : Number(most);
    if (from > MAX_REPEAT || (to !== Infinity && to > MAX_REPEAT) || from > to) refuse(`bad repetition ${text}`);
    return { kind: 'repeat', part, least: from, most: to };
  };

  const atom = (): Node => {
    const char = pattern[at++];
    switch (char) {
      case '(': return group();
      case '[': return bytes(charClass());
      case '.': return bytes(flags.s ? filled(() => true) : filled((byte) => byte !== 10));
      case '^': return { kind: 'assert', what: flags.m ? 'lineStart' : 'start' };
      case '$': return { kind: 'assert', what: flags.m ? 'lineEnd' : 'end' };
      case '*': case '+': case '?': return refuse(`nothing to repeat before ${char}`);
      case '\\': return escape();
      case undefined: return refuse('unexpected end');
      default: return bytes(folded(single(char.charCodeAt(0))));
    }
  };

  const group = (): Node => {
    const outer = flags;
    if (pattern[at] === '?') {
      const named = /^\?P?<\w+>/.exec(pattern.slice(at, at + 80));
      const set = /^\?([imsU]*)(?:-([imsU]+))?([:)])/.exec(pattern.slice(at, at + 20));
      if (named) at += named[0].length;
      else if (set) {
        const [text, on = '', off = '', end] = set;
        at += text.length;
        const flag = (name: keyof Flags): boolean => (flags[name] || on.includes(name)) && !off.includes(name);
        flags = { i: flag('i'), m: flag('m'), s: flag('s') };
        if (end === ')') return { kind: 'all', parts: [] }; // until the end of the group around it
      } else refuse('this kind of group is not in RE2');
    }
    const inside = alternatives();
    if (pattern[at] !== ')') refuse('missing )');
    at++;
    flags = outer;
    return inside;
  };

  const escape = (): Node => {
    const char = pattern[at];
    const what = ASSERTIONS[char ?? ''];
    if (what) {
      at++;
      return { kind: 'assert', what };
    }
    if (char === 'C') {
      at++;
      return bytes(filled(() => true));
    }
    return bytes(perlClass() ?? folded(single(escapedByte())));
  };

  /** \d \D \s \S \w \W, or null with nothing read. */
  const perlClass = (): Uint8Array | null => {
    const char = pattern[at] ?? '';
    const listed = PERL[char.toLowerCase()];
    if (listed === undefined) return null;
    at++;
    const set = setOf(listed);
    return char === char.toLowerCase() ? set : complement(set);
  };

  const escapedByte = (): number => {
    const rest = pattern.slice(at, at + 12);
    const hex = /^x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,8})\})/.exec(rest);
    const octal = /^(?:[1-7][0-7]{1,2}|0[0-7]{0,2})/.exec(rest);
    const char = rest[0] ?? refuse('unexpected end after \\');
    let byte: number;
    if (hex) byte = Number.parseInt(hex[1] ?? hex[2] ?? '', 16);
    else if (octal) byte = Number.parseInt(octal[0], 8);
    else if (CONTROLS[char] !== undefined) byte = CONTROLS[char] ?? 0;
    else if (/[0-9A-Za-z]/.test(char)) return refuse(`\\${char} is not in RE2`);
    else byte = char.charCodeAt(0);
    if (byte > 255) refuse('not a byte');
    at += hex?.[0].length ?? octal?.[0].length ?? 1;
    return byte;
  };

  const charClass = (): Uint8Array => {
    const negated = pattern[at] === '^';
    if (negated) at++;
    const set = new Uint8Array(256);
    const add = (more: Uint8Array): void => more.forEach((is, byte) => void (set[byte] = (set[byte] ?? 0) | is));
    for (let first = true; first || pattern[at] !== ']'; first = false) {
      if (at >= pattern.length) refuse('missing ]');
      const posix = /^\[:(\^?)(\w+):\]/.exec(pattern.slice(at, at + 16));
      if (posix) {
        const listed = CLASSES[posix[2] ?? ''] ?? refuse(`unknown class ${posix[0]}`);
        at += posix[0].length;
        add(posix[1] ? complement(setOf(listed)) : setOf(listed));
        continue;
      }
      if (pattern[at] === '\\') {
        at++;
        const perl = perlClass();
        if (perl) {
          add(perl);
          continue;
        }
        at--;
      }
      const from = classByte();
      let to = from;
      if (pattern[at] === '-' && pattern[at + 1] !== ']' && at + 1 < pattern.length) {
        at++;
        to = classByte();
      }
      if (to < from) refuse('a range that runs backwards');
      add(filled((byte) => byte >= from && byte <= to));
    }
    at++;
    const cased = folded(set);
    return negated ? complement(cased) : cased;
  };

  const classByte = (): number => {
    const char = pattern[at++] ?? refuse('missing ]');
    return char === '\\' ? escapedByte() : char.charCodeAt(0);
  };

  const folded = (set: Uint8Array): Uint8Array => (flags.i ? filled((byte) => set[byte] === 1 || set[otherCase(byte)] === 1) : set);

  const tree = alternatives();
  if (at < pattern.length) refuse('unexpected )');
  return tree;
}

const bytes = (set: Uint8Array): Node => ({ kind: 'bytes', set });
const filled = (holds: (byte: number) => boolean): Uint8Array => Uint8Array.from({ length: 256 }, (_, byte) => (holds(byte) ? 1 : 0));
const single = (byte: number): Uint8Array => filled((other) => other === byte);
const complement = (set: Uint8Array): Uint8Array => filled((byte) => set[byte] !== 1);

function otherCase(byte: number): number {
  if (byte >= 65 && byte <= 90) return byte + 32;
  return byte >= 97 && byte <= 122 ? byte - 32 : byte;
}

/** 'a-z_' as a set; a '-' that is meant comes first in none of our lists. */
function setOf(listed: string): Uint8Array {
  const set = new Uint8Array(256);
  for (let i = 0; i < listed.length; i++) {
    const from = listed.charCodeAt(i);
    const ranged = listed[i + 1] === '-' && i + 2 < listed.length;
    const to = ranged ? listed.charCodeAt(i + 2) : from;
    set.fill(1, from, to + 1);
    if (ranged) i += 2;
  }
  return set;
}
