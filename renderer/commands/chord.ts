/** A chord: the key with what is held, as text such as `Mod+K`, `Alt+ArrowUp` or `?`. `Mod` is Ctrl, on a Mac Command. */

export interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey?: boolean;
}

const HELD = ['Mod', 'Alt', 'Shift'] as const;
const NAMED = /^(?:F\d{1,2}|Arrow(?:Up|Down|Left|Right)|Home|End|Page(?:Up|Down)|Enter|Escape|Tab|Delete|Backspace|Insert|Space)$/;
const SHOWN: Readonly<Record<string, string>> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc', Delete: 'Del', Mod: 'Ctrl', PageUp: 'PgUp', PageDown: 'PgDn' };

/**
 * The chord of a key event, or null for one that no chord can have (a modifier alone, a dead key). A character says by itself whether Shift was
 * held (`?`), on every keyboard; only letters under Mod or Alt and named keys tell Shift apart.
 */
export function chordOf({ key, ctrlKey, metaKey, altKey, shiftKey = false }: Press): string | null {
  const name = key === ' ' ? 'Space' : key;
  const character = /^.$/u.test(name);
  if (!character && !NAMED.test(name)) return null;
  const mod = ctrlKey || metaKey;
  const letter = character && name.toLowerCase() !== name.toUpperCase();
  const shift = shiftKey && (!character || (letter && (mod || altKey)));
  const last = letter && (mod || altKey) ? name.toUpperCase() : name;
  return [mod ? 'Mod' : '', altKey ? 'Alt' : '', shift ? 'Shift' : '', last].filter((part) => part !== '').join('+');
}

/** The chord as chordOf writes it, or null where the text is none. */
export function parseChord(text: string): string | null {
  if (text.length > 40) return null;
  const parts = text === '+' ? ['+'] : text.endsWith('++') ? [...text.slice(0, -2).split('+'), '+'] : text.split('+');
  const key = parts.pop() ?? '';
  if (key === '' || parts.some((part) => !HELD.some((held) => held === part)) || new Set(parts).size < parts.length) return null;
  return chordOf({ key: key === 'Space' ? ' ' : key, ctrlKey: parts.includes('Mod'), metaKey: false, altKey: parts.includes('Alt'), shiftKey: parts.includes('Shift') });
}

/** A single letter or digit with nothing held is never a shortcut: typing an id anywhere begins a search. */
export const beginsId = (chord: string): boolean => /^[a-z^]$/i.test(chord);

/** For people: `Ctrl K`, `Alt ↑`; on a Mac `⌘ K`. */
export function showChord(chord: string, mac = false): string {
  const parts = chord.endsWith('++') ? [...chord.slice(0, -2).split('+'), '+'] : chord === '+' ? ['+'] : chord.split('+');
  return parts.map((part) => (mac && part === 'Mod' ? '⌘' : mac && part === 'Alt' ? '⌥' : (SHOWN[part] ?? part))).join(' ');
}
