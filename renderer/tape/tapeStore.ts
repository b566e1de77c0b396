/** Latest ticks of the chosen index: asked for once, then kept by the watched index's events. */
import { failed, problem, type Problem } from '../../shared/result.ts';
import { type Cell, createCell } from '../store/cell.ts';
import type { PageDesk } from '../store/pageDesk.ts';
import { applyTicks, startTape, type TapeRow } from './tapeRows.ts';

export type Tape =
  | { readonly kind: 'loading'; readonly index: string | null }
  | { readonly kind: 'failed'; readonly index: string; readonly problem: Problem }
  | { readonly kind: 'rows'; readonly index: string; readonly rows: readonly TapeRow[] };

export interface TapeStore {
  readonly tape: Cell<Tape>;
  /** Shows this index from now on; also tells the host to watch it. Asking again loads anew. */
  show(index: string): void;
  close(): void;
}

const FIRST = 60;
const RETRY_MS = 3000;

export function openTape(desk: PageDesk): TapeStore {
  const tape = createCell<Tape>({ kind: 'loading', index: null });
  let turn = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  // What arrived while the first rows were on their way is applied on top of them.
  let early: Parameters<typeof applyTicks>[1][] = [];
  let shown: string | null = null;

  const stop = desk.onTicks((event) => {
    if (event.index !== shown) return;
    const now = tape.get();
    if (now.kind === 'rows') tape.set({ ...now, rows: applyTicks(now.rows, event) });
    else if (early.length < 1000) early.push(event);
  });

  async function load(index: string, own: number): Promise<void> {
    const watched = await desk.request('watch', { indices: [index] });
    const result = watched.ok ? await desk.request('tape', { index, limit: FIRST }) : watched;
    if (own !== turn) return;
    if (result.ok && result.value !== null) {
      const rows = early.reduce((old, event) => applyTicks(old, { ...event, backfill: true }), startTape(result.value));
      early = [];
      tape.set({ kind: 'rows', index, rows });
      return;
    }
    const { error } = result.ok ? failed(problem('INTERNAL', 'no ticks in the answer', 'reload the page', true)) : result;
    tape.set({ kind: 'failed', index, problem: error });
    if (error.retryable) retry = setTimeout(() => void load(index, own), RETRY_MS);
  }

  return {
    tape,
    show(index) {
      turn += 1;
      clearTimeout(retry);
      early = [];
      if (shown !== index) tape.set({ kind: 'loading', index });
      shown = index;
      void load(index, turn);
    },
    close() {
      turn += 1;
      clearTimeout(retry);
      stop();
    },
  };
}
