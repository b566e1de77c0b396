/** Which ticks of a file must be written, and in which rows: as a multiset, of equal prints at one instant only those beyond what is there. */
import { failed, ok, type Problem, problem, type Result } from '../../../shared/result.ts';
import type { Tick } from '../../../shared/quote.ts';
import { tickKey, ticksBetween } from '../../../shared/rowKey.ts';
import { decodeTick } from '../../bigtable/decode.ts';
import type { Family, WriteRow } from '../../bigtable/reader.ts';
import { SLOT_SIZE } from '../live/slot.ts';
import type { TickRow } from './row.ts';
import { eachRow, type Prepared } from './storedPages.ts';
import type { WriteRows } from './writeRows.ts';

/** What makes two prints of one source and instant the same. */
const print = (tick: Pick<Tick, 'price' | 'bid' | 'ask' | 'volume'> & { readonly nanos: number | null }): string => [tick.price, tick.bid, tick.ask, tick.volume, tick.nanos ?? 0].join(' ');

/** What the table holds at one instant, by sequence. */
interface Instant {
  readonly own: Map<number, { readonly print: string; readonly family: Tick['family'] }>;
  readonly others: Set<number>;
}

/** `ticks`: of one index, by time, all that the file has of their instants. */
export async function tickWrites(job: WriteRows, ticks: readonly TickRow[]): Promise<Result<Prepared>> {
  const [first, last] = [ticks[0], ticks.at(-1)];
  if (!first || !last) return ok({ rows: [], corrected: 0, newest: 0n });
  const instants = new Set<bigint>();
  for (const { time } of ticks) instants.add(time);
  const stored = new Map<bigint, Instant>();
  let unreadable: Problem | null = null;
  const read = await eachRow(job, ticksBetween(first.index, first.time, last.time), ['q', 'h'], (row) => {
    const tick = decodeTick(row);
    if (!tick.ok) {
      unreadable ??= tick.error;
      return;
    }
    const { time, sequence, source, family } = tick.value;
    if (!instants.has(time)) return;
    let instant = stored.get(time);
    if (!instant) stored.set(time, (instant = { own: new Map(), others: new Set() }));
    if (source === job.source) instant.own.set(sequence, { print: print(tick.value), family });
    else instant.others.add(sequence);
  });
  if (read ?? unreadable) return failed(read ?? unreadable ?? problem('BAD_DATA', 'a row that can not be read', 'delete it'));
  const rows: WriteRow[] = [];
  const write = tickWriter(job);
  for (let at = 0; at < ticks.length;) {
    const { time, index, line } = ticks[at] ?? first;
    let end = at + 1;
    while (ticks[end]?.time === time) end += 1;
    const instant = stored.get(time);
    // imports allocate in slot 0; what a live writer of this source wrote keeps its sequence
    const overflow = (sequence: number): boolean => sequence >= SLOT_SIZE && instant?.own.has(sequence) !== true;
    if (instant === undefined && !overflow(end - at - 1)) for (let i = at; i < end; i += 1) rows.push(write(ticks[i] ?? first, i - at));
    else {
      for (const { tick, sequence } of missing(ticks.slice(at, end), instant ?? NOTHING, job.keep)) {
        if (overflow(sequence)) return failed(problem('BAD_INPUT', `${index}: more than ${SLOT_SIZE} ticks at one microsecond (line ${line})`, 'check the time column of the file'));
        rows.push(write(tick, sequence));
      }
    }
    at = end;
  }
  return ok({ rows, corrected: 0, newest: 0n });
}

const NOTHING: Instant = { own: new Map(), others: new Set() };

/**
 * The ticks of one instant that must be written, with their sequences. A tick's place is the one that it gets where its source has
 * nothing there yet; whoever is missing after a cut import goes back to its place, so that the rows are those of an import at once.
 */
function missing(ticks: readonly TickRow[], { own, others }: Instant, keep: boolean): { readonly tick: TickRow; readonly sequence: number }[] {
  const found: { tick: TickRow; sequence: number }[] = [];
  const left = new Map(own);
  const match = (tick: TickRow, sequence: number): void => {
    // one under retention is written once more to be kept
    if (keep && left.get(sequence)?.family === 'q') found.push({ tick, sequence });
    left.delete(sequence);
  };
  const places = placesOf(ticks.length, others);
  const moved: { tick: TickRow; place: number }[] = [];
  for (const [i, tick] of ticks.entries()) {
    const place = places[i] ?? i;
    if (left.get(place)?.print === print(tick)) match(tick, place);
    else moved.push({ tick, place });
  }
  const fresh: typeof moved = [];
  for (const one of moved) {
    const same = [...left].find(([, { print: text }]) => text === print(one.tick));
    if (same) match(one.tick, same[0]);
    else fresh.push(one);
  }
  const taken = new Set([...others, ...own.keys()]);
  let free = 0;
  for (const { tick, place } of fresh) {
    while (taken.has(free)) free += 1;
    const sequence = taken.has(place) ? free : place;
    taken.add(sequence);
    found.push({ tick, sequence });
  }
  return found;
}

/** The first `count` sequences that no other source has. */
function placesOf(count: number, others: ReadonlySet<number>): number[] {
  const places: number[] = [];
  for (let sequence = 0; places.length < count; sequence += 1) if (!others.has(sequence)) places.push(sequence);
  return places;
}

/** Makes rows of ticks that are handled now. */
function tickWriter(job: WriteRows): (tick: TickRow, sequence: number) => WriteRow {
  const family: Family = job.keep ? 'h' : 'q';
  const handled = { family, qualifier: 'i', value: job.now().toString() } as const;
  const source = { family, qualifier: 's', value: job.source } as const;
  return (tick, sequence) => {
    const cells: WriteRow['cells'][number][] = [{ family, qualifier: 'p', value: tick.price }, handled, source];
    if (tick.volume !== null) cells.push({ family, qualifier: 'v', value: tick.volume });
    if (tick.bid !== null) cells.push({ family, qualifier: 'b', value: tick.bid });
    if (tick.ask !== null) cells.push({ family, qualifier: 'a', value: tick.ask });
    if (tick.nanos !== 0) cells.push({ family, qualifier: 'n', value: String(tick.nanos) });
    return { key: tickKey(tick.index, tick.time, sequence), cells };
  };
}
