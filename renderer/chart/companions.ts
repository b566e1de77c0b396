/** The other indices of a comparison: each one's points over the view's span, read again as it moves, with its newest price on top. */
import type { HistoryAnswer, HistoryRequest, QuoteView } from '../../shared/channels.ts';
import type { Result } from '../../shared/result.ts';
import { createPoints, type Points } from './points.ts';

export interface CompanionSource {
  readonly load: (request: HistoryRequest) => Promise<Result<HistoryAnswer>>;
  readonly quote: (id: string) => QuoteView | undefined;
}

export interface Companion {
  readonly id: string;
  readonly points: Points;
  /** What went wrong, in words. */
  readonly problem: string | null;
}

export interface Companions {
  /** Milliseconds. Reads what is not at hand. */
  show(from: number, to: number, pixels: number): void;
  /** Takes the newest prices. True where something changed. */
  take(): boolean;
  all(): readonly Companion[];
  close(): void;
}

const micros = (millis: number): string => String(Math.floor(millis) * 1000);

/** `changed`: a reading came in. */
export function createCompanions(ids: readonly string[], source: CompanionSource, changed: () => void): Companions {
  const companions = ids.map((id) => ({ id, points: createPoints(), problem: null as string | null }));
  let asked: { readonly from: number; readonly to: number; readonly pixels: number } | null = null;
  let generation = 0;
  let closed = false;

  async function read(from: number, to: number, pixels: number): Promise<void> {
    const mine = ++generation;
    await Promise.all(companions.map(async (companion) => {
      companion.points.beginHistory(to * 1000, from * 1000);
      const answer = await source.load({ index: companion.id, fromMicros: micros(from), toMicros: micros(to), resolution: 'auto', pixels });
      if (closed || mine !== generation) return;
      if (answer.ok) companion.points.putHistory(answer.value);
      companion.problem = answer.ok ? null : answer.error.what;
      changed();
    }));
  }

  return {
    all: () => companions,
    show(from, to, pixels) {
      const length = to - from;
      if (asked && from >= asked.from && to <= asked.to && (asked.to - asked.from) / asked.pixels <= (length / pixels) * 1.6) return;
      const [first, last] = [from - length / 2, to + length / 2];
      asked = { from: first, to: last, pixels: Math.min(4000, pixels * 2) };
      read(first, last, asked.pixels).catch((error: unknown) => {
        for (const companion of companions) companion.problem = String(error);
      });
    },
    take() {
      let any = false;
      for (const { id, points } of companions) {
        const quote = source.quote(id);
        if (quote?.price && quote.eventMicros) any = points.putTick({ eventMicros: quote.eventMicros, sequence: quote.sequence ?? 0, price: quote.price }) || any;
      }
      return any;
    },
    close() {
      closed = true;
    },
  };
}
