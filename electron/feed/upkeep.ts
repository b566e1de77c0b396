/** What is refreshed beside the prices: the list of indices, and the daily bars that changes are measured from. */
import type { Clock } from '../../shared/clock.ts';
import type { IndexInfo } from '../../shared/quote.ts';
import { phaseAt } from '../../shared/sessions.ts';
import type { EpochMicros } from '../../shared/time.ts';
import type { Reader } from '../bigtable/reader.ts';
import { readDailyBars } from './bases.ts';
import type { Entry } from './entry.ts';
import { noteUndecodable } from './track.ts';

/** Daily bars are read again this often, at a session change at once. */
const BARS_MS = 300_000;
const RETRY_MS = 5_000;

export interface BarsUpkeep {
  /** Reads what is due, one run at a time. Never rejects. */
  run(entries: Iterable<Entry>, signal: AbortSignal): void;
}

export function createBarsUpkeep(reader: Reader, clock: Clock, deadlineMs: number, onBars: (entry: Entry) => void, flush: () => void): BarsUpkeep {
  let running: AbortSignal | null = null;
  let retryAt = Number.NEGATIVE_INFINITY;

  async function read(entries: readonly Entry[], older: boolean, signal: AbortSignal): Promise<boolean> {
    if (entries.length === 0) return true;
    const [now, elapsed] = [clock.now(), clock.elapsed()];
    const answer = await readDailyBars(reader, entries.map((entry) => entry.info.id), now, deadlineMs, older, signal);
    if (signal.aborted) return false;
    const broken = Map.groupBy(answer.undecodable, ({ index }) => index);
    for (const entry of entries) {
      for (const { key } of broken.get(entry.info.id) ?? []) noteUndecodable(entry.track, key);
      const bars = answer.bars.get(entry.info.id);
      if (!bars || (answer.error !== null && bars.length === 0)) continue;
      // Without `older`, no bar in two weeks says nothing new about an index whose last one lies further back.
      if (older || bars.length > 0 || entry.bars === null) entry.bars = bars;
      entry.barsAt = elapsed;
      entry.barsSession = phaseAt(entry.info.mic, now, entry.info.delayMs).session;
      onBars(entry);
    }
    flush();
    return answer.error === null;
  }

  return {
    run(entries, signal) {
      const [now, elapsed] = [clock.now(), clock.elapsed()];
      if (running === signal || elapsed < retryAt) return;
      const fresh: Entry[] = [];
      const again: Entry[] = [];
      const sessionOf = sessionsAt(now);
      for (const entry of entries) {
        if (entry.bars === null || entry.barsSession !== sessionOf(entry.info)) fresh.push(entry);
        else if (elapsed - entry.barsAt >= BARS_MS) again.push(entry);
      }
      if (fresh.length === 0 && again.length === 0) return;
      running = signal;
      const both = async (): Promise<void> => {
        const done = (await read(fresh, true, signal)) && (await read(again, false, signal));
        if (!done) retryAt = clock.elapsed() + RETRY_MS;
        if (running === signal) running = null;
      };
      void both();
    },
  };
}

/** The session of an index at one instant, worked out once for neighbours that share exchange and delay: a desk asks for all of them each second. */
function sessionsAt(now: EpochMicros): (info: IndexInfo) => string | null {
  let last: { readonly mic: string | null; readonly delayMs: number; readonly session: string | null } | null = null;
  return ({ mic, delayMs }) => {
    if (last === null || last.mic !== mic || last.delayMs !== delayMs) last = { mic, delayMs, session: phaseAt(mic, now, delayMs).session };
    return last.session;
  };
}
