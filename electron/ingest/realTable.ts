/** Keeps replayed and simulated prices out of real tables. */
import { isLoopbackEndpoint } from '../../shared/loopback.ts';
import { type Problem, problem } from '../../shared/result.ts';
import type { StoreAddress } from '../bigtable/reader.ts';

/**
 * Null where invented or old prices may go: the embedded store, an emulator on loopback, or a table whose name the user gave
 * twice (`intoRealTable`, the value of --into-real-table). Else the refusal.
 */
export function refuseRealTable(address: StoreAddress, intoRealTable: string | null, command = 'replay'): Problem | null {
  if (address.kind === 'embedded') return null;
  if (address.kind === 'emulator' && address.endpoint !== null && isLoopbackEndpoint(address.endpoint)) return null;
  if (intoRealTable === address.table) return null;
  const where = `${address.kind === 'emulator' ? `the store at ${address.endpoint ?? '?'}, which is not on this machine,` : `project ${address.project}, instance ${address.instance},`} table ${address.table}`;
  return intoRealTable === null
    ? problem('BAD_INPUT', `${command} would write prices that are not today's into ${where}`, `use --emulator on this machine or the embedded store, or name the table again: --into-real-table ${address.table}`)
    : problem('BAD_INPUT', `--into-real-table names ${JSON.stringify(intoRealTable.slice(0, 60))}, but the chosen store is ${where}`, 'name exactly the table that is to be written');
}
