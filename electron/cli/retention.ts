/** `frontrow retention`: how long ticks are kept; tells what a shorter time deletes, and asks. */
import { failed, ok, problem, type Result } from '../../shared/result.ts';
import { applyTable, planTable, type TablePlan } from '../bigtable/admin.ts';
import { readOnly } from '../bigtable/layout/foreignReader.ts';
import { readRegistry } from '../bigtable/registry.ts';
import { deskClock } from '../desk/deskClock.ts';
import { listIndices } from '../feed/latestOnce.ts';
import { deadlineOf } from '../feed/schedule.ts';
import { MOST_COUNTED, ticksBeyond } from '../history/beyond.ts';
import { boundedReader } from '../history/meteredReader.ts';
import { READS_IN_FLIGHT } from '../history/window.ts';
import type { Command } from './command.ts';
import { confirmed } from './confirm.ts';
import { withStore } from './withStore.ts';

export const retention: Command = {
  summary: 'how long ticks are kept',
  usage: 'retention --ticks 90d [--yes] [--json]   (--yes shortens without asking)',
  options: { ticks: { type: 'string' }, yes: { type: 'boolean' } },
  positionals: { min: 0, max: 0 },
  async run(parsed, streams, signal) {
    const days = daysOf(parsed.values['ticks']);
    if (!days.ok) return days;
    return withStore(parsed, async (store, settings) => {
      if (store.layout) return failed(readOnly(store.layout));
      const planned = await planTable(store.address, days.value);
      if (!planned.ok) return planned;
      if (!planned.value.exists) return failed(problem('TABLE_MISSING', `there is no table ${store.address.table} in instance ${store.address.instance} of project ${store.address.project}`, 'create it with `frontrow init`'));
      const plan = ticksOnly(planned.value);
      const [ticks] = plan.families;
      if (ticks === undefined) return failed(problem('FAMILY_MISSING', `table ${store.address.table} has no family q`, 'create it with `frontrow init`'));
      const json = parsed.values['json'] === true;
      const reader = boundedReader(store.reader, READS_IN_FLIGHT);
      if (ticks.shortens) {
        const listed = await listIndices({ reader, registry: readRegistry, ids: null }, deadlineOf(settings.poll.intervalMs), signal);
        if (!listed.ok) return listed;
        const beyond = await ticksBeyond(reader, listed.value.infos.map(({ id }) => id), days.value, deskClock(settings.testNow).now(), signal);
        if (!beyond.ok) return beyond;
        streams.err(`q (ticks): now ${ticks.current ?? 'nothing'}; then ${ticks.wanted}. What is deleted does not come back.`);
        for (const { index, rows, more } of beyond.value) streams.err(`  ${index}: ${more ? `over ${MOST_COUNTED}` : rows} ticks are older than ${days.value} days`);
        if (beyond.value.length === 0) streams.err(`  no tick is older than ${days.value} days${listed.value.note === null ? '' : ` of the indices that were looked at (${listed.value.note})`}`);
        const agreed = parsed.values['yes'] === true || (await confirmed(`Shorten it?`, signal));
        if (!agreed) return failed(problem('BAD_INPUT', `the retention of ${store.address.table} stays as it is: ${ticks.current ?? 'nothing'}`, 'repeat with --yes to shorten it'));
      }
      const applied = await applyTable(store.address, plan, true);
      if (!applied.ok) return applied;
      const action = ticks.action === 'keep' ? 'kept' : 'changed';
      await streams.out(json ? JSON.stringify({ table: store.address.table, family: 'q', before: ticks.current, rule: ticks.wanted, action }) : `q  ticks  ${ticks.wanted} (${action}${action === 'changed' ? `, before: ${ticks.current ?? 'nothing'}` : ''})`);
      if (days.value !== settings.retentionDays) streams.err(`reads end at ${settings.retentionDays} days here: set "retentionDays": ${days.value} in ${settings.configPath}`);
      return ok(0);
    }, { mustExist: true });
  },
};

/** The other families stay as they are, whatever their rules. */
function ticksOnly(plan: TablePlan): TablePlan {
  return { ...plan, families: plan.families.filter(({ family, action }) => family === 'q' && action !== 'create') };
}

function daysOf(given: string | boolean | undefined): Result<number> {
  const days = typeof given === 'string' ? Number(/^(\d{1,5})d$/.exec(given)?.[1] ?? Number.NaN) : Number.NaN;
  return days >= 1 && days <= 36_500 ? ok(days) : failed(problem('BAD_INPUT', typeof given === 'string' ? `--ticks ${JSON.stringify(given.slice(0, 20))} is not a number of days` : 'retention needs --ticks', 'give --ticks 90d (1d to 36500d)'));
}
