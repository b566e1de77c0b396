import { useSyncExternalStore } from 'react';
import { useCell, usePage } from '../store/hooks.ts';
import { isDark } from './applyTheme.ts';

const system = globalThis.matchMedia?.('(prefers-color-scheme: dark)');
const subscribe = (listener: () => void): (() => void) => {
  system?.addEventListener('change', listener);
  return () => system?.removeEventListener('change', listener);
};

/** Whether the page is dark now, by the user's choice or the system's. */
export function useDark(): boolean {
  const theme = useCell(usePage().view.theme);
  const systemDark = useSyncExternalStore(subscribe, () => system?.matches ?? false);
  return isDark(theme, systemDark);
}
