/** `frontrow history`: ticks or bars of a time range, streamed page by page. */
import { failed, ok, type Problem, problem, type Result } from '../../shared/result.ts';
import { isIndexId, type Resolution, RESOLUTIONS } from '../../shared/rowKey.ts';
import { parseTime } from '../../shared/time.ts';
import { deskClock } from '../desk/deskClock.ts';
import { printedPages, type Span } from '../history/printed.ts';
import type { Parsed } from '../config/options.ts';
import type { Command } from './command.ts';
import { errorLine } from './exit.ts';
import { withStore } from './withStore.ts';

const text = { type: 'string' } as const;
/** Rows that can't be decoded are counted up to here. */
const MAX_SKIPPED = 100_000;

export const history: Command = {
  summary: 'ticks or bars of a time range',
  usage: `history ID --from T --to T [--resolution auto|tick|${RESOLUTIONS.join('|')}] [--limit N] [--order newest|oldest] [--csv] [--json]`,
  options: { from: text, to: text, resolution: text, limit: text, order: text, csv: { type: 'boolean' } },
  positionals: { min: 1, max: 1 },
  async run(parsed, streams, signal) {
    const asked = historyRequest('history', parsed.positionals[0] ?? '', parsed.values, signal);
    if (!asked.ok) return asked;
    const { span, resolution } = asked.value;
    return withStore(parsed, async (store, settings) => {
      const skipped = skippedRows();
      const context = { reader: store.reader, clock: deskClock(settings.testNow), retentionDays: settings.retentionDays, skipped: skipped.add };
      const csv = parsed.values['csv'] === true;
      let rows = 0;
      for await (const page of printedPages(context, span, resolution, csv ? 'csv' : 'json')) {
        if (!page.ok) return page;
        // one write a page: a write a line took longer than reading the rows
        await streams.out(csv && rows === 0 ? `${page.value.header}\n${page.value.text}` : page.value.text);
        rows += page.value.rows;
      }
      const left = skipped.told();
      if (left) streams.err(errorLine(left).trimEnd());
      return rows > 0 ? ok(0) : failed(nothingThere(span, resolution));
    }, { mustExist: true });
  },
};

export const nothingThere = ({ index }: Pick<Span, 'index'>, resolution: Resolution | 'tick' | 'auto'): Problem =>
  problem('NOT_FOUND', `no ${resolution === 'auto' ? 'ticks or bars' : resolution === 'tick' ? 'ticks' : `${resolution} bars`} of ${index} in that range`, 'check the id and the range');

/** Rows that could not be decoded, to be told once at the end: each counts once, however often it is read. */
export function skippedRows(): { add(this: void, index: string, key: string, why: Problem): void; told(): Problem | null } {
  const skipped = new Map<string, Problem>();
  return {
    add: (_index, key, why) => void (skipped.size < MAX_SKIPPED && skipped.set(key, why)),
    told() {
      const [first] = skipped.values();
      return first ? { ...first, what: `rows left out: ${skipped.size}${skipped.size === MAX_SKIPPED ? ' or more' : ''}, the first: ${first.what}` } : null;
    },
  };
}

const isResolution = (word: string): word is Resolution => RESOLUTIONS.some((known) => known === word);

/** What `history` and `export` ask for, checked. */
export function historyRequest(command: string, id: string, values: Parsed['values'], signal: AbortSignal): Result<{ span: Span; resolution: Resolution | 'tick' | 'auto' }, Problem> {
  const bad = (what: string, next: string) => failed(problem('BAD_INPUT', what, next));
  if (!isIndexId(id)) return bad(`not an index id: ${JSON.stringify(id.slice(0, 40))}`, 'use 1 to 24 of A-Z 0-9 ^ . _ -');
  const { from, to, resolution = 'auto', limit = '0', order = 'newest' } = values;
  if (typeof from !== 'string' || typeof to !== 'string') return bad(`${command} needs --from and --to`, 'give both as ISO 8601 with Z, or as microseconds since 1970');
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
