/** A slot of our own, `!writer#SLOT`: taken, renewed and given back by CheckAndMutateRow. */
import { failed, ok, type Problem, problem, type Result } from '../../../shared/result.ts';
import { keyAfter, metaKey } from '../../../shared/rowKey.ts';
import type { Conditional } from '../../bigtable/conditional.ts';
import type { Reader } from '../../bigtable/reader.ts';
import type { Sleep } from '../pacer.ts';
import { chooseSlot, isWriterName, leaseText, parseLease, type SlotRow } from './slotChoice.ts';
import { LIVE_SLOTS } from './slot.ts';

export interface LeaseOptions {
  readonly reader: Reader;
  readonly conditional: Conditional;
  /** Of the writer, the same after a restart: it gets its slot back. 1 to 64 visible ASCII characters. */
  readonly name: string;
  /** Of this run, unlike any other. */
  readonly token: string;
  /** Milliseconds that never step back. */
  readonly elapsed: () => number;
  /** The machine's wall clock in milliseconds. */
  readonly machineMillis: () => number;
  readonly sleep: Sleep;
  readonly leaseMs?: number;
  /** Longest time that a write may be under way: none starts when the lease could end before it does. */
  readonly writeMs?: number;
  /** Longest time to wait for a slot. */
  readonly patienceMs?: number;
  readonly slots?: readonly number[];
  readonly onProblem?: (problem: Problem | null) => void;
  /** Once, where no slot can be taken at once. */
  readonly onWait?: () => void;
  readonly signal?: AbortSignal;
}

export interface Lease {
  readonly slot: number;
  /** Whether a write may start now. */
  stands(): boolean;
  /** Resolves when a write may start, which may need the store to confirm the lease again; fails once another writer has the slot, or when `signal` aborts. */
  standing(signal?: AbortSignal): Promise<Result<null>>;
  /** Gives the slot back; the name keeps it for its next run. Nothing may be under way any more. */
  release(): Promise<void>;
}

const COLUMN = { family: 'm', qualifier: 'l' } as const;
const DEADLINE = 5000;
const NAP = 250;
const STOPPED = problem('CANCELLED', 'writing was stopped', 'start it again to go on');

/** Fails with STORE_BUSY where every slot is held for longer than `patienceMs`. */
export async function takeLease(options: LeaseOptions): Promise<Result<Lease>> {
  const { name, token, elapsed, sleep, signal, leaseMs = 30_000, slots = LIVE_SLOTS } = options;
  if (!isWriterName(name) || !isWriterName(token)) return failed(problem('BAD_INPUT', `${JSON.stringify(name.slice(0, 80))} is no name of a writer`, 'use 1 to 64 visible ASCII characters without spaces'));
  const patienceMs = options.patienceMs ?? 2 * leaseMs + 5000;
  const begun = elapsed();
  let waited = false;
  const seen = new Map<number, { text: string | null; since: number; changed: boolean }>();
  for (;;) {
    if (signal?.aborted === true) return failed(STOPPED);
    const read = await readSlots(options, slots);
    const late = elapsed() - begun >= patienceMs;
    if (!read.ok) {
      if (!read.error.retryable || late) return read;
      await sleep(NAP, signal);
      continue;
    }
    const rows = slots.map((slot): SlotRow => {
      const text = read.value.get(slot) ?? null;
      let known = seen.get(slot);
      if (!known || known.text !== text) seen.set(slot, (known = { text, since: elapsed(), changed: known !== undefined }));
      return { slot, text, seenMs: elapsed() - known.since, changed: known.changed };
    });
    const choice = chooseSlot(name, rows);
    if (choice.kind === 'wait') {
      if (late) return failed(problem('STORE_BUSY', `all ${slots.length} writer slots are held`, 'stop a writer that is not needed, or wait until an abandoned slot is over', true));
      if (!waited) options.onWait?.();
      waited = true;
      await sleep(Math.min(NAP, Math.max(1, choice.ms)), signal);
      continue;
    }
    const text = leaseText({ kind: 'held', name, token, count: 0, leaseMs });
    const asked = { elapsed: elapsed(), wall: options.machineMillis() };
    const taken = await swap(options, choice.slot, choice.text, text);
    if (taken.ok && taken.value) return ok(hold({ ...options, leaseMs }, choice.slot, text, asked));
    if (!taken.ok) {
      // it may have been done all the same: then the row bears our token, and stays ours
      const now = await readSlots(options, [choice.slot]);
      if (now.ok && now.value.get(choice.slot) === text) return ok(hold({ ...options, leaseMs }, choice.slot, text, asked));
      if (!taken.error.retryable || late) return taken;
      await sleep(NAP, signal);
    }
  }
}

/** The texts of the slots that have one. */
async function readSlots({ reader }: LeaseOptions, slots: readonly number[]): Promise<Result<Map<number, string>>> {
  const keys = new Map(slots.map((slot) => [metaKey('writer', String(slot)), slot]));
  const ranges = [...keys.keys()].toSorted().map((key) => ({ start: key, end: keyAfter(key) }));
  const read = await reader.read({ ranges, deadlineMs: DEADLINE, families: ['m'] });
  if (!read.ok) return failed(read.error);
  const found = new Map<number, string>();
  for (const { key, cells } of read.rows) {
    const [slot, value] = [keys.get(key), cells.get('m:l')?.value];
    if (slot !== undefined && value !== undefined) found.set(slot, value.toString('utf8'));
  }
  return ok(found);
}

function swap({ conditional, machineMillis }: LeaseOptions, slot: number, from: string | null, to: string): Promise<Result<boolean>> {
  const key = metaKey('writer', String(slot));
  const change = { kind: 'replace', cells: [{ ...COLUMN, value: to }], version: BigInt(Math.floor(machineMillis())) * 1000n } as const;
  if (from !== null) return conditional.check(key, { ...COLUMN, from, to: from }, change, null);
  return conditional.check(key, COLUMN, null, change).then((done) => (done.ok ? ok(!done.value) : done));
}

function hold(options: LeaseOptions & { readonly leaseMs: number }, slot: number, first: string, asked: { elapsed: number; wall: number }): Lease {
  const { name, token, elapsed, machineMillis, leaseMs, sleep } = options;
  // no write may start so late that another writer could have the slot before it ends
  const trusted = leaseMs - (options.writeMs ?? 21_000);
  let text = first;
  let count = 0;
  // since before the store was asked
  let renewed = asked;
  const state: { lost: Problem | null } = { lost: null };
  let troubled = false;
  const stop = new AbortController();
  const waiting = new Set<() => void>();
  const wake = (): void => {
    const woken = [...waiting];
    waiting.clear();
    for (const one of woken) one();
  };
  // Both clocks: one stands still while the machine sleeps, the other may be set.
  const usable = (): boolean => elapsed() - renewed.elapsed < trusted && machineMillis() - renewed.wall < trusted;

  async function renew(): Promise<Problem | null> {
    const now = { elapsed: elapsed(), wall: machineMillis() };
    const next = leaseText({ kind: 'held', name, token, count: (count += 1), leaseMs });
    const swapped = await swap(options, slot, text, next);
    if (!swapped.ok) return swapped.error;
    if (swapped.value) {
      text = next;
      renewed = now;
      wake();
      return null;
    }
    // an earlier renewal of ours may have been done without our hearing of it
    const found = await look();
    if (!found.ok) return found.error;
    if (found.value.ours === null) state.lost = problem('CANCELLED', `the writer ${name} lost its slot ${slot} to ${found.value.holder}, and stopped writing`, 'check that no two writers have one name, then start it again');
    else text = found.value.ours;
    return null;
  }

  async function look(): Promise<Result<{ readonly ours: string | null; readonly holder: string }>> {
    const read = await readSlots(options, [slot]);
    if (!read.ok) return read;
    const found = read.value.get(slot) ?? '';
    const lease = parseLease(found);
    return ok({ ours: lease?.kind === 'held' && lease.token === token ? found : null, holder: lease?.name ?? 'nobody: its lease was deleted' });
  }

  async function keep(): Promise<void> {
    while (!stop.signal.aborted && state.lost === null) {
      await sleep(usable() && !troubled ? leaseMs / 8 : NAP, stop.signal);
      if (stop.signal.aborted) break;
      const trouble = await renew();
      if (trouble && !troubled) options.onProblem?.(trouble);
      if (!trouble && troubled) options.onProblem?.(null);
      troubled = trouble !== null;
    }
    wake();
  }
  const keeping = keep();

  return {
    slot,
    stands: () => state.lost === null && !stop.signal.aborted && usable(),
    async standing(signal) {
      signal?.addEventListener('abort', wake, { once: true });
      const givenUp = (): boolean => signal?.aborted === true;
      while (state.lost === null && !stop.signal.aborted && !givenUp() && !usable()) await new Promise<void>((resolve) => waiting.add(resolve));
      signal?.removeEventListener('abort', wake);
      if (state.lost !== null) return failed(state.lost);
      if (stop.signal.aborted) return failed(STOPPED);
      return usable() ? ok(null) : failed(problem('STORE_TIMEOUT', `slot ${slot} could not be renewed in time, so nothing is written`, 'check the store and the network to it', true));
    },
    async release() {
      stop.abort();
      await keeping;
      if (state.lost !== null) return;
      const free = leaseText({ kind: 'free', name });
      const given = await swap(options, slot, text, free);
      if (given.ok && given.value) return;
      const found = await look();
      if (found.ok && found.value.ours !== null) await swap(options, slot, found.value.ours, free);
    },
  };
}
