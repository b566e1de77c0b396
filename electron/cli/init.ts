/** `frontrow init`: table, families and garbage collection rules; tells what will be deleted before it changes a rule. A new table is cut at its indices. */
import { builtInIndices } from '../../shared/indices.ts';
import { failed, ok } from '../../shared/result.ts';
import { isIndexId } from '../../shared/rowKey.ts';
import { applyTable, planTable } from '../bigtable/admin.ts';
import { readOnly } from '../bigtable/layout/foreignReader.ts';
import { splitKeys } from '../bigtable/preSplit.ts';
import type { Command } from './command.ts';
import { withStore } from './withStore.ts';

const DONE = { create: 'created', change: 'changed', keep: 'kept' } as const;

export const init: Command = {
  summary: 'create the table, its families and garbage collection rules',
  usage: 'init [--yes] [--json]   (--yes allows a shorter retention)',
  options: { yes: { type: 'boolean' } },
  positionals: { min: 0, max: 0 },
  run: (parsed, streams) =>
    withStore(parsed, async (store, settings) => {
      if (store.layout) return failed(readOnly(store.layout));
      const plan = await planTable(store.address, settings.retentionDays);
      if (!plan.ok) return plan;
      const json = parsed.values['json'] === true;
      for (const { family, current, wanted, action } of plan.value.families) {
        if (action === 'change' && !json) streams.err(`${family}: rule changes from "${current ?? 'none'}" to "${wanted}"`);
      }
      const ids = settings.indices?.filter(isIndexId) ?? [...builtInIndices.values()].map(({ id }) => id);
      const applied = await applyTable(store.address, plan.value, parsed.values['yes'] === true, splitKeys(ids));
      if (!applied.ok) return applied;
      for (const { family, holds, action, wanted } of applied.value.families) {
        await streams.out(json ? JSON.stringify({ table: store.address.table, family, holds, rule: wanted, action: DONE[action] }) : `${family}  ${holds.padEnd(20)} ${wanted} (${DONE[action]})`);
      }
      return ok(0);
    }),
};
