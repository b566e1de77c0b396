/** The embedded store: a Bigtable server on loopback, in a thread of its own. */
import { Worker } from 'node:worker_threads';
import { failed, ok, type Problem, problem, type Result } from '../../shared/result.ts';
import type { FromWorker, StoreOptions } from './worker.ts';

export { runningStore } from './lock.ts';

export interface Store {
  /** HOST:PORT, as BIGTABLE_EMULATOR_HOST takes it. */
  readonly address: string;
  /** Resolves once all that was acknowledged is on disk and the folder is free. */
  close(): Promise<void>;
}

/**
 * Starts a store on `data` (null: in memory, gone with the process). Fails with PORT_IN_USE, DATA_FOLDER_LOCKED (then
 * `runningStore` has the address of the one that is there), DATA_FOLDER_CORRUPT, or BAD_INPUT for a folder that cannot be used.
 * `onProblem` gets one line for each call that failed by the store's fault, and one if the thread ends by itself.
 */
export async function startStore(options: StoreOptions & { onProblem?: (line: string) => void }): Promise<Result<Store>> {
  const { onProblem, ...workerData } = options;
  const worker = new Worker(workerUrl(), { workerData, name: 'store', resourceLimits: { maxYoungGenerationSizeMb: 64 } });
  let closing = false;
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const result = await new Promise<Result<{ address: string }>>((resolve) => {
    const broken = (text: string): void => {
      if (!closing) onProblem?.(`the store ended: ${text}`);
      resolve(failed(brokenProblem(text)));
    };
    worker.on('error', (error) => broken(error instanceof Error ? error.message : String(error)));
    worker.on('exit', (code) => broken(`exit code ${code}`));
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'started') {
        closing = !message.result.ok;
        resolve(message.result);
      } else if (message.kind === 'log') onProblem?.(message.line);
    });
  });
  if (!result.ok) {
    await ended;
    return result;
  }
  return ok({
    address: result.value.address,
    async close() {
      if (!closing) {
        closing = true;
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
        worker.postMessage('close');
      }
      await ended;
    },
  });
}

const brokenProblem = (text: string): Problem => problem('INTERNAL', `the store's thread ended: ${text}`, 'report this');

/** Beside the built files its bundle; from source the module itself, whose types Node strips. */
const workerUrl = (): URL => new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './store-worker.js', import.meta.url);
