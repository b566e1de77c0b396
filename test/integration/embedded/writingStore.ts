/** A store in a process of its own, to be killed: prints its address as one JSON line. Arguments: the data folder. */
import { startStore } from '../../../electron/embedded/startStore.ts';

const store = await startStore({ data: process.argv[2] ?? null, port: 0 });
process.stdout.write(`${JSON.stringify(store.ok ? { address: store.value.address } : store.error)}\n`);
if (store.ok) process.once('SIGTERM', () => void store.value.close());
