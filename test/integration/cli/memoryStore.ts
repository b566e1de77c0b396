/** Commands on a store in memory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { startStore } from '../../../electron/embedded/startStore.ts';
import { type Ended, frontrow } from './commandLine.ts';

/** A store in memory and a home folder, from the first test of a file to its last; commands on it think it is `now`. */
export function onMemoryStore(name: string, now: string): { readonly home: string; readonly address: () => string; readonly run: (...words: string[]) => Promise<Ended> } {
  const home = mkdtempSync(join(tmpdir(), `frontrow-${name}-`));
  let address = '';
  let stop = async (): Promise<void> => {};
  const run = (...words: string[]): Promise<Ended> => frontrow([...words, '--emulator', address, '--now', now], home);
  beforeAll(async () => {
    const store = await startStore({ data: null, port: 0 });
    if (!store.ok) throw new Error(store.error.what);
    ({ address } = store.value);
    stop = () => store.value.close();
    expect((await run('init')).code).toBe(0);
  });
  afterAll(async () => {
    await stop();
    rmSync(home, { recursive: true, force: true });
  });
  return { home, address: () => address, run };
}
