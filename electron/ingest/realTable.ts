/** Keeps replayed and simulated prices out of real tables. */
import { type Problem, problem } from '../../shared/result.ts';
import type { StoreAddress } from '../bigtable/reader.ts';

/**
 * Null where invented or old prices may go: the embedded store, an emulator on loopback, or a table whose name the user gave
 * twice (`intoRealTable`, the value of --into-real-table). Else the refusal.
 */
export function refuseRealTable(address: StoreAddress, intoRealTable: string | null, command = 'replay'): Problem | null {
  if (address.kind === 'embedded') return null;
  if (address.kind === 'emulator' && address.endpoint !== null && isLoopback(address.endpoint)) return null;
  if (intoRealTable === address.table) return null;
  const where = `${address.kind === 'emulator' ? `the emulator at ${address.endpoint ?? '?'}, which is not on this machine,` : `project ${address.project}, instance ${address.instance},`} table ${address.table}`;
  return intoRealTable === null
    ? problem('BAD_INPUT', `${command} would write prices that are not today's into ${where}`, `use --emulator on this machine or the embedded store, or name the table again: --into-real-table ${address.table}`)
    : problem('BAD_INPUT', `--into-real-table names ${JSON.stringify(intoRealTable.slice(0, 60))}, but the chosen store is ${where}`, 'name exactly the table that is to be written');
}

/** Whether HOST:PORT is this machine by its address alone: 127.0.0.0/8, ::1 or localhost. A name that only resolves to it is not trusted. */
export function isLoopback(endpoint: string): boolean {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+)):\d{1,5}$/i.exec(endpoint);
  const host = (match?.[1] ?? match?.[2] ?? '').toLowerCase();
  return host === 'localhost' || host === '::1' || host === '0:0:0:0:0:0:0:1' || /^127\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.test(host);
}
