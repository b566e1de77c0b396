import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import { usePage } from '../store/hooks.ts';
import type { Tape } from './tapeStore.ts';

/** The tape of an index, kept coming while the component is there. */
export function useTape(id: string): Tape {
  const { tape } = usePage();
  useEffect(() => tape.hold(id), [tape, id]);
  const loading = useMemo((): Tape => ({ kind: 'loading', index: id }), [id]);
  const subscribe = useCallback((listener: () => void) => tape.tapes.subscribe(id, listener), [tape, id]);
  return useSyncExternalStore(subscribe, () => tape.tapes.get(id) ?? loading);
}
