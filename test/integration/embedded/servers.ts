/** The servers that one suite of expectations runs against, and a client of each. */
import { Bigtable } from '@google-cloud/bigtable';
import { startStore } from '../../../electron/embedded/startStore.ts';
import { startEmulator } from '../../emulator/emulator.ts';

process.env['METADATA_SERVER_DETECTION'] = 'none';

export interface Server {
  readonly address: string;
  stop(): Promise<void>;
}

export const startEmbedded = async (data: string | null = null, port = 0): Promise<Server> => {
  const store = await startStore({ data, port });
  if (!store.ok) throw new Error(JSON.stringify(store.error));
  return { address: store.value.address, stop: () => store.value.close() };
};

export const SERVERS: readonly { name: string; isStore: boolean; start: () => Promise<Server | { skipped: string }> }[] = [
  { name: 'the embedded store', isStore: true, start: () => startEmbedded() },
  { name: "Google's emulator", isStore: false, start: startEmulator },
];

/** The official client, without its exporters. */
export function clientOf(address: string): Bigtable {
  process.env['BIGTABLE_EMULATOR_HOST'] = address; // read by the constructor
  const client = new Bigtable({ projectId: 'p', metricsEnabled: false });
  delete process.env['BIGTABLE_EMULATOR_HOST'];
  return client;
}

/** [key, family, qualifier, value, version in microseconds] of each cell, in the order of the answer. */
export type FlatCell = [key: string, family: string, qualifier: string, value: string, version: string];

interface ClientRow { readonly id: Buffer | string; readonly data: Record<string, Record<string, { value: Buffer | string; timestamp: string }[]>> }

export const flat = (rows: readonly unknown[]): FlatCell[] => (rows as ClientRow[]).flatMap(({ id, data }) =>
  Object.entries(data).toSorted(([a], [b]) => (a < b ? -1 : 1)).flatMap(([family, columns]) => Object.entries(columns).flatMap(([qualifier, cells]) =>
    cells.map(({ value, timestamp }): FlatCell => [id.toString(), family, qualifier, value.toString(), String(timestamp)]))));
