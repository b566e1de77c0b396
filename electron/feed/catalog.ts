/** Which indices the desk shows: the configured list; else the registry, and ids that have ticks though nobody registered them. */
import { infoFor } from '../../shared/indices.ts';
import type { IndexInfo } from '../../shared/quote.ts';
import type { Problem } from '../../shared/result.ts';
import { type IndexId, isIndexId, type KeyRange } from '../../shared/rowKey.ts';
import type { Reader } from '../bigtable/reader.ts';
import { complement, discover, type Sleeper } from './discover.ts';
import type { FeedConfig, FeedOptions } from './feedConfig.ts';

export const REGISTRY_MS = 30_000;
export const DISCOVER_MS = 10_000;
/** Up to here looking for new ids is one small request, made with every cycle. */
export const EAGER_UP_TO = 20;
export const MAX_INDICES = 5_000;
const STEPS = 200;
const MAX_JUNK = 64;

export interface Refreshed {
  readonly changed: boolean;
  readonly awake: readonly IndexId[];
  readonly error: Problem | null;
  readonly requests: number;
}

export interface Catalog {
  /** Known so far, by id in key order. */
  list(): readonly IndexInfo[];
  /** Whether refresh would read anything now. */
  due(elapsed: number): boolean;
  /** Reads what is due; `changed` when the list did. `awake`: which of `sleepers` printed, where looking for new ids was due anyway. `elapsed` in milliseconds. */
  refresh(elapsed: number, deadlineMs: number, signal: AbortSignal, sleepers?: readonly Sleeper[]): Promise<Refreshed>;
  /** Discovery stopped at its bounds: there may be more ids than shown. */
  readonly more: boolean;
}

export function createCatalog({ reader, config, registry }: Pick<FeedOptions, 'reader' | 'registry'> & { readonly config: Pick<FeedConfig, 'indices'> }): Catalog {
  const fixed = config.indices === null ? null : config.indices.filter(isIndexId);
  let registered = new Map<IndexId, IndexInfo>();
  const found = new Set<IndexId>(fixed ?? []);
  let junk: readonly KeyRange[] = [];
  let ranges: KeyRange[] | null = null;
  let [registryAt, discoverAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let more = false;
  let list: readonly IndexInfo[] = [];

  function relist(): void {
    const ids = fixed ?? [...new Set([...registered.keys(), ...found])].slice(0, MAX_INDICES);
    list = [...ids].sort().map((id) => registered.get(id) ?? infoFor(id));
    ranges = null;
  }
  relist();

  async function readRegistered(elapsed: number, deadlineMs: number): Promise<{ changed: boolean; error: Problem | null }> {
    if (!registry) return { changed: false, error: null };
    const answer = await registry(reader, deadlineMs);
    if (!answer.ok) return { changed: false, error: answer.error };
    registryAt = elapsed;
    const next = new Map(answer.value.map((info) => [info.id, info]));
    const changed = next.size !== registered.size || [...next].some(([id, info]) => !sameInfo(registered.get(id), info));
    registered = next;
    return { changed, error: null };
  }

  async function lookForMore(reader_: Reader, elapsed: number, deadlineMs: number, signal: AbortSignal, sleepers: readonly Sleeper[]): Promise<Refreshed> {
    ranges ??= complement(list.map((info) => info.id), junk);
    const answer = await discover(reader_, ranges, STEPS, deadlineMs, signal, sleepers);
    if (answer.error === null) discoverAt = elapsed;
    if (answer.junk.length > 0) {
      junk = [...junk, ...answer.junk].slice(0, MAX_JUNK);
      ranges = null;
    }
    more = answer.more || list.length + answer.ids.length >= MAX_INDICES;
    for (const id of answer.ids) found.add(id);
    return { changed: answer.ids.length > 0, awake: answer.awake, error: answer.error, requests: answer.requests };
  }

  const registryDue = (elapsed: number): boolean => registry !== undefined && elapsed - registryAt >= REGISTRY_MS;
  const discoverDue = (elapsed: number): boolean => fixed === null && list.length < MAX_INDICES && (list.length < EAGER_UP_TO || elapsed - discoverAt >= DISCOVER_MS);

  return {
    list: () => list,
    due: (elapsed) => registryDue(elapsed) || discoverDue(elapsed),
    async refresh(elapsed, deadlineMs, signal, sleepers = []) {
      let changed = false;
      let awake: readonly IndexId[] = [];
      let requests = 0;
      if (registryDue(elapsed)) {
        requests += 1;
        const answer = await readRegistered(elapsed, deadlineMs);
        if (answer.error) return { changed, awake, error: answer.error, requests };
        changed = answer.changed;
        if (changed) relist();
      }
      if (discoverDue(elapsed)) {
        const answer = await lookForMore(reader, elapsed, deadlineMs, signal, sleepers);
        requests += answer.requests;
        if (answer.changed) relist();
        changed ||= answer.changed;
        ({ awake } = answer);
        if (answer.error) return { changed, awake, error: answer.error, requests };
      }
      return { changed, awake, error: null, requests };
    },
    get more() {
      return more;
    },
  };
}

const sameInfo = (a: IndexInfo | undefined, b: IndexInfo): boolean => a !== undefined && JSON.stringify(a) === JSON.stringify(b);
