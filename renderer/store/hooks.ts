/** Hooks on the page's stores: each wakes its component only for the value it selects. */
import { createContext, use, useCallback, useSyncExternalStore } from 'react';
import type { IndexView, QuoteView } from '../../shared/channels.ts';
import type { PageHandles } from '../shell/openPage.ts';
import type { Cell } from './cell.ts';
import type { Pulse } from './pageDesk.ts';

export const PageContext = createContext<PageHandles | null>(null);

export function usePage(): PageHandles {
  const handles = use(PageContext);
  if (!handles) throw new Error('no PageContext above this component');
  return handles;
}

export const useCell = <T>(cell: Cell<T>): T => useSyncExternalStore(cell.subscribe, cell.get);

/** The quote as shown; undefined before the host's first word on it. */
export function useQuote(id: string): QuoteView | undefined {
  const { quotes } = usePage().desk;
  const subscribe = useCallback((listener: () => void) => quotes.subscribe(id, listener), [quotes, id]);
  return useSyncExternalStore(subscribe, () => quotes.get(id));
}

export function useInfo(id: string): IndexView | undefined {
  const { info } = usePage().desk;
  const subscribe = useCallback((listener: () => void) => info.subscribe(id, listener), [info, id]);
  return useSyncExternalStore(subscribe, () => info.get(id));
}

/** Text that time changes by itself: looked at four times a second, drawn again only where it reads differently. */
export function usePulse<T extends string | number | boolean>(select: (pulse: Pulse) => T): T {
  const { pulse } = usePage().desk;
  return useSyncExternalStore(pulse.subscribe, () => select(pulse.get()));
}
