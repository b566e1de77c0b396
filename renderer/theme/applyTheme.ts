/** The user's choices and the system's, laid on the root element where the style sheets read them. */
import type { Look } from '../settings/look.ts';
import type { Theme } from '../shell/view.ts';

/** Light and dark are the style sheet's `light-dark()`; the attribute overrides the system's choice. */
export const isDark = (theme: Theme, systemDark: boolean): boolean => (theme === 'system' ? systemDark : theme === 'dark');

const wantsContrast = globalThis.matchMedia?.('(prefers-contrast: more)');
const wantsStill = globalThis.matchMedia?.('(prefers-reduced-motion: reduce)');
// Kept here: every price that moves asks.
let systemStill = wantsStill?.matches ?? false;
wantsStill?.addEventListener('change', ({ matches }) => {
  systemStill = matches;
});
let chosenMotion: Look['motion'] = 'system';

export function applyLook(root: HTMLElement, theme: Theme, { contrast, palette, motion }: Pick<Look, 'contrast' | 'palette' | 'motion'>): void {
  const lay = (name: string, value: string | null): void => {
    if (value === null) delete root.dataset[name];
    else root.dataset[name] = value;
  };
  lay('theme', theme === 'system' ? null : theme);
  lay('contrast', contrast === 'high' || (contrast === 'system' && (wantsContrast?.matches ?? false)) ? 'high' : null);
  lay('palette', palette);
  chosenMotion = motion;
  lay('motion', motion === 'system' ? null : motion);
}

/** Whether nothing should move or flash now, by the user's choice or the system's. */
export const motionReduced = (): boolean => (chosenMotion === 'system' ? systemStill : chosenMotion === 'reduced');

/** Hears of the system's wish for more contrast. Returns the unsubscriber. */
export function onSystemContrast(listener: () => void): () => void {
  wantsContrast?.addEventListener('change', listener);
  return () => wantsContrast?.removeEventListener('change', listener);
}
