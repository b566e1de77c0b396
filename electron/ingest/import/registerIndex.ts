/** A registry row for an index of which a file had bars: by its ticks alone it would be found without one, by its bars it would not. */
import { infoFor } from '../../../shared/indices.ts';
import type { Problem } from '../../../shared/result.ts';
import { type IndexId, keyAfter, metaKey } from '../../../shared/rowKey.ts';
import type { Reader, Writer } from '../../bigtable/reader.ts';

const DEADLINE = 20_000;

/** Writes nothing where the registry says anything of it. The name alone: all else stays what is built in, until an operator says otherwise. */
export async function registerIndex(index: IndexId, { reader, writer, machineMillis }: { readonly reader: Reader; readonly writer: Writer; readonly machineMillis: () => number }): Promise<Problem | null> {
  const key = metaKey('index', index);
  const known = await reader.read({ ranges: [{ start: key, end: keyAfter(key) }], limit: 1, deadlineMs: DEADLINE, families: ['m'] });
  if (!known.ok) return known.error;
  // empty columns alone: a name that was taken back
  if (known.rows.some(({ cells }) => [...cells.values()].some(({ value }) => value.length > 0))) return null;
  const outcome = await writer.write([{ key, cells: [{ family: 'm', qualifier: 'name', value: infoFor(index).name }] }], BigInt(Math.floor(machineMillis())) * 1000n);
  return outcome.failed[0]?.error ?? null;
}
