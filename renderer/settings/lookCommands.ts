/** Everything about the look, as commands. */
import type { Command } from '../commands/commands.ts';
import type { Theme } from '../shell/view.ts';
import { THEMES } from '../shell/view.ts';
import type { Cell } from '../store/cell.ts';
import { CONTRASTS, type Contrast, DEFAULT_LOOK, HOURS, type Hours, type Look, type Motion, MOTIONS, type Palette, PALETTES, TEXT_SIZES } from './look.ts';

export const THEME_NAMES: Readonly<Record<Theme, string>> = { system: 'As the system', light: 'Light', dark: 'Dark' };
export const CONTRAST_NAMES: Readonly<Record<Contrast, string>> = { system: 'As the system', standard: 'Standard', high: 'High (7:1)' };
export const PALETTE_NAMES: Readonly<Record<Palette, string>> = {
  'teal-orange': 'Teal up, orange down', 'blue-orange': 'Blue up, orange down', 'green-magenta': 'Green up, magenta down', 'green-red': 'Green up, red down', 'red-green': 'Red up, green down (East Asia)',
};
export const MOTION_NAMES: Readonly<Record<Motion, string>> = { system: 'As the system', reduced: 'None', full: 'Flashes and transitions' };
export const HOURS_NAMES: Readonly<Record<Hours, string>> = { 24: '24 hours', 12: '12 hours', locale: 'As the locale' };

interface Parts {
  readonly look: Cell<Look>;
  readonly settings: Cell<boolean>;
  readonly theme: Cell<Theme>;
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

export function lookCommands({ look, settings, theme }: Parts): readonly Command[] {
  const command = (id: string, title: string, run: () => void, words: string, keys: readonly string[] = []): Command => ({ id: `look.${id}`, title, group: 'Look', keys, words, run });
  const change = (next: Partial<Look>) => () => look.set({ ...look.get(), ...next });
  const resize = (by: -1 | 1) => () => {
    const text = TEXT_SIZES[TEXT_SIZES.indexOf(look.get().text) + by];
    if (text !== undefined) look.set({ ...look.get(), text });
  };
  return [
    command('settings', 'Settings', () => settings.set(!settings.get()), 'preferences options look theme colours locale calendar holidays trading dates', ['Mod+,']),
    ...THEMES.map((name) => command(`theme.${name}`, `Colours: ${lower(THEME_NAMES[name])}`, () => theme.set(name), 'theme dark light mode')),
    ...CONTRASTS.map((contrast) => command(`contrast.${contrast}`, `Contrast: ${lower(CONTRAST_NAMES[contrast])}`, change({ contrast }), 'theme accessibility')),
    ...PALETTES.map((palette) => command(`palette.${palette}`, PALETTE_NAMES[palette], change({ palette }), 'palette colour blind colours')),
    command('larger', 'Larger text', resize(1), 'zoom size bigger', ['Mod+Alt++']),
    command('smaller', 'Smaller text', resize(-1), 'zoom size', ['Mod+Alt+-']),
    command('size', 'Text of the usual size', change({ text: DEFAULT_LOOK.text }), 'zoom reset', ['Mod+Alt+0']),
    ...MOTIONS.map((motion) => command(`motion.${motion}`, `Motion: ${lower(MOTION_NAMES[motion])}`, change({ motion }), 'reduced flash animation')),
    ...HOURS.map((hours) => command(`hours.${hours}`, `Clocks: ${lower(HOURS_NAMES[hours])}`, change({ hours }), 'time am pm')),
  ];
}
