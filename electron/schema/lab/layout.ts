/** What a candidate layout is: rows for each event, and reads for each ask. */
import { mapInFlight } from './inFlight.ts';
import { type Ask, type Found, newestFirst } from './questions.ts';
import type { LabCell, LabRead, LabRow } from './labStore.ts';
import type { LabEvent, Workload } from './workload.ts';

export interface LabStore {
  /** Scans backwards where asked to. */
  readonly reverseScans: boolean;
  /** Throws a ProblemError. */
  read(read: LabRead): Promise<LabRow[]>;
}

export interface RowWrite {
  /** Short name of a table of this layout. */
  readonly table: string;
  readonly key: string;
  readonly cells: readonly LabCell[];
}

export interface LabLayout {
  readonly name: string;
  readonly title: string;
  /** Grammar of its keys. */
  readonly keys: string;
  /** What speaks for it, and what against: the hypothesis that the figures test. */
  readonly idea: string;
  /** Short names. */
  readonly tables: readonly string[];
  /** How long a row grows; absent: one event is one row. */
  readonly rowSpan?: 'hour' | 'ever';
  /** The rows of one event; those after the first are derived. */
  rows(event: LabEvent): RowWrite[];
  /** Newest first, as the model answers. */
  answer(ask: Ask, store: LabStore): Promise<Found[]>;
  /** Where it can't hold all events: those that are left after writing in this order, and why. */
  readonly keeps?: { readonly of: (events: readonly LabEvent[]) => LabEvent[]; readonly reason: string };
}

export type MakeLayout = (workload: Workload) => LabLayout;

/** Reads at the same time, as the dashboard's incident window. */
const IN_FLIGHT = 16;

/** All parts at most sixteen at a time, merged newest first. */
export async function gather<T>(parts: readonly T[], read: (part: T) => Promise<Found[]>): Promise<Found[]> {
  const found = await mapInFlight(parts, IN_FLIGHT, read);
  return found.flat().sort(newestFirst);
}

/** The text of `bytes` in all that stands beside a tick's own values. */
export const filler = (bytes: number, used: number): string => '.'.repeat(Math.max(0, bytes - used));

/** One column a value. */
export function columnsOf({ price, ingest }: LabEvent, bytes: number): LabCell[] {
  const rest = filler(bytes, price.length + 16);
  return [{ qualifier: 'i', value: String(ingest) }, { qualifier: 'p', value: price }, ...(rest === '' ? [] : [{ qualifier: 'x', value: rest }])];
}

/** All values in one cell. */
export function packedOf({ price, ingest }: LabEvent, bytes: number): string {
  const text = `${price}|${ingest}`;
  return `${text}|${filler(bytes, text.length)}`;
}

export function unpacked(value: Buffer): { price: string; ingest: bigint } {
  const [price = '', ingest = ''] = value.toString('latin1').split('|', 2);
  return { price, ingest: BigInt(ingest) };
}

export function columnsFound({ cells }: LabRow): { price: string; ingest: bigint } {
  const value = (qualifier: string): string => cells.find((cell) => cell.qualifier === qualifier)?.value.toString('latin1') ?? '';
  return { price: value('p'), ingest: BigInt(value('i') || '0') };
}
