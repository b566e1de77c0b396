/** `frontrow history`: ticks or bars of a time range, streamed page by page. */
import type { Bar, Tick } from '../../shared/quote.ts';
import { failed, ok, type Problem, problem, type Result } from '../../shared/result.ts';
import { isIndexId, type IndexId, type Resolution, RESOLUTIONS } from '../../shared/rowKey.ts';
import { infoFor } from '../../shared/indices.ts';
import { type EpochMicros, parseTime } from '../../shared/time.ts';
import { deskClock } from '../desk/deskClock.ts';
import { createHistory, type History } from '../history/history.ts';
import type { Command } from './command.ts';
import { errorLine } from './exit.ts';
import { withStore } from './withStore.ts';

type Row = Readonly<Record<string, string | number | null>>;

interface Span {
  readonly index: IndexId;
  readonly from: EpochMicros;
  readonly to: EpochMicros;
  readonly limit: number;
  readonly order: 'newest' | 'oldest';
  readonly signal: AbortSignal;
}

const text = { type: 'string' } as const;
/** Rows that can't be decoded are counted up to here. */
const MAX_SKIPPED = 100_000;

export const history: Command = {
  summary: 'ticks or bars of a time range',
  usage: `history ID --from T --to T [--resolution auto|tick|${RESOLUTIONS.join('|')}] [--limit N] [--order newest|oldest] [--csv] [--json]`,
  options: { from: text, to: text, resolution: text, limit: text, order: text, csv: { type: 'boolean' } },
  positionals: { min: 1, max: 1 },
  async run(parsed, streams, signal) {
    const asked = request(parsed.positionals[0] ?? '', parsed.values, signal);
    if (!asked.ok) return asked;
    const { span, resolution } = asked.value;
    return withStore(parsed, async (store, settings) => {
      const skipped = new Map<string, Problem>();
      const past = createHistory({
        reader: store.reader, clock: deskClock(settings.testNow), retentionDays: settings.retentionDays, info: () => infoFor(span.index),
        skipped: (_index, key, why) => void (skipped.size < MAX_SKIPPED && skipped.set(key, why)),
      });
      const csv = parsed.values['csv'] === true;
      let rows = 0;
      for await (const page of pages(past, span, resolution)) {
        if (!page.ok) return page;
        for (const row of page.value) {
          if (csv && rows === 0) await streams.out(Object.keys(row).join(','));
          rows++;
          await streams.out(csv ? Object.values(row).map(csvField).join(',') : JSON.stringify(row));
        }
      }
      const [first] = skipped.values();
      if (first) streams.err(errorLine({ ...first, what: `rows left out: ${skipped.size}${skipped.size === MAX_SKIPPED ? ' or more' : ''}, the first: ${first.what}` }).trimEnd());
      if (rows > 0) return ok(0);
      return failed(problem('NOT_FOUND', `no ${resolution === 'auto' ? 'ticks or bars' : resolution === 'tick' ? 'ticks' : `${resolution} bars`} of ${span.index} in that range`, 'check the id and the range'));
    }, { mustExist: true });
  },
};

const isResolution = (word: string): word is Resolution => RESOLUTIONS.some((known) => known === word);
const csvField = (value: string | number | null): string => (value === null ? '' : /[",\n\r]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value));

function request(id: string, values: Readonly<Record<string, string | boolean | undefined>>, signal: AbortSignal): Result<{ span: Span; resolution: Resolution | 'tick' | 'auto' }, Problem> {
  const bad = (what: string, next: string) => failed(problem('BAD_INPUT', what, next));
  if (!isIndexId(id)) return bad(`not an index id: ${JSON.stringify(id.slice(0, 40))}`, 'use 1 to 24 of A-Z 0-9 ^ . _ -');
  const { from, to, resolution = 'auto', limit = '0', order = 'newest' } = values;
  if (typeof from !== 'string' || typeof to !== 'string') return bad('history needs --from and --to', 'give both as ISO 8601 with Z, or as microseconds since 1970');
  if (typeof limit !== 'string' || !/^\d{1,9}$/.test(limit)) return bad('--limit is not a number of rows', 'give a whole number; 0 for all');
  if (order !== 'newest' && order !== 'oldest') return bad('--order is neither newest nor oldest', 'give one of them');
  if (typeof resolution !== 'string' || (resolution !== 'auto' && resolution !== 'tick' && !isResolution(resolution))) return bad(`unknown resolution ${JSON.stringify(resolution)}`, `use auto, tick, ${RESOLUTIONS.join(', ')}`);
  try {
    const span = { index: id, from: parseTime(from), to: parseTime(to), limit: Number(limit), order, signal } as const;
    return span.from > span.to ? bad('--from is after --to', 'swap them') : ok({ span, resolution });
  } catch (error) {
    return bad(error instanceof Error ? error.message : String(error), 'give ISO 8601 with Z');
  }
}

/** `auto`: the ticks where there are any, else the finest bars that there are. */
async function* pages(past: History, span: Span, resolution: Resolution | 'tick' | 'auto'): AsyncGenerator<Result<readonly Row[]>> {
  const kinds = resolution === 'auto' ? (['tick', ...RESOLUTIONS] as const) : [resolution];
  for (const kind of kinds) {
    let any = false;
    const source = kind === 'tick' ? ticks(past, span) : bars(past, span, kind);
    for await (const page of source) {
      any ||= !page.ok || page.value.length > 0;
      yield page;
    }
    if (any) return;
  }
}

async function* ticks(past: History, span: Span): AsyncGenerator<Result<readonly Row[]>> {
  for await (const page of past.ticks(span)) yield page.ok ? ok(page.value.map(tickRow)) : page;
}

async function* bars(past: History, span: Span, resolution: Resolution): AsyncGenerator<Result<readonly Row[]>> {
  const found = await past.bars({ ...span, resolution });
  yield found.ok ? ok(found.value.map(barRow)) : found;
}

const tickRow = (tick: Tick): Row => ({
  eventMicros: String(tick.time), sequence: tick.sequence, price: tick.price, volume: tick.volume, source: tick.source, ingestMicros: tick.ingest === null ? null : String(tick.ingest),
});

const barRow = (bar: Bar): Row => ({
  eventMicros: String(bar.start), resolution: bar.resolution, open: bar.open, high: bar.high, low: bar.low, close: bar.close, volume: bar.volume, ticks: bar.ticks, kind: bar.kind,
});
