/** `frontrow window`: what many indices printed in one span, merged newest first, and what the reading cost. */
import { type Region, REGIONS } from '../../shared/quote.ts';
import { failed, ok, problem, type Result } from '../../shared/result.ts';
import { isIndexId } from '../../shared/rowKey.ts';
import { type EpochMicros, parseTime } from '../../shared/time.ts';
import { readRegistry } from '../bigtable/registry.ts';
import type { Parsed } from '../config/options.ts';
import { deskClock } from '../desk/deskClock.ts';
import { listIndices } from '../feed/latestOnce.ts';
import { deadlineOf } from '../feed/schedule.ts';
import { boundedReader, costMeter } from '../history/meteredReader.ts';
import { tickRecord } from '../history/printed.ts';
import { READS_IN_FLIGHT, windowTicks } from '../history/window.ts';
import type { Command } from './command.ts';
import { errorLine } from './exit.ts';
import { skippedRows } from './history.ts';
import { withStore } from './withStore.ts';

const MOST_INDICES = 500;
const MOST_ROWS = 1_000_000;
const text = { type: 'string' } as const;

export const window: Command = {
  summary: 'ticks of many indices in one span, merged newest first',
  usage: `window --from T --to T [ID...] [--region ${REGIONS.map((region) => (region.includes(' ') ? `"${region}"` : region)).join('|')}] [--force] [--json]   (--force: over ${MOST_INDICES} indices or ${MOST_ROWS} rows)`,
  options: { from: text, to: text, region: text, force: { type: 'boolean' } },
  positionals: { min: 0, max: 5000 },
  async run(parsed, streams, signal) {
    const asked = windowRequest(parsed);
    if (!asked.ok) return asked;
    const { from, to, region, force } = asked.value;
    const meter = costMeter();
    return withStore(parsed, async (store, settings) => {
      const reader = boundedReader(store.reader, READS_IN_FLIGHT);
      const listed = await listIndices({ reader, registry: readRegistry, ids: parsed.positionals.length > 0 ? parsed.positionals : null }, deadlineOf(settings.poll.intervalMs), signal);
      if (!listed.ok) return listed;
      if (listed.value.note !== null) streams.err(listed.value.note);
      const indices = listed.value.infos.filter((info) => region === null || info.region === region).map(({ id }) => id);
      if (indices.length > MOST_INDICES && !force) return failed(problem('BAD_INPUT', `${indices.length} indices are more than ${MOST_INDICES}`, 'name those you want, give --region, or repeat with --force'));
      const skipped = skippedRows();
      const silent = new Set<string>(indices);
      let rows = 0;
      let tooMany = false;
      for await (const page of windowTicks({ reader, clock: deskClock(settings.testNow), retentionDays: settings.retentionDays, skipped: skipped.add }, { indices, from, to, signal })) {
        if (!page.ok) return page;
        tooMany = !force && rows + page.value.length > MOST_ROWS;
        const ticks = tooMany ? page.value.slice(0, MOST_ROWS - rows) : page.value;
        for (const { index } of ticks) silent.delete(index);
        rows += ticks.length;
        if (ticks.length > 0) await streams.out(ticks.map((tick) => JSON.stringify({ index: tick.index, ...tickRecord(tick) })).join('\n'));
        if (tooMany) break;
      }
      await streams.out(JSON.stringify({ cost: meter.cost() }));
      const left = skipped.told();
      if (left) streams.err(errorLine(left).trimEnd());
      if (tooMany) return failed(problem('BAD_INPUT', `the window holds over ${MOST_ROWS} rows: only the newest ${MOST_ROWS} are printed`, 'give a shorter one, name the indices, or repeat with --force'));
      if (rows === 0) return failed(problem('NOT_FOUND', indices.length === 0 ? `no index${region === null ? '' : ` of region ${region}`} is known` : 'no ticks in that window', 'check the ids and the times'));
      if (parsed.positionals.length > 0) for (const id of silent) streams.err(errorLine(problem('NOT_FOUND', `no ticks of ${id} in that window`, 'check the id')).trimEnd());
      return ok(0);
    }, { mustExist: true, around: meter.around });
  },
};

interface Asked {
  readonly from: EpochMicros;
  readonly to: EpochMicros;
  readonly region: Region | null;
  readonly force: boolean;
}

function windowRequest({ positionals, values }: Parsed): Result<Asked> {
  const bad = (what: string, next: string): Result<never> => failed(problem('BAD_INPUT', what, next));
  const wrong = positionals.find((id) => !isIndexId(id));
  if (wrong !== undefined) return bad(`not an index id: ${JSON.stringify(wrong.slice(0, 40))}`, 'use 1 to 24 of A-Z 0-9 ^ . _ -');
  const { from, to, region } = values;
  if (typeof from !== 'string' || typeof to !== 'string') return bad('window needs --from and --to', 'give both as ISO 8601 with Z, or as microseconds since 1970');
  const known = typeof region === 'string' ? REGIONS.find((one) => one.toLowerCase() === region.toLowerCase()) : null;
  if (known === undefined) return bad(`unknown region ${JSON.stringify(String(region).slice(0, 40))}`, `use one of ${REGIONS.join(', ')}`);
  try {
    const span = { from: parseTime(from), to: parseTime(to) };
    return span.from > span.to ? bad('--from is after --to', 'swap them') : ok({ ...span, region: known, force: values['force'] === true });
  } catch (error) {
    return bad(error instanceof Error ? error.message : String(error), 'give ISO 8601 with Z');
  }
}
