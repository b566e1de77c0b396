/** `frontrow rename`: an index whose id changed on a date stays one index: what was written under the old id before it is read under the new one. */
import { failed, ok, type Problem, problem, type Result } from '../../shared/result.ts';
import { type IndexId, isIndexId, metaRange, tickRange } from '../../shared/rowKey.ts';
import { type EpochMicros, formatIso } from '../../shared/time.ts';
import { createConditional } from '../bigtable/conditional.ts';
import { changeFormerly, planRename } from '../bigtable/layout/change.ts';
import { borderKey, type Formerly, type Layouts, layoutsOf } from '../bigtable/layout/layouts.ts';
import type { OpenStore } from '../desk/openStore.ts';
import type { Command, Streams } from './command.ts';
import { instantOf, nowOf } from './shard.ts';
import { withOwnTable } from './withOwnTable.ts';

const DEADLINE_MS = 10_000;

export const rename: Command = {
  summary: 'read what an index wrote under its old id under its new one',
  usage: 'rename OLD NEW --at TIME [--yes] [--json] | rename OLD NEW --undo   (events before TIME are under OLD)',
  options: { at: { type: 'string' }, undo: { type: 'boolean' }, yes: { type: 'boolean' } },
  positionals: { min: 2, max: 2 },
  async run(parsed, streams) {
    const [old = '', id = ''] = parsed.positionals;
    const wrong = [old, id].find((one) => !isIndexId(one));
    if (wrong !== undefined || !isIndexId(old) || !isIndexId(id)) return failed(problem('BAD_INPUT', `not an index id: ${JSON.stringify(wrong?.slice(0, 40))}`, 'use 1 to 24 of A-Z 0-9 ^ . _ -'));
    const at = instantOf(parsed.values['at']);
    if (!at.ok) return at;
    const undo = parsed.values['undo'] === true;
    if ((at.value === null) !== undo) return failed(problem('BAD_INPUT', 'rename needs either --at TIME or --undo', `use ${rename.usage}`));
    return withOwnTable(parsed, async (store, settings) => {
      const registry = await store.physical.read({ ranges: [metaRange('index')], limit: 10_001, deadlineMs: DEADLINE_MS, families: ['m'] });
      if (!registry.ok) return failed(registry.error);
      const layouts = layoutsOf(registry.rows);
      const now = nowOf(store, settings);
      const planned = at.value === null ? planUndo(layouts, id, old) : planRename(layouts, id, { id: old, until: at.value }, now());
      if (!planned.ok) return planned;
      if (at.value !== null && planned.value !== null) {
        const hidden = await hiddenBy(store, layouts, id, at.value, parsed.values['yes'] === true);
        if (hidden) return failed(hidden);
      }
      if (undo || planned.value !== null) {
        const written = await write(store, layouts, id, planned.value);
        if (!written.ok) return written;
      }
      await tell(streams, { old, id, at: at.value, changed: undo || planned.value !== null, json: parsed.values['json'] === true });
      return ok(0);
    });
  },
};

function planUndo(layouts: Layouts, id: IndexId, old: IndexId): Result<null> {
  return layouts.byId.get(id)?.formerly?.id === old ? ok(null) : failed(problem('NOT_FOUND', `${id} is not known to have been ${old}`, `look at it with \`frontrow shard ${id}\``));
}

/** Rows under the new id from before it was its own: an id that was another instrument's, or a mistake in the date. */
async function hiddenBy(store: OpenStore, layouts: Layouts, id: IndexId, at: EpochMicros, yes: boolean): Promise<Problem | null> {
  if (yes || layouts.byId.get(id)?.formerly) return null;
  const read = await store.reader.read({ ranges: [{ start: borderKey(`${id}#`, at), end: tickRange(id).end }], limit: 1, deadlineMs: DEADLINE_MS });
  if (!read.ok) return read.error;
  return read.rows.length === 0 ? null : problem('BAD_INPUT', `${id} has ticks of its own from before ${formatIso(at)}: they would not be shown any more`, 'correct --at, or repeat with --yes if that is meant');
}

async function write(store: OpenStore, layouts: Layouts, id: IndexId, wanted: Formerly | null): Promise<Result<null>> {
  const conditional = createConditional(store.address);
  try {
    return await changeFormerly({ reader: store.physical, conditional, machineMillis: () => Date.now() }, id, wanted, layouts.byId.get(id)?.formerly ?? null);
  } finally {
    await conditional.close();
  }
}

async function tell(streams: Streams, { old, id, at, changed, json }: { readonly old: IndexId; readonly id: IndexId; readonly at: EpochMicros | null; readonly changed: boolean; readonly json: boolean }): Promise<void> {
  if (json) return streams.out(JSON.stringify({ index: id, formerly: at === null ? null : old, untilTime: at === null ? null : formatIso(at), untilMicros: at === null ? null : String(at), changed }));
  if (at === null) return streams.out(`${id}: no former name; ${old} stands for itself again`);
  await streams.out(`${id}: events before ${formatIso(at)} are those written under ${old}${changed ? '' : ' (as before)'}`);
  if (changed) await streams.out(`desks list ${id} alone within a minute; what ${old} has from that time on stays its own`);
}
