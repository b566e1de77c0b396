/** Everything the desk can do, by name: what each does, its keys, and what the user made of them. Palette, keys and help read the same list. */
import { failed, ok, problem, type Result } from '../../shared/result.ts';
import { type Cell, createCell } from '../store/cell.ts';
import { beginsId, chordOf, parseChord, type Press, showChord } from './chord.ts';

export interface Command {
  /** Stable, dotted: `range.1D`. Kept with the user's keys. */
  readonly id: string;
  readonly title: string;
  readonly group: string;
  /** Chords it has unless the user says otherwise; chord.ts tells how they are written. */
  readonly keys: readonly string[];
  /** Other words people may type for it. */
  readonly words?: string;
  /** Absent: always. Not listed and not run where false. */
  readonly enabled?: () => boolean;
  readonly run: () => void;
}

export interface Commands {
  readonly all: Cell<readonly Command[]>;
  /** Counts up with every change of keys, for whoever draws them. */
  readonly version: Cell<number>;
  /** Returns the function that takes them back. An id that is there is an error of the caller. */
  register(list: readonly Command[]): () => void;
  /** False where there is none of that id or it can't run now. */
  run(id: string): boolean;
  keysOf(id: string): readonly string[];
  /** Null gives the command its own keys back. Refused: a letter alone, or a chord that another command has. */
  bind(id: string, chords: readonly string[] | null): Result<null>;
  /** The user changed it. */
  changed(id: string): boolean;
  /** Runs what the event's keys mean; false where they mean nothing. */
  press(event: Press): boolean;
}

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>;
const KEPT = 'frontrow.keys';
const MOST = 500;

/** The user's keys as kept: `{"range.1D":["Mod+1"]}`. What can't be read is left out, its neighbours stay. */
export function parseKept(text: string | null): Map<string, readonly string[]> {
  const kept = new Map<string, readonly string[]>();
  if (text === null || text.length > 100_000) return kept;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return kept;
  }
  if (typeof value !== 'object' || value === null) return kept;
  for (const [id, chords] of Object.entries(value).slice(0, MOST)) {
    if (!/^[\w.-]{1,60}$/.test(id) || !Array.isArray(chords) || chords.length > 4) continue;
    const parsed = chords.map((chord) => (typeof chord === 'string' ? parseChord(chord) : null));
    if (parsed.every((chord) => chord !== null && !beginsId(chord))) kept.set(id, parsed.filter((chord) => chord !== null));
  }
  return kept;
}

export function createCommands(storage: Storage): Commands {
  const all = createCell<readonly Command[]>([]);
  const version = createCell(0);
  let text: string | null = null;
  try {
    text = storage.getItem(KEPT);
  } catch {
    text = null;
  }
  const kept = parseKept(text);
  let byChord: ReadonlyMap<string, readonly string[]> | null = null;

  const find = (id: string): Command | undefined => all.get().find((command) => command.id === id);
  const keysOf = (id: string): readonly string[] => kept.get(id) ?? find(id)?.keys ?? [];
  /** Ids of each chord; the user's own choice stands before a default. */
  const chords = (): ReadonlyMap<string, readonly string[]> => {
    if (byChord) return byChord;
    const made = new Map<string, string[]>();
    for (const { id } of all.get().toSorted((a, b) => Number(kept.has(b.id)) - Number(kept.has(a.id)))) {
      for (const chord of keysOf(id)) made.set(chord, [...(made.get(chord) ?? []), id]);
    }
    byChord = made;
    return made;
  };
  const moved = (): void => {
    byChord = null;
    version.set(version.get() + 1);
  };
  const can = (command: Command | undefined): command is Command => command !== undefined && (command.enabled?.() ?? true);

  return {
    all, version, keysOf,
    register(list) {
      const taken = new Set(all.get().map(({ id }) => id));
      const doubled = list.find(({ id }) => taken.has(id));
      if (doubled) throw new Error(`command ${doubled.id} is registered twice`);
      const added = new Set(list);
      all.set([...all.get(), ...list]);
      moved();
      return () => {
        all.set(all.get().filter((command) => !added.has(command)));
        moved();
      };
    },
    run(id) {
      const command = find(id);
      if (!can(command)) return false;
      command.run();
      return true;
    },
    changed: (id) => kept.has(id),
    bind(id, wanted) {
      const parsed = wanted?.map((chord) => ({ chord, is: parseChord(chord) })) ?? [];
      for (const { chord, is } of parsed) {
        if (is === null) return failed(problem('BAD_INPUT', `not a key: ${chord.slice(0, 40)}`, 'press a key with Ctrl or Alt held, or a function key'));
        if (beginsId(is)) return failed(problem('BAD_INPUT', `${is} alone begins the search for an index`, 'hold Ctrl or Alt with it'));
        const other = all.get().find((command) => command.id !== id && keysOf(command.id).includes(is));
        if (other) return failed(problem('BAD_INPUT', `${showChord(is)} is "${other.title}"`, 'choose another, or change that one first'));
      }
      if (wanted === null) kept.delete(id);
      else kept.set(id, parsed.flatMap(({ is }) => (is === null ? [] : [is])));
      try {
        storage.setItem(KEPT, JSON.stringify(Object.fromEntries(kept)));
      } catch {
        // quota or private browsing: the keys last as long as the page
      }
      moved();
      return ok(null);
    },
    press(event) {
      const chord = chordOf(event);
      const command = chord === null ? undefined : chords().get(chord)?.map(find).find(can);
      command?.run();
      return command !== undefined;
    },
  };
}
