/** The embedded store and Google's emulator, in memory, from the first test of a file to its last. */
import { afterAll, test } from 'vitest';
import { startStore } from '../../electron/embedded/startStore.ts';
import { startEmulator } from '../emulator/emulator.ts';

/** Name and HOST:PORT of each. Where the emulator can't be had, a skipped test says why. */
export async function bothStores(): Promise<[name: string, endpoint: string][]> {
  const [emulator, embedded] = await Promise.all([startEmulator(), startStore({ data: null, port: 0 })]);
  if (!embedded.ok) throw new Error(embedded.error.what);
  afterAll(async () => {
    await embedded.value.close();
    if (!('skipped' in emulator)) await emulator.stop();
  });
  if ('skipped' in emulator) test(`Google's emulator: skipped, ${emulator.skipped}`, ({ skip }) => skip());
  return [['embedded', embedded.value.address], ...('skipped' in emulator ? [] : [['emulator', emulator.address] as [string, string]])];
}
