/** Candidates with many events in one row: an hour of an index, or all of it, a column each; or all of it as versions of one cell. */
import { HOUR } from '../../../shared/time.ts';
import { gather, type LabStore, type MakeLayout, packedOf, unpacked } from './layout.ts';
import type { LabRow } from './labStore.ts';
import { type Ask, type Found, newestFirst } from './questions.ts';
import { readSequence, readTail, sequenceText, tailOf, timeText } from './timeKey.ts';
import { bucketOf, type LabEvent, type Series } from './workload.ts';

const MAIN = 'main';
const LAST_HOUR = 9_999_999n;
const FAMILY = 'q';

/** Only the first `count` columns, or those of a span of qualifiers. Qualifiers put the newest first. */
const firstCells = (count: number) => ({ cellsPerRowLimitFilter: count });
const qualifiers = (first: string, last: string) => ({ columnRangeFilter: { familyName: FAMILY, startQualifierClosed: Buffer.from(first, 'latin1'), endQualifierClosed: Buffer.from(last, 'latin1') } });

export const hourlyRows: MakeLayout = ({ shape: { bytes }, start, barStart }) => {
  const keyOf = ({ text }: Series, hour: bigint): string => `${text}#${String(LAST_HOUR - hour).padStart(7, '0')}`;
  // 23:59:59.999999 first; a time within the hour counts down from its last microsecond
  const offset = (time: bigint, hour: bigint): string => String((hour + 1n) * HOUR - 1n - time).padStart(10, '0');
  const found = (series: Series, { key, cells }: LabRow): Found[] => {
    const end = (LAST_HOUR - BigInt(key.slice(-7)) + 1n) * HOUR - 1n;
    return cells.map(({ qualifier, value }) => ({ series: series.text, time: end - BigInt(qualifier.slice(0, 10)), sequence: readSequence(qualifier.slice(11), 'reverse'), ...unpacked(value) }));
  };
  async function newest(store: LabStore, series: Series, to: bigint | null, count: number): Promise<Found[]> {
    const events: Found[] = [];
    let next = `${series.text}#`;
    if (to !== null) {
      const hour = bucketOf(to, HOUR);
      const key = keyOf(series, hour);
      next = `${key}\0`;
      const rows = await store.read({ table: MAIN, start: key, end: next, filter: { chain: { filters: [qualifiers(offset(to, hour), '9999999999#999999'), firstCells(count)] } } });
      events.push(...rows.flatMap((row) => found(series, row)));
    }
    while (events.length < count) {
      const [row] = await store.read({ table: MAIN, start: next, end: `${series.text}$`, limit: 1, filter: firstCells(count - events.length) });
      if (!row) break;
      events.push(...found(series, row));
      next = `${row.key}\0`;
    }
    return events;
  }
  function hours(series: Series, from: bigint, to: bigint): { series: Series; hour: bigint }[] {
    const oldest = bucketOf(series.kind === 'bar' ? barStart : start, HOUR);
    const first = bucketOf(from, HOUR) > oldest ? bucketOf(from, HOUR) : oldest;
    return Array.from({ length: Math.max(0, Number(bucketOf(to, HOUR) - first) + 1) }, (_, at) => ({ series, hour: first + BigInt(at) }));
  }
  async function within(store: LabStore, { series, hour }: { series: Series; hour: bigint }, from: bigint, to: bigint): Promise<Found[]> {
    const key = keyOf(series, hour);
    const [begin, end] = [hour * HOUR, (hour + 1n) * HOUR - 1n];
    const whole = from <= begin && to >= end;
    const rows = await store.read({ table: MAIN, start: key, end: `${key}\0`, ...(whole ? {} : { filter: qualifiers(offset(to < end ? to : end, hour), `${offset(from > begin ? from : begin, hour)}$`) }) });
    return rows.flatMap((row) => found(series, row));
  }
  return {
    rowSpan: 'hour', name: 'hourly-rows', title: 'A row an hour, a column an event', keys: 'ID#REVERSE-HOUR, qualifier OFFSET#SEQ', tables: [MAIN],
    idea: 'Far fewer rows, and the key is stored once an hour. A row grows by every write; reads need filters for columns; a tick’s own values share one cell.',
    rows: (event) => {
      const hour = bucketOf(event.time, HOUR);
      return [{ table: MAIN, key: keyOf(event.series, hour), cells: [{ qualifier: `${offset(event.time, hour)}#${sequenceText(event.sequence, 'reverse')}`, value: packedOf(event, bytes) }] }];
    },
    answer: (ask, store) => answerBy(ask, (series, to, count) => newest(store, series, to, count),
      (all, from, to) => gather(all.flatMap((series) => hours(series, from, to)), (each) => within(store, each, from, to))),
  };
};

export const qualifierPerEvent: MakeLayout = ({ shape: { bytes } }) => {
  const read = async (store: LabStore, series: Series, filter: NonNullable<Parameters<LabStore['read']>[0]['filter']>): Promise<Found[]> => {
    const rows = await store.read({ table: MAIN, start: series.text, end: `${series.text}\0`, filter });
    return rows.flatMap(({ cells }) => cells.map(({ qualifier, value }) => ({ series: series.text, ...readTail(qualifier, 'reverse'), ...unpacked(value) })));
  };
  return {
    rowSpan: 'ever', name: 'qualifier-per-event', title: 'A row an index, a column an event', keys: 'ID, qualifier RTS#SEQ', tables: [MAIN],
    idea: 'One row is one index for ever. It can’t be split between ranges, and a row may hold 256 MB.',
    rows: (event) => [{ table: MAIN, key: event.series.text, cells: [{ qualifier: tailOf(event.time, event.sequence, 'reverse'), value: packedOf(event, bytes) }] }],
    answer: (ask, store) => answerBy(ask,
      (series, to, count) => read(store, series, to === null ? firstCells(count) : { chain: { filters: [qualifiers(timeText(to, 'reverse'), '9'.repeat(20)), firstCells(count)] } }),
      (all, from, to) => gather(all, (series) => read(store, series, qualifiers(timeText(to, 'reverse'), `${timeText(from, 'reverse')}$`)))),
  };
};

const MILLI = 1000n;
const floorMilli = (time: bigint): bigint => time - (time % MILLI);

export const cellVersions: MakeLayout = ({ shape: { bytes } }) => {
  const read = async (store: LabStore, series: Series, filter: NonNullable<Parameters<LabStore['read']>[0]['filter']>): Promise<Found[]> => {
    const rows = await store.read({ table: MAIN, start: series.text, end: `${series.text}\0`, filter });
    return rows.flatMap(({ cells }) => cells.map(({ value }) => {
      const [time = '', sequence = ''] = value.toString('latin1').split('|', 2);
      return { series: series.text, time: BigInt(time), sequence: Number(sequence), ...unpacked(value.subarray(time.length + sequence.length + 2)) };
    }));
  };
  const versions = (from: bigint, to: bigint) => ({ timestampRangeFilter: { startTimestampMicros: String(floorMilli(from)), endTimestampMicros: String(floorMilli(to) + MILLI) } });
  return {
    rowSpan: 'ever', name: 'cell-versions', title: 'A row an index, versions as history', keys: 'ID, column q:p, version = event time', tables: [MAIN],
    idea: 'The store’s own history. A version is a whole millisecond, so two events in one overwrite each other; collection by age or number deletes history; a row may hold 256 MB.',
    rows: (event) => [{ table: MAIN, key: event.series.text, cells: [{ qualifier: 'p', version: floorMilli(event.time), value: `${event.time}|${event.sequence}|${packedOf(event, bytes)}` }] }],
    answer: (ask, store) => answerBy(ask,
      // the newest version at or before an instant's millisecond may be later within it: then the next one is the answer
      async (series, to, count) => (await read(store, series, to === null ? { cellsPerColumnLimitFilter: count } : { chain: { filters: [versions(0n, to), { cellsPerColumnLimitFilter: count + 1 }] } })).filter(({ time }) => to === null || time <= to).slice(0, count),
      async (all, from, to) => (await gather(all, (series) => read(store, series, versions(from, to)))).filter(({ time }) => time >= from && time <= to)),
    keeps: { of: lastOfEachMilli, reason: 'two events of an index in one millisecond are one version: the later write replaces the earlier' },
  };
};

function lastOfEachMilli(events: readonly LabEvent[]): LabEvent[] {
  const kept = new Map<string, LabEvent>();
  for (const event of events) kept.set(`${event.series.text} ${floorMilli(event.time)}`, event);
  return [...kept.values()];
}

/** By the newest at or before an instant (null: of all), and by what lies between two. */
async function answerBy(ask: Ask, newest: (series: Series, to: bigint | null, count: number) => Promise<Found[]>, between: (series: readonly Series[], from: bigint, to: bigint) => Promise<Found[]>): Promise<Found[]> {
  switch (ask.kind) {
    case 'latest': return (await newest(ask.series, null, ask.count)).sort(newestFirst);
    case 'asOf': return newest(ask.series, ask.time, 1);
    case 'between': return between([ask.series], ask.from, ask.to);
    case 'window': return between(ask.series, ask.from, ask.to);
  }
}
