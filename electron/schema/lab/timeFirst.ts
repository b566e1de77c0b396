/** Time before everything: all indices of a moment are neighbours. Also kept as a second table beside the canonical one, by region. */
import { columnsFound, columnsOf, gather, type LabLayout, type LabStore, type MakeLayout } from './layout.ts';
import { canonical } from './keyedCandidates.ts';
import { type Found, newestFirst } from './questions.ts';
import { after, readSequence, readTime, sequenceText, timeText } from './timeKey.ts';
import { LAB_REGIONS, type LabRegion, type Series } from './workload.ts';

const MAIN = 'main';
const prefixOf = ({ kind }: Pick<Series, 'kind'>): string => (kind === 'tick' ? 't#' : 'b#');

export const timeFirst: MakeLayout = ({ shape: { bytes } }) => {
  const found = (row: Parameters<typeof columnsFound>[0]): Found => {
    const [, time = '', series = '', sequence = ''] = row.key.split('#');
    return { series, time: readTime(time, 'reverse'), sequence: readSequence(sequence, 'reverse'), ...columnsFound(row) };
  };
  /** The server looks at every row of the range, and sends those of the series. */
  async function scan(store: LabStore, kind: Series['kind'], series: Series | null, from: bigint | null, to: bigint | null, limit: number): Promise<Found[]> {
    const prefix = prefixOf({ kind });
    const rows = await store.read({
      table: MAIN, start: to === null ? prefix : prefix + timeText(to, 'reverse'), end: from === null ? after(prefix) : `${prefix}${timeText(from, 'reverse')}$`, limit,
      ...(series ? { filter: { rowKeyRegexFilter: Buffer.from(`[tb]#[0-9]{19}#${series.text}#[0-9]{6}`, 'latin1') } } : {}),
    });
    return rows.map(found).sort(newestFirst);
  }
  return {
    name: 'time-first', title: 'Reverse time, then index', keys: 't#RTS#ID#SEQ', tables: [MAIN],
    idea: 'A window over all indices is one range. Every write goes to the newest end of the table, and one index is found only by looking at all of them.',
    rows: (event) => [{ table: MAIN, key: `${prefixOf(event.series)}${timeText(event.time, 'reverse')}#${event.series.text}#${sequenceText(event.sequence, 'reverse')}`, cells: columnsOf(event, bytes) }],
    async answer(ask, store) {
      switch (ask.kind) {
        case 'latest': return scan(store, ask.series.kind, ask.series, null, null, ask.count);
        case 'asOf': return scan(store, ask.series.kind, ask.series, null, ask.time, 1);
        case 'between': return scan(store, ask.series.kind, ask.series, ask.from, ask.to, 0);
        case 'window': {
          const asked = new Set(ask.series.map(({ text }) => text));
          return (await scan(store, 'tick', null, ask.from, ask.to, 0)).filter(({ series }) => asked.has(series));
        }
      }
    },
  };
};

const BY_REGION = 'byregion';

export const derivedRegionTime: MakeLayout = (workload) => {
  const base = canonical(workload);
  const { bytes } = workload.shape;
  async function region(store: LabStore, name: LabRegion, from: bigint, to: bigint): Promise<Found[]> {
    const rows = await store.read({ table: BY_REGION, start: `${name}#${timeText(to, 'reverse')}`, end: `${name}#${timeText(from, 'reverse')}$` });
    return rows.map((row) => {
      const [, time = '', series = '', sequence = ''] = row.key.split('#');
      return { series, time: readTime(time, 'reverse'), sequence: readSequence(sequence, 'reverse'), ...columnsFound(row) };
    });
  }
  return {
    ...base, name: 'derived-region-time', title: 'Canonical, and a second table by region and time', keys: 'ID#RTS#SEQ, and REGION#RTS#ID#SEQ', tables: [...base.tables, BY_REGION],
    idea: 'A window is one read a region. Every tick is written twice, without atomicity between the two: a reader of the second table can miss what the first has, and somebody must repair it. A region’s newest end is one hot range.',
    rows: (event): ReturnType<LabLayout['rows']> => [...base.rows(event), ...(event.series.kind === 'tick'
      ? [{ table: BY_REGION, key: `${event.series.region}#${timeText(event.time, 'reverse')}#${event.series.text}#${sequenceText(event.sequence, 'reverse')}`, cells: columnsOf(event, bytes) }] : [])],
    answer: (ask, store) => (ask.kind === 'window' ? gather(ask.region === null ? LAB_REGIONS : [ask.region], (name) => region(store, name, ask.from, ask.to)) : base.answer(ask, store)),
  };
};
