/** Opens the channel to a store. Loads grpc-js (and, for the service, Google's auth library) only here: the window is up before. */
import type { ChannelOptions, Client, Metadata, status } from '@grpc/grpc-js';
import { readHeaders } from './metadata.ts';
import type { StoreAddress } from './reader.ts';

export interface Dialled {
  readonly channel: ReturnType<Client['getChannel']>;
  /** Sent with every read. */
  readonly metadata: Metadata;
  /** Sent with a reversed read: a server refuses one from a client that does not announce it. */
  readonly reverseMetadata: Metadata;
  readonly status: typeof status;
  /** Calls under way end by themselves. */
  close(): void;
}

const CHANNEL: ChannelOptions = {
  // The defaults (1 s growing to 2 min) leave a desk blind long after its store is back; with these a 10 s outage ends within 0.6 s.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 500,
  // As the official client: finds a dead peer under a long call. Short calls find it by their deadline (connect.ts).
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.max_receive_message_length': -1,
  // Channels of one process share connections by default; then a new channel would get the half-open connection that it is to replace.
  'grpc.use_local_subchannel_pool': 1,
};

/** FeatureFlags { reverse_scans: true } of google/bigtable/v2/feature_flags.proto, in base64. */
const REVERSE_SCANS = 'CAE=';

/** The scopes of the official data client. */
const SCOPES = ['bigtable.data', 'bigtable.data.readonly', 'cloud-bigtable.data', 'cloud-bigtable.data.readonly', 'cloud-platform', 'cloud-platform.read-only']
  .map((name) => `https://www.googleapis.com/auth/${name}`);

/**
 * A channel that connects on its first call. Plain text and no credentials for the embedded store and emulators, which have neither; for
 * the service TLS and application default credentials. Rejects with the auth library's error where there are none.
 */
export async function dial(address: StoreAddress): Promise<Dialled> {
  const grpc = await import('@grpc/grpc-js');
  const metadata = new grpc.Metadata();
  for (const [name, value] of Object.entries(readHeaders(address))) metadata.set(name, value);
  const reverseMetadata = metadata.clone();
  reverseMetadata.set('bigtable-features', REVERSE_SCANS);
  const client = address.kind === 'bigtable' ? await dialService(address) : new grpc.Client(local(address), grpc.credentials.createInsecure(), { ...CHANNEL, ...proxyFor(address) });
  return { channel: client.getChannel(), metadata, reverseMetadata, status: grpc.status, close: () => client.close() };
}

/** Proxy variables of the environment hold for the network, never for a store on this machine. */
export const proxyFor = ({ endpoint }: StoreAddress): ChannelOptions => (/^(127\.|localhost:|\[::1\])/.test(endpoint ?? '') ? { 'grpc.enable_http_proxy': 0 } : {});

function local(address: StoreAddress): string {
  if (address.endpoint === null) throw new Error(`the ${address.kind} store has no address`);
  return address.endpoint;
}

/** google-gax makes the channel, as for the official client: the same credentials, quota project, client certificates and universe. */
async function dialService(address: StoreAddress): Promise<Client> {
  const { ClientStub, GrpcClient } = await import('google-gax');
  const universeDomain = process.env['GOOGLE_CLOUD_UNIVERSE_DOMAIN'] ?? 'googleapis.com';
  const [servicePath = '', port = '443'] = (address.endpoint ?? `bigtable.${universeDomain}`).split(':');
  // With the project given, it is not asked for over the network.
  const gax = new GrpcClient({ scopes: SCOPES, projectId: address.project });
  gax.auth.useJWTAccessWithScope = true;
  gax.auth.defaultServicePath = `bigtable.${universeDomain}`;
  gax.auth.defaultScopes = SCOPES;
  // First, and awaited: elsewhere this failure is a rejection that nobody handles.
  await gax.auth.getClient();
  return gax.createStub(ClientStub, { ...CHANNEL, servicePath, port: Number(port), universeDomain }, address.endpoint !== null);
}
