/** The gRPC server: which call goes to which service, and how a request becomes a stream of answers. */
import type { DatabaseSync } from 'node:sqlite';
import { type Batch, cutBatch } from './batch.ts';
import { createCommits } from './commits.ts';
import { createDataService, type Features } from './dataService.ts';
import { type Handler, listen } from './grpc.ts';
import { createInstanceAdmin } from './instanceAdmin.ts';
import { admin, data, protobuf } from './protos.ts';
import { createReclaimer } from './reclaim.ts';
import { CODE, invalid, StatusError, statusOf } from './status.ts';
import { streamPages } from './streamPages.ts';
import { createTableAdmin } from './tableAdmin.ts';
import { openTables } from './tables.ts';

/** A message class of the static protos. */
interface Decoder<T> {
  decode(bytes: Uint8Array): T;
}
interface Codec<T> {
  encode(message: T): { finish(): Uint8Array };
}

// Read as bytes: a decoded batch is an object and two views per cell.
const BATCH: Decoder<Batch> = { decode: cutBatch };
const MAX_REQUEST = 256 * 1024 * 1024 + 1024 * 1024;

export interface StoreServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves the tables of `database` on host:port (0: a free one). Rejects where the port cannot be bound. The caller closes the database after the server. */
export async function serve(database: DatabaseSync, host: string, port: number, log: (line: string) => void): Promise<StoreServer> {
  const tables = openTables(database);
  const commits = createCommits(database);
  const reclaimer = createReclaimer(database, tables, commits, Date.now, log);
  const paths = new Paths();
  const service = createDataService(tables, commits, Date.now);
  const inTables = createTableAdmin(tables, commits);
  const inInstances = createInstanceAdmin(tables);

  paths.at('google.bigtable.v2.Bigtable')
    .stream('ReadRows', data.ReadRowsRequest, (call, request) => streamPages(call, service.readRows(request, featuresOf(call.header('bigtable-features')))))
    .messages('SampleRowKeys', data.SampleRowKeysRequest, data.SampleRowKeysResponse, (request) => service.sampleRowKeys(request))
    .stream('MutateRows', BATCH, async (call, batch) => {
      call.write(await service.mutateRows(batch));
      call.end();
    })
    .unary('MutateRow', data.MutateRowRequest, data.MutateRowResponse, (request) => service.mutateRow(request))
    .unary('CheckAndMutateRow', data.CheckAndMutateRowRequest, data.CheckAndMutateRowResponse, (request) => service.checkAndMutateRow(request))
    .unary('ReadModifyWriteRow', data.ReadModifyWriteRowRequest, data.ReadModifyWriteRowResponse, (request) => service.readModifyWriteRow(request))
    .unary('PingAndWarm', data.PingAndWarmRequest, data.PingAndWarmResponse, () => ({}));
  paths.at('google.bigtable.admin.v2.BigtableTableAdmin')
    .unary('CreateTable', admin.CreateTableRequest, admin.Table, (request) => inTables.createTable(request))
    .unary('GetTable', admin.GetTableRequest, admin.Table, (request) => inTables.getTable(request))
    .unary('ListTables', admin.ListTablesRequest, admin.ListTablesResponse, (request) => inTables.listTables(request))
    .unary('DeleteTable', admin.DeleteTableRequest, protobuf.Empty, (request) => inTables.deleteTable(request))
    .unary('ModifyColumnFamilies', admin.ModifyColumnFamiliesRequest, admin.Table, (request) => inTables.modifyColumnFamilies(request))
    .unary('DropRowRange', admin.DropRowRangeRequest, protobuf.Empty, (request) => inTables.dropRowRange(request))
    .unary('GenerateConsistencyToken', admin.GenerateConsistencyTokenRequest, admin.GenerateConsistencyTokenResponse, (request) => inTables.generateConsistencyToken(request))
    .unary('CheckConsistency', admin.CheckConsistencyRequest, admin.CheckConsistencyResponse, (request) => inTables.checkConsistency(request));
  paths.at('google.bigtable.admin.v2.BigtableInstanceAdmin')
    .unary('GetInstance', admin.GetInstanceRequest, admin.Instance, (request) => inInstances.getInstance(request))
    .unary('ListInstances', admin.ListInstancesRequest, admin.ListInstancesResponse, (request) => inInstances.listInstances(request))
    .unary('GetCluster', admin.GetClusterRequest, admin.Cluster, (request) => inInstances.getCluster(request))
    .unary('ListClusters', admin.ListClustersRequest, admin.ListClustersResponse, (request) => inInstances.listClusters(request))
    .unary('GetAppProfile', admin.GetAppProfileRequest, admin.AppProfile, (request) => inInstances.getAppProfile(request))
    .unary('ListAppProfiles', admin.ListAppProfilesRequest, admin.ListAppProfilesResponse, (request) => inInstances.listAppProfiles(request));

  const server = await listen(paths.handlers, host, port, MAX_REQUEST, (path, error) => {
    const status = statusOf(error);
    const { code, details } = status;
    if (code === CODE.internal || code === CODE.dataLoss || code === CODE.exhausted) log(`${path.slice(path.lastIndexOf('/') + 1)}: ${details}`);
    return status;
  });
  reclaimer.start();
  return {
    port: server.port,
    async close() {
      reclaimer.stop();
      commits.flush();
      // Open streams end at once: a client that reads slowly must not hold up the end.
      server.close();
      await new Promise(setImmediate);
      commits.flush();
    },
  };
}

/** FeatureFlags, base64url: which answers the client understands. */
function featuresOf(encoded: string | null): Features {
  if (encoded === null) return { reverseScans: false, lastScannedRow: false };
  try {
    const { reverseScans, lastScannedRowResponses } = data.FeatureFlags.decode(Buffer.from(encoded, 'base64url'));
    return { reverseScans, lastScannedRow: lastScannedRowResponses };
  } catch {
    return { reverseScans: false, lastScannedRow: false };
  }
}

/** Collects the calls of one service after another. */
class Paths {
  readonly handlers = new Map<string, Handler>();
  #service = '';

  at(service: string): this {
    this.#service = service;
    return this;
  }

  unary<Request, Response>(name: string, request: Decoder<Request>, response: Codec<Response>, answer: (request: Request) => Response | Promise<Response>): this {
    return this.messages(name, request, response, async (asked) => [await answer(asked)]);
  }

  /** A call whose answer's messages are there at once. */
  messages<Request, Response>(name: string, request: Decoder<Request>, response: Codec<Response>, answer: (request: Request) => Response[] | Promise<Response[]>): this {
    return this.stream(name, request, async (call, asked) => {
      for (const message of await answer(asked)) call.write(response.encode(message).finish());
      call.end();
    });
  }

  /** A call that writes encoded messages itself. */
  stream<Request>(name: string, request: Decoder<Request>, answer: (call: Parameters<Handler>[0], request: Request) => Promise<void>): this {
    this.handlers.set(`/${this.#service}/${name}`, async (call, message) => answer(call, decoded(request, message)));
    return this;
  }
}

/** Bytes that are no message are the client's fault. */
function decoded<Request>(decoder: Decoder<Request>, message: Buffer): Request {
  try {
    return decoder.decode(message);
  } catch (error) {
    throw error instanceof StatusError ? error : invalid(`The request is no message: ${error instanceof Error ? error.message : String(error)}`);
  }
}
