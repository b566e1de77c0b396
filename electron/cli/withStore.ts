/** What the commands that read or write a store share: settings, the user's own dates, an open store, and its close whatever happens. */
import type { Problem, Result } from '../../shared/result.ts';
import { guardRejections } from '../bigtable/guard.ts';
import type { Parsed } from '../config/options.ts';
import { ownDatesPath, useOwnDates } from '../config/ownDates.ts';
import { resolveSettings, type Settings } from '../config/settings.ts';
import { type OpenOptions, openStore, type OpenStore } from '../desk/openStore.ts';
import { reportProblem } from '../desk/report.ts';

export async function withStore(
  parsed: Pick<Parsed, 'values'>,
  work: (store: OpenStore, settings: Settings) => Promise<Result<number, Problem>>,
  options: OpenOptions = {},
): Promise<Result<number, Problem>> {
  const settings = await resolveSettings(parsed);
  if (!settings.ok) return settings;
  for (const told of await useOwnDates(ownDatesPath(settings.value))) reportProblem(told);
  const store = await openStore(settings.value, options);
  if (!store.ok) return store;
  // the failed call reports itself; a second, unreachable rejection of the sign-in layer must not end the process first
  const unguard = guardRejections(store.value.address, () => {}, (reason) => { throw reason; });
  try {
    return await work(store.value, settings.value);
  } finally {
    await store.value.close();
    unguard();
  }
}
