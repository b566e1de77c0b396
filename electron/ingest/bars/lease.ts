/**
 * Who makes the bars of an index: one row `!bars#ID` each, taken and renewed by CheckAndMutateRow. A lease that was lost to a crash is over
 * by the machines' clocks; should these disagree and two makers write at once, both write what the ticks say.
 */
import { failed, ok, type Result } from '../../../shared/result.ts';
import { type IndexId, keyAfter, metaKey } from '../../../shared/rowKey.ts';
import type { Conditional } from '../../bigtable/conditional.ts';
import type { Reader } from '../../bigtable/reader.ts';

export interface LeaseOptions {
  readonly reader: Reader;
  readonly conditional: Pick<Conditional, 'check'>;
  /** Of this run, unlike any other; shown to whoever finds the lease taken. Without spaces. */
  readonly token: string;
  /** The machine's wall clock in milliseconds. */
  readonly machineMillis: () => number;
  readonly leaseMs?: number;
}

export type Held = { readonly kind: 'held' } | { readonly kind: 'taken'; readonly by: string };

export interface BarLeases {
  /** Takes the lease, or renews it when it is due; nearly always without a request. Fails where the store can't tell. */
  hold(index: IndexId): Promise<Result<Held>>;
  /** Gives all back; what fails is over soon by itself. */
  release(): Promise<void>;
}

const COLUMN = { family: 'm', qualifier: 'l' } as const;
const DEADLINE = 5000;
/** By how much two machines' clocks may differ. */
const SKEW = 2000;
const HELD: Held = { kind: 'held' };

export function createBarLeases({ reader, conditional, token, machineMillis, leaseMs = 15_000 }: LeaseOptions): BarLeases {
  const held = new Map<IndexId, { readonly text: string; readonly at: number }>();
  let count = 0;

  async function swap(index: IndexId, from: string | null): Promise<Result<boolean>> {
    const at = machineMillis();
    const text = `${token} ${(count += 1)} ${Math.floor(at + leaseMs)}`;
    const change = { kind: 'replace', cells: [{ ...COLUMN, value: text }], version: BigInt(Math.floor(at)) * 1000n } as const;
    const key = metaKey('bars', index);
    const done = await (from === null ? conditional.check(key, COLUMN, null, change) : conditional.check(key, { ...COLUMN, from, to: from }, change, null));
    if (!done.ok) return done;
    const won = from === null ? !done.value : done.value;
    if (won) held.set(index, { text, at });
    else held.delete(index);
    return ok(won);
  }

  return {
    async hold(index) {
      const mine = held.get(index);
      const age = mine ? machineMillis() - mine.at : Infinity;
      if (mine && age >= 0 && age < leaseMs / 3) return ok(HELD);
      if (mine) {
        const renewed = await swap(index, mine.text);
        if (!renewed.ok || renewed.value) return renewed.ok ? ok(HELD) : renewed;
      }
      const key = metaKey('bars', index);
      const read = await reader.read({ ranges: [{ start: key, end: keyAfter(key) }], deadlineMs: DEADLINE, families: ['m'] });
      if (!read.ok) return failed(read.error);
      const text = read.rows[0]?.cells.get('m:l')?.value.toString('utf8') ?? null;
      const [by = '?', , until] = text?.split(' ') ?? [];
      // an earlier try of ours may have been done without our hearing of it
      const over = text === null || by === token || !/^\d{1,15}$/.test(until ?? '') || Number(until) + SKEW < machineMillis();
      if (!over) return ok({ kind: 'taken', by });
      const taken = await swap(index, text);
      if (!taken.ok) return taken;
      return ok(taken.value ? HELD : { kind: 'taken', by: 'another, at this moment' });
    },
    async release() {
      const all = [...held];
      held.clear();
      await Promise.all(all.map(([index, { text }]) => conditional.check(metaKey('bars', index), { ...COLUMN, from: text, to: text }, { kind: 'delete' }, null)));
    },
  };
}
