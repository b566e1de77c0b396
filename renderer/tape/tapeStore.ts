/** Latest ticks of every index that is shown: asked for once, then kept by the watched index's events. */
import { failed, problem, type Problem } from '../../shared/result.ts';
import { createKeyed, type Keyed } from '../store/cell.ts';
import type { PageDesk } from '../store/pageDesk.ts';
import type { Watched } from '../store/watched.ts';
import { applyTicks, startTape, type TapeRow } from './tapeRows.ts';

export type Tape =
  | { readonly kind: 'loading'; readonly index: string }
  | { readonly kind: 'failed'; readonly index: string; readonly problem: Problem }
  | { readonly kind: 'rows'; readonly index: string; readonly rows: readonly TapeRow[] };

export interface TapeStore {
  /** Only of indices that are held. */
  readonly tapes: Keyed<Tape>;
  /** Keeps the tape of `index` and its ticks coming until the returned function is called. */
  hold(index: string): () => void;
  close(): void;
}

const FIRST = 60;
const RETRY_MS = 3000;

interface Held {
  readonly index: string;
  holders: number;
  /** Counts loads; only the answer of the latest counts. */
  turn: number;
  retry: ReturnType<typeof setTimeout> | undefined;
  /** What arrived while the first rows were on their way is applied on top of them. */
  early: Parameters<typeof applyTicks>[1][];
  release: () => void;
}

export function openTapes(desk: PageDesk, watched: Watched): TapeStore {
  const tapes = createKeyed<Tape>();
  const held = new Map<string, Held>();

  const stopTicks = desk.onTicks((event) => {
    const own = held.get(event.index);
    const now = tapes.get(event.index);
    if (own === undefined) return;
    if (now?.kind === 'rows') tapes.set(event.index, { ...now, rows: applyTicks(now.rows, event) });
    else if (own.early.length < 1000) own.early.push(event);
  });

  async function load(own: Held): Promise<void> {
    own.turn += 1;
    const { turn, index } = own;
    clearTimeout(own.retry);
    own.early = [];
    const before = own.release;
    const { told, release } = watched.hold(index);
    own.release = release;
    before();
    const known = await told;
    const result = known.ok ? await desk.request('tape', { index, limit: FIRST }) : known;
    if (own.turn !== turn) return;
    if (result.ok && result.value !== null) {
      const rows = own.early.reduce((old, event) => applyTicks(old, { ...event, backfill: true }), startTape(result.value));
      own.early = [];
      tapes.set(index, { kind: 'rows', index, rows });
      return;
    }
    const { error } = result.ok ? failed(problem('INTERNAL', 'no ticks in the answer', 'reload the page', true)) : result;
    tapes.set(index, { kind: 'failed', index, problem: error });
    if (error.retryable) own.retry = setTimeout(() => void load(own), RETRY_MS);
  }

  const drop = (own: Held): void => {
    own.turn += 1;
    clearTimeout(own.retry);
    own.release();
    held.delete(own.index);
    tapes.delete(own.index);
  };
  // Ticks may have been missed between two snapshots of the host.
  const stopEpoch = desk.epoch.subscribe(() => {
    for (const own of held.values()) void load(own);
  });

  return {
    tapes,
    hold(index) {
      let own = held.get(index);
      if (own === undefined) {
        own = { index, holders: 0, turn: 0, retry: undefined, early: [], release: () => {} };
        held.set(index, own);
        void load(own);
      }
      own.holders += 1;
      const mine = own;
      let done = false;
      return () => {
        if (done) return;
        done = true;
        mine.holders -= 1;
        // The next index of the same pane is held a moment later: what is let go and held again in one turn stays.
        if (mine.holders === 0) queueMicrotask(() => {
          if (mine.holders === 0 && held.get(index) === mine) drop(mine);
        });
      };
    },
    close() {
      stopTicks();
      stopEpoch();
      for (const own of held.values()) drop(own);
    },
  };
}
