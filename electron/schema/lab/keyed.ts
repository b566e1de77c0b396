/** Candidates of one row per event whose keys put an index's events side by side in one lane, or in a few: they differ in what stands before the time. */
import { columnsFound, columnsOf, gather, type LabLayout, type LabStore, type RowWrite } from './layout.ts';
import type { LabRow } from './labStore.ts';
import { type Ask, type Found, newestFirst } from './questions.ts';
import { after, type Direction, readTail, tailOf, timeText } from './timeKey.ts';
import type { LabEvent, Series, Workload } from './workload.ts';

/** A run of keys that holds events of one series alone, in the order of time. */
export interface Lane {
  readonly table: string;
  readonly prefix: string;
  /** Of its events; absent: any time. `to` is not in it. */
  readonly from?: bigint;
  readonly to?: bigint;
}

export interface KeyedShape extends Pick<LabLayout, 'name' | 'title' | 'keys' | 'idea' | 'tables'> {
  readonly direction: Direction;
  laneOf(event: Pick<LabEvent, 'series' | 'time' | 'sequence'>): Lane;
  /** All lanes of a series; by time, newest first, where `inTime`. */
  readonly lanes: (series: Series) => readonly Lane[];
  /** Each lane is newer than the next: the newest events are in the first that has any. */
  readonly inTime?: boolean;
}

export function keyedLayout(shape: KeyedShape, { shape: { bytes } }: Workload): LabLayout {
  const { direction, lanes } = shape;
  const found = (series: Series, row: LabRow): Found => ({ series: series.text, ...readTail(row.key, direction), ...columnsFound(row) });

  /** Of one lane, newest first: those of [from, to], the newest `count` of them. */
  async function lane(store: LabStore, series: Series, { table, prefix }: Lane, from: bigint | null, to: bigint | null, count: number): Promise<Found[]> {
    const [first, last] = direction === 'reverse' ? [to, from] : [from, to];
    const start = first === null ? prefix : prefix + timeText(first, direction);
    const end = last === null ? after(prefix) : `${prefix}${timeText(last, direction)}$`;
    const backwards = direction === 'forward' && count > 0;
    // without reverse scans, the newest of a forward lane are known only once all of it was read
    const limited = !backwards || store.reverseScans;
    const rows = await store.read({ table, start, end, ...(count > 0 && limited ? { limit: count } : {}), ...(backwards && store.reverseScans ? { reversed: true } : {}) });
    const events = rows.map((row) => found(series, row)).sort(newestFirst);
    return count > 0 ? events.slice(0, count) : events;
  }

  async function newest(store: LabStore, series: Series, to: bigint | null, count: number): Promise<Found[]> {
    const open = lanes(series).filter((each) => to === null || each.from === undefined || each.from <= to);
    if (shape.inTime !== true) return (await gather(open, (each) => lane(store, series, each, null, to, count))).slice(0, count);
    const events: Found[] = [];
    for (const each of open) {
      if (events.length >= count) break;
      events.push(...(await lane(store, series, each, null, to, count - events.length)));
    }
    return events;
  }

  const overlapping = (series: Series, from: bigint, to: bigint): readonly Lane[] => lanes(series).filter((each) => (each.from === undefined || each.from <= to) && (each.to === undefined || each.to > from));

  return {
    ...shape,
    rows(event): RowWrite[] {
      const { table, prefix } = shape.laneOf(event);
      return [{ table, key: prefix + tailOf(event.time, event.sequence, direction), cells: columnsOf(event, bytes) }];
    },
    answer(ask: Ask, store) {
      switch (ask.kind) {
        case 'latest': return newest(store, ask.series, null, ask.count);
        case 'asOf': return newest(store, ask.series, ask.time, 1);
        case 'between': return gather(overlapping(ask.series, ask.from, ask.to), (each) => lane(store, ask.series, each, ask.from, ask.to, 0));
        case 'window': return gather(ask.series.flatMap((series) => overlapping(series, ask.from, ask.to).map((each) => ({ series, each }))), ({ series, each }) => lane(store, series, each, ask.from, ask.to, 0));
      }
    },
  };
}
