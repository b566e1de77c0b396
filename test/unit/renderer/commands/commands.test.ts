import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { beginsId, chordOf, parseChord, showChord } from '../../../../renderer/commands/chord.ts';
import { type Command, createCommands, parseKept } from '../../../../renderer/commands/commands.ts';
import { findCommand } from '../../../../renderer/commands/findCommand.ts';

const press = (key: string, held: { ctrlKey?: boolean; metaKey?: boolean; altKey?: boolean; shiftKey?: boolean } = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held });

function memory(initial: Readonly<Record<string, string>> = {}) {
  const kept = new Map(Object.entries(initial));
  return { kept, getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) };
}

describe('chords', () => {
  test('a character says by itself what was held for it', () => {
    expect(chordOf(press('?', { shiftKey: true }))).toBe('?');
    expect(chordOf(press('k', { ctrlKey: true }))).toBe('Mod+K');
    expect(chordOf(press('k', { metaKey: true }))).toBe('Mod+K');
    expect(chordOf(press('K', { ctrlKey: true, shiftKey: true }))).toBe('Mod+Shift+K');
    expect(chordOf(press('ArrowUp', { altKey: true }))).toBe('Alt+ArrowUp');
    expect(chordOf(press(' '))).toBe('Space');
    for (const key of ['Shift', 'Control', 'Dead', 'Unidentified', 'Process']) expect(chordOf(press(key, { shiftKey: true }))).toBeNull();
  });

  test('parsing what was written gives the same chord', () =>
    fc.assert(fc.property(fc.constantFrom('a', 'Z', '1', '+', '?', 'Home', 'F5', 'Enter', ' ', 'ArrowLeft'), fc.boolean(), fc.boolean(), fc.boolean(), (key, ctrlKey, altKey, shiftKey) => {
      const chord = chordOf(press(key, { ctrlKey, altKey, shiftKey }));
      expect(chord).not.toBeNull();
      expect(parseChord(chord ?? '')).toBe(chord);
    })));

  test('nonsense is no chord', () => {
    for (const text of ['', 'Mod+', 'Mod+Mod+K', 'Hyper+K', 'Mod+KK', 'x'.repeat(50)]) expect(parseChord(text)).toBeNull();
    expect(['a', 'Q', '^', '1', 'Mod+A', '?'].map(beginsId)).toEqual([true, true, true, false, false, false]);
  });

  test('shown as people write them', () => {
    expect([showChord('Mod+K'), showChord('Mod+K', true), showChord('Alt+ArrowUp'), showChord('Mod++')]).toEqual(['Ctrl K', '⌘ K', 'Alt ↑', 'Ctrl +']);
  });
});

describe('commands', () => {
  const ran: string[] = [];
  const command = (id: string, keys: readonly string[], more: Partial<Command> = {}): Command => ({ id, title: `Do ${id}`, group: 'Test', keys, run: () => void ran.push(id), ...more });

  test('a key runs its command, a disabled one leaves the key to the next', () => {
    ran.length = 0;
    let on = false;
    const commands = createCommands(memory());
    commands.register([command('a', ['1'], { enabled: () => on }), command('b', ['1'])]);
    expect(commands.press(press('1'))).toBe(true);
    on = true;
    commands.press(press('1'));
    expect(ran).toEqual(['b', 'a']);
    expect(commands.press(press('2'))).toBe(false);
    on = false;
    expect(commands.run('a')).toBe(false);
    expect(commands.run('gone')).toBe(false);
  });

  test('changed keys last, and conflicts and letters are refused with the reason', () => {
    ran.length = 0;
    const storage = memory();
    const commands = createCommands(storage);
    commands.register([command('a', ['1']), command('b', ['2'])]);
    expect(commands.bind('a', ['2'])).toMatchObject({ ok: false, error: { what: '2 is "Do b"' } });
    expect(commands.bind('a', ['x'])).toMatchObject({ ok: false });
    expect(commands.bind('a', ['Mod+Q', 'F2'])).toMatchObject({ ok: true });
    expect(commands.press(press('1'))).toBe(false);
    const later = createCommands(storage);
    later.register([command('a', ['1']), command('b', ['2'])]);
    expect(later.keysOf('a')).toEqual(['Mod+Q', 'F2']);
    later.press(press('q', { ctrlKey: true }));
    expect(ran).toEqual(['a']);
    later.bind('a', null);
    expect(later.keysOf('a')).toEqual(['1']);
    expect(storage.kept.get('frontrow.keys')).toBe('{}');
  });

  test('unregistered commands are gone with their keys; a second of the same id is an error', () => {
    const commands = createCommands(memory());
    const away = commands.register([command('a', ['1'])]);
    expect(() => commands.register([command('a', [])])).toThrow('twice');
    away();
    expect(commands.press(press('1'))).toBe(false);
    expect(commands.all.get()).toEqual([]);
  });

  test('kept keys that can not be read cost only themselves', () => {
    for (const text of [null, '', 'null', '[]', '7', '{"a":7}', '{"a":["x"]}', '{"a":["1","2","3","4","5"]}', `{"${'x'.repeat(99)}":["1"]}`]) expect(parseKept(text).size).toBe(0);
    expect([...parseKept('{"a":["Mod+K"],"b":["no"],"c":[]}')]).toEqual([['a', ['Mod+K']], ['c', []]]);
    fc.assert(fc.property(fc.json(), (text) => { parseKept(text); }));
  });

  test('found by beginnings of words, titles first', () => {
    const list = [command('x', [], { title: 'Chart of 1D', words: 'range' }), command('y', [], { title: 'Next index' }), command('z', [], { title: 'Hidden chart', enabled: () => false })];
    expect(findCommand(list, 'ch 1').map(({ id }) => id)).toEqual(['x']);
    expect(findCommand(list, 'RANGE').map(({ id }) => id)).toEqual(['x']);
    expect(findCommand(list, '').map(({ id }) => id)).toEqual(['x', 'y']);
    expect(findCommand(list, 'zzz')).toEqual([]);
  });
});

test('what the title says comes before what other words say', () => {
  const named = (id: string, title: string): Command => ({ id, title, group: 'Page', words: 'dark light', keys: [], run: () => {} });
  expect(findCommand([named('a', 'Colours: as the system'), named('b', 'Colours: dark')], 'colours dark').map(({ id }) => id)).toEqual(['b', 'a']);
  for (const typed of ['Colours: dark', 'colours:dark', 'dark (colours)']) expect([typed, findCommand([named('b', 'Colours: dark')], typed).length]).toEqual([typed, 1]);
});
