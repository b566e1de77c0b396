/**
 * Which slot a new writer takes. No clock of another machine counts: a lease is over when its row has not changed for as long as the lease
 * lasts while we looked on, on our own elapsed time. Pure.
 */

/** The text of `m:l` in row `!writer#SLOT`. */
export type LeaseState =
  | { readonly kind: 'free'; readonly name: string }
  | { readonly kind: 'held'; readonly name: string; readonly token: string; readonly count: number; readonly leaseMs: number };

export interface SlotRow {
  readonly slot: number;
  /** Null: never leased. */
  readonly text: string | null;
  /** Elapsed milliseconds since this text was first seen, and whether another text was seen before it. */
  readonly seenMs: number;
  readonly changed: boolean;
}

export type Choice =
  | { readonly kind: 'take'; readonly slot: number; readonly text: string | null }
  /** A lease may be over soon: look again within so many milliseconds. */
  | { readonly kind: 'wait'; readonly ms: number };

const NAME = /^[!-~]{1,64}$/;
const HELD = /^held ([!-~]{1,64}) ([!-~]{1,64}) (\d{1,15}) (\d{1,7})$/;
const FREE = /^free ([!-~]{1,64})$/;
/** Of a row that is no lease of ours: as long as any lease may last. */
export const LONGEST_LEASE = 120_000;

export const isWriterName = (text: string): boolean => NAME.test(text);

export const leaseText = (state: LeaseState): string => (state.kind === 'free' ? `free ${state.name}` : `held ${state.name} ${state.token} ${state.count} ${state.leaseMs}`);

/** Undefined for text that is no lease. */
export function parseLease(text: string): LeaseState | undefined {
  const free = FREE.exec(text);
  if (free) return { kind: 'free', name: free[1] ?? '' };
  const held = HELD.exec(text);
  return held ? { kind: 'held', name: held[1] ?? '', token: held[2] ?? '', count: Number(held[3]), leaseMs: Math.min(LONGEST_LEASE, Number(held[4])) } : undefined;
}

/**
 * The slot that this name had before, so that a writer keeps its sequences over a failover; else one that nobody ever had, one that was
 * given back, one that was left; in this order.
 */
export function chooseSlot(name: string, rows: readonly SlotRow[]): Choice {
  const slots = rows.map((row) => {
    const state = row.text === null ? null : parseLease(row.text);
    const lasts = state?.kind === 'held' ? state.leaseMs : LONGEST_LEASE;
    return { ...row, own: state?.name === name, free: state?.kind === 'free', left: Math.max(0, lasts - row.seenMs) };
  });
  const take = ({ slot, text }: SlotRow): Choice => ({ kind: 'take', slot, text });
  const own = slots.find((one) => one.own);
  if (own && (own.free || own.left === 0)) return take(own);
  // another process of this name that still renews has it
  if (own && !own.changed) return { kind: 'wait', ms: own.left };
  const open = slots.find(({ text }) => text === null) ?? slots.find(({ free }) => free) ?? slots.find(({ free, left }) => !free && left === 0);
  return open ? take(open) : { kind: 'wait', ms: Math.min(LONGEST_LEASE, ...slots.map(({ left }) => left)) };
}
