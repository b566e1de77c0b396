/**
 * How far the desk's clock is from the truth, told by what several indices bring: a price that has just come was handled at about now. Never
 * from one index, which may be stamped wrong; where they don't agree it is unknown, and corrects nothing.
 */
import type { Tick } from '../../shared/quote.ts';
import type { IndexId } from '../../shared/rowKey.ts';
import type { EpochMicros } from '../../shared/time.ts';

const INDICES_NEEDED = 3;
const SAMPLES_NEEDED = 3;
const SAMPLES_KEPT = 8;
const SAMPLE_EVERY_MS = 1_000;
/** A clock that is known is only watched. */
const SAMPLE_KNOWN_EVERY_MS = 10_000;
const SAMPLE_LIFE_MS = 600_000;
/** Share of the sampled indices that must agree. */
const MAJORITY = 2 / 3;
/** Besides a poll: writing, the store, reading. */
const TRAVEL_MS = 1_000;
/** An estimate that moves less than this stays as it was. */
const MOVED_MS = 500;

export interface Skew {
  /** Whether the next tick of this index would tell anything yet. */
  wants(id: IndexId, elapsed: number): boolean;
  /** A tick that came since the last poll of its index. `now`: the desk's clock, uncorrected. */
  arrived(id: IndexId, tick: Pick<Tick, 'time' | 'ingest'>, delayMs: number, now: EpochMicros, elapsed: number): void;
  /** Desk clock less true time in milliseconds, 0 where no difference can be told from the way of a price; null: unknown. */
  estimate(elapsed: number): number | null;
  /** The clock stepped: unknown again. */
  forget(): null;
}

interface Sample {
  readonly at: number;
  /** At most by this much the desk is ahead: nothing is handled, and nothing happens, after it was read. */
  readonly atMost: number;
  /** The same tick's ingest time bounds it from the other side too; an event time does not, since its feed may be slow. */
  readonly handled: boolean;
}

export function createSkew(pollMs: number): Skew {
  const samples = new Map<IndexId, Sample[]>();
  const tolerance = pollMs + TRAVEL_MS;
  let last: number | null = null;
  let [news, guessedAt] = [false, Number.NEGATIVE_INFINITY];

  function wants(id: IndexId, elapsed: number): boolean {
    const newest = samples.get(id)?.at(-1);
    return !newest || elapsed - newest.at >= (last === null ? SAMPLE_EVERY_MS : SAMPLE_KNOWN_EVERY_MS);
  }

  return {
    wants,
    arrived(id, tick, delayMs, now, elapsed) {
      if (!wants(id, elapsed)) return;
      let kept = samples.get(id);
      if (!kept) samples.set(id, (kept = []));
      news = true;
      const [since, handled] = tick.ingest === null ? [tick.time + BigInt(Math.round(delayMs * 1000)), false] : [tick.ingest, true];
      kept.push({ at: elapsed, atMost: Number(now - since) / 1000, handled });
      if (kept.length > SAMPLES_KEPT) kept.shift();
    },
    estimate(elapsed) {
      if (!news && elapsed - guessedAt < SAMPLE_LIFE_MS / 10) return last;
      [news, guessedAt] = [false, elapsed];
      const bounds: Sample[] = [];
      for (const kept of samples.values()) {
        while (kept[0] && elapsed - kept[0].at > SAMPLE_LIFE_MS) kept.shift();
        const bound = kept.length < SAMPLES_NEEDED ? undefined : lowestOf(kept);
        if (bound) bounds.push(bound);
      }
      const found = guess(bounds, tolerance);
      if (found === null || last === null || Math.abs(found - last) > MOVED_MS) last = found;
      return last;
    },
    forget() {
      samples.clear();
      last = null;
      return null;
    },
  };
}

function lowestOf(kept: readonly Sample[]): Sample | undefined {
  let lowest = kept[0];
  for (const sample of kept) if (lowest !== undefined && sample.atMost < lowest.atMost) lowest = sample;
  return lowest;
}

/** `bounds`: one of each index; sorted here. */
function guess(bounds: Sample[], tolerance: number): number | null {
  bounds.sort((a, b) => a.atMost - b.atMost);
  const middle = bounds[bounds.length >> 1];
  if (!middle) return null;
  const agreeing = bounds.filter((bound) => Math.abs(bound.atMost - middle.atMost) <= tolerance);
  const lowest = agreeing[0]?.atMost ?? 0;
  if (agreeing.length < INDICES_NEEDED || agreeing.length < bounds.length * MAJORITY) return null;
  if (lowest >= -TRAVEL_MS && lowest <= tolerance) return 0;
  // Ahead: only if the writers' own clocks say so. By event times alone a slow feed would pass for a fast clock, and look live.
  if (lowest > 0 && agreeing.filter((bound) => bound.handled).length < INDICES_NEEDED) return null;
  return Math.round(lowest);
}
