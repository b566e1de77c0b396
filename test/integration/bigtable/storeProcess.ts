/** The embedded store in a process of its own, for tests that freeze and kill it: `node storeProcess.ts FOLDER PORT`. */
import { startStore } from '../../../electron/embedded/startStore.ts';

const [data = '', port = '0'] = process.argv.slice(2);
const store = await startStore({ data, port: Number(port) });
console.log(store.ok ? store.value.address : JSON.stringify(store.error));
