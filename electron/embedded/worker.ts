/** The store's thread: opens the data, serves it, tells the address, and ends when asked. Entry of dist/electron/store-worker.js. */
import { parentPort, workerData } from 'node:worker_threads';
import { failed, ok, type Problem, problem, type Result } from '../../shared/result.ts';
import { openFolder, openMemory } from './database.ts';
import { type FolderLock, lockFolder } from './lock.ts';

export interface StoreOptions {
  /** Folder of the data; null keeps it in memory. */
  readonly data: string | null;
  /** 0 takes a free one. */
  readonly port: number;
  readonly host?: string;
}

export type FromWorker = { readonly kind: 'started'; readonly result: Result<{ address: string }> } | { readonly kind: 'log'; readonly line: string } | { readonly kind: 'closed' };

async function start({ data, port, host = '127.0.0.1' }: StoreOptions, log: (line: string) => void): Promise<Result<{ address: string; close(): Promise<void> }>> {
  let lock: FolderLock | null = null;
  if (data !== null) {
    const locked = lockFolder(data);
    if (!locked.ok) return locked;
    lock = locked.value;
  }
  const opened = data === null ? ok(openMemory()) : openFolder(data);
  if (!opened.ok) {
    lock?.release();
    return opened;
  }
  const database = opened.value;
  try {
    const { serve } = await import('./server.ts'); // gRPC and its messages: a folder that is refused need not wait for them
    const server = await serve(database, host, port, log);
    const address = `${host}:${server.port}`;
    lock?.announce(address);
    return ok({
      address,
      async close() {
        await server.close();
        database.close();
        lock?.release();
      },
    });
  } catch (error) {
    database.close();
    lock?.release();
    return failed(bindProblem(host, port, error));
  }
}

function bindProblem(host: string, port: number, error: unknown): Problem {
  const text = error instanceof Error ? error.message : String(error);
  if (/EADDRINUSE/.test(text)) return problem('PORT_IN_USE', `port ${port} of ${host} is in use`, 'name another with --port, or 0 for a free one');
  if (/EACCES/.test(text)) return problem('BAD_INPUT', `port ${port} of ${host} is not allowed`, 'name one above 1023, or 0 for a free one');
  if (/EADDRNOTAVAIL|ENOTFOUND|name resolution/i.test(text)) return problem('BAD_INPUT', `${host} is not an address of this machine`, 'use 127.0.0.1');
  return problem('INTERNAL', `the store could not start: ${text}`, 'report this');
}

const port = parentPort;
if (port) {
  const tell = (message: FromWorker): void => port.postMessage(message);
  const started = await start(workerData as StoreOptions, (line) => tell({ kind: 'log', line }));
  tell({ kind: 'started', result: started.ok ? ok({ address: started.value.address }) : started });
  if (!started.ok) port.close();
  else {
    port.once('message', () => {
      void started.value.close().finally(() => {
        tell({ kind: 'closed' });
        port.close();
      });
    });
  }
}
