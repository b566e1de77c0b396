import type { Theme } from '../shell/view.ts';

/** Light and dark are the style sheet's `light-dark()`; the attribute overrides the system's choice. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export const isDark = (theme: Theme, systemDark: boolean): boolean => (theme === 'system' ? systemDark : theme === 'dark');
