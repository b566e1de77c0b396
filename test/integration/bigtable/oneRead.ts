/** A process of its own for credentials.test.ts: one read and one write with the credentials of its environment, printed as JSON. */
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../../electron/bigtable/connect.ts';
import { guardRejections } from '../../../electron/bigtable/guard.ts';
import type { StoreAddress } from '../../../electron/bigtable/reader.ts';
import { createWriter } from '../../../electron/bigtable/writer.ts';

const [mode = '', endpoint = null] = process.argv.slice(2);
const address: StoreAddress = { kind: 'bigtable', project: 'p', instance: 'i', table: 't', appProfile: 'dash board', endpoint };
const told: string[] = [];
guardRejections(address, (problem) => told.push(problem.code), (reason) => told.push(String(reason)));

async function official(): Promise<string> {
  const [servicePath, port] = (endpoint ?? '').split(':');
  const { Bigtable } = await import('@google-cloud/bigtable');
  // taken, though the types leave them out: `apiEndpoint` would mean an emulator, without credentials
  const service = { servicePath, port: Number(port) };
  const client = new Bigtable({ projectId: 'p', appProfileId: 'dash board', metricsEnabled: false, ...service });
  const table = client.instance('i').table('t');
  table.maxRetries = 0;
  return new Promise((resolve) => {
    table.createReadStream({ prefix: 'a', gaxOptions: { timeout: 3000 } }).on('data', () => undefined).on('error', (error: Error) => resolve(error.message)).on('end', () => resolve('end'));
  });
}

const reader = connect(address);
const outcome = mode === 'official' ? await official() : await reader.read({ ranges: [{ start: 'a', end: 'b' }], deadlineMs: 5000 });
const write = mode === 'write' ? (await createWriter(address).write([{ key: 'a', cells: [{ family: 'q', qualifier: 'p', value: '1' }] }], 1000n)).failed : [];
await sleep(500); // where an unhandled rejection would end the process
console.log(JSON.stringify({ outcome: typeof outcome === 'string' ? outcome : outcome.ok ? 'ok' : outcome.error, write: write.map(({ error }) => error.code), told }));
process.exit(0);
