/** The tape as data: newest first, corrections and removals kept visible, bounded. */
import type { TicksEvent, TickView } from '../../shared/channels.ts';
import { SECOND } from '../../shared/time.ts';

export const TAPE_LIMIT = 200;

export interface TapeRow {
  readonly tick: TickView;
  /** `late`: written after a newer event was; `corrected`: same event, other values; `removed`: its row is gone. */
  readonly mark: 'late' | 'corrected' | 'removed' | null;
  /** Price before a correction. */
  readonly was: string | null;
}

type Identity = Pick<TickView, 'eventMicros' | 'sequence'>;

/** Newest first: by event time, then by sequence. */
function newestFirst(a: Identity, b: Identity): number {
  const [x, y] = [BigInt(a.eventMicros), BigInt(b.eventMicros)];
  return x === y ? b.sequence - a.sequence : x > y ? -1 : 1;
}

export const identityOf = ({ eventMicros, sequence }: Identity): string => `${eventMicros} ${sequence}`;

/** Between two polls several ticks may come, and the newest is read first: arriving after it says nothing, being written after it does. */
const LATE_UNWRITTEN = 10n * SECOND;

function cameLate(tick: TickView, newest: TickView): boolean {
  if (newestFirst(tick, newest) <= 0) return false;
  if (tick.ingestMicros !== null && newest.ingestMicros !== null) return BigInt(tick.ingestMicros) > BigInt(newest.ingestMicros);
  return BigInt(newest.eventMicros) - BigInt(tick.eventMicros) > LATE_UNWRITTEN; // nobody says when it was written
}

export const startTape = (ticks: readonly TickView[]): readonly TapeRow[] =>
  ticks.slice(0, TAPE_LIMIT).toSorted(newestFirst).map((tick) => ({ tick, mark: null, was: null }));

/** Rows after an event of the watched index. */
export function applyTicks(rows: readonly TapeRow[], event: Pick<TicksEvent, 'ticks' | 'removed' | 'backfill'>): readonly TapeRow[] {
  const byIdentity = new Map(rows.map((row) => [identityOf(row.tick), row]));
  const newest = rows[0]?.tick;
  for (const tick of event.ticks) {
    const key = identityOf(tick);
    const known = byIdentity.get(key);
    if (known && known.mark !== 'removed' && known.tick.price === tick.price) continue;
    if (known) byIdentity.set(key, { tick, mark: 'corrected', was: known.tick.price });
    else {
      const late = !event.backfill && newest !== undefined && cameLate(tick, newest);
      byIdentity.set(key, { tick, mark: late ? 'late' : null, was: null });
    }
  }
  for (const identity of event.removed) {
    const known = byIdentity.get(identityOf(identity));
    if (known) byIdentity.set(identityOf(identity), { ...known, mark: 'removed' });
  }
  return [...byIdentity.values()].toSorted((a, b) => newestFirst(a.tick, b.tick)).slice(0, TAPE_LIMIT);
}
