/** Writes, gathered: all that arrive in one turn of the event loop share one transaction and so one sync of the disk. */
import type { DatabaseSync } from 'node:sqlite';
import { statusOf } from './status.ts';
import { transaction } from './tables.ts';

export interface Commits {
  /**
   * Runs `work` in the next transaction and resolves once it is on disk. Work that throws fails alone: it must not have written
   * before. An error of SQLite fails the whole transaction.
   */
  submit<T>(work: () => T): Promise<T>;
  /** Commits what waits, now. */
  flush(): void;
}

export function createCommits(database: DatabaseSync): Commits {
  let waiting: { run(): void; settle(failure: unknown): void }[] = [];

  const flush = (): void => {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    let failure: unknown = null;
    try {
      transaction(database, () => {
        for (const entry of batch) entry.run();
      });
    } catch (error) {
      failure = error;
    }
    for (const entry of batch) entry.settle(failure);
  };

  return {
    flush,
    submit: (work) => new Promise((resolve, reject) => {
      let settled: () => void = () => {};
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({
        run() {
          try {
            const value = work();
            settled = () => resolve(value);
          } catch (error) {
            if (error instanceof Error && 'errcode' in error) throw error;
            settled = () => reject(statusOf(error));
          }
        },
        settle: (failure) => (failure === null ? settled() : reject(statusOf(failure))),
      });
    }),
  };
}
