import { useCell, usePage } from '../store/hooks.ts';
import type { Tape } from './tapeStore.ts';

/** The tape where it is of this index, else loading. */
export function useTape(id: string): Tape {
  const tape = useCell(usePage().tape.tape);
  return tape.index === id ? tape : { kind: 'loading', index: id };
}
