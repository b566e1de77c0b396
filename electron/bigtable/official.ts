/** The official client, for writes and administration. It takes 0.5 to 1 s to load and open: import this module when it is needed. */
import { Bigtable } from '@google-cloud/bigtable';
import { googleAuthLibrary } from 'google-gax';
import { proxyFor } from './dial.ts';
import type { StoreAddress } from './reader.ts';

/**
 * Rejects with the auth library's error where the service's credentials are missing. Close it with `close()`.
 */
export async function openOfficial(address: StoreAddress): Promise<Bigtable> {
  const options = {
    projectId: address.project,
    // Its exporter needs credentials even beside an emulator, and ends the process after 60 s where there are none.
    metricsEnabled: false,
    ...(address.appProfile === null ? {} : { appProfileId: address.appProfile }),
  };
  if (address.kind !== 'bigtable') {
    if (address.endpoint === null) throw new Error(`the ${address.kind} store has no address`);
    // Without an auth client it would look for a cloud machine's metadata server first, for seconds.
    return new Bigtable({ ...options, apiEndpoint: address.endpoint, ...proxyFor(address), authClient: new googleAuthLibrary.PassThroughClient() });
  }
  const client = withoutEmulator(() => new Bigtable(options));
  // First, and awaited: elsewhere this failure is a rejection that nobody handles.
  await client.auth.getClient();
  return client;
}

/** The client obeys BIGTABLE_EMULATOR_HOST by itself; where a table is asked for by address, the address decides. */
function withoutEmulator<T>(make: () => T): T {
  const host = process.env['BIGTABLE_EMULATOR_HOST'];
  delete process.env['BIGTABLE_EMULATOR_HOST'];
  try {
    return make();
  } finally {
    if (host !== undefined) process.env['BIGTABLE_EMULATOR_HOST'] = host;
  }
}
