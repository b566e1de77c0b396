/** For commands about shards and names, which a table of a foreign layout does not have. */
import { failed, type Problem, type Result } from '../../shared/result.ts';
import { readOnly } from '../bigtable/layout/foreignReader.ts';
import type { Parsed } from '../config/options.ts';
import type { Settings } from '../config/settings.ts';
import type { OpenStore } from '../desk/openStore.ts';
import { withStore } from './withStore.ts';

/** A store that is there, with a table of our own layout; else BAD_INPUT. */
export const withOwnTable = (parsed: Pick<Parsed, 'values'>, work: (store: OpenStore, settings: Settings) => Promise<Result<number, Problem>>): Promise<Result<number, Problem>> =>
  withStore(parsed, (store, settings) => (store.layout ? Promise.resolve(failed(readOnly(store.layout))) : work(store, settings)), { mustExist: true });
