/** The gRPC server: which call goes to which service, and how a request becomes a stream of answers. */
import { type handleServerStreamingCall, type handleUnaryCall, logVerbosity, type Metadata, Server, ServerCredentials, setLogVerbosity, type ServerWritableStream, type ServiceDefinition, type UntypedServiceImplementation } from '@grpc/grpc-js';
import type { DatabaseSync } from 'node:sqlite';
import { type Batch, cutBatch } from './batch.ts';
import { createCommits } from './commits.ts';
import { createDataService, type Features } from './dataService.ts';
import { createInstanceAdmin } from './instanceAdmin.ts';
import { admin, data, protobuf } from './protos.ts';
import { createReclaimer } from './reclaim.ts';
import { CODE, statusOf } from './status.ts';
import { streamPages } from './streamPages.ts';
import { createTableAdmin } from './tableAdmin.ts';
import { openTables } from './tables.ts';

/** A message class of the static protos. */
interface Decoder<T> {
  decode(bytes: Uint8Array): T;
}
interface Codec<T> extends Decoder<T> {
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
  // The library logs to stderr what it also returns; a failure is one line of ours. GRPC_VERBOSITY still has its way.
  if (process.env['GRPC_VERBOSITY'] === undefined) setLogVerbosity(logVerbosity.NONE);
  const tables = openTables(database);
  const commits = createCommits(database);
  const server = new Server({
    'grpc.max_receive_message_length': MAX_REQUEST, 'grpc.max_send_message_length': -1, 'grpc.so_reuseport': 0, 'grpc.keepalive_permit_without_calls': 1,
  });
  const reclaimer = createReclaimer(database, tables, commits, Date.now, log);
  const paths = new Paths(log);
  const service = createDataService(tables, commits, Date.now);
  const inTables = createTableAdmin(tables, commits);
  const inInstances = createInstanceAdmin(tables);

  paths.at('google.bigtable.v2.Bigtable')
    .stream('ReadRows', data.ReadRowsRequest, (call, request) => streamPages(call, service.readRows(request, featuresOf(call.metadata))))
    .messages('SampleRowKeys', data.SampleRowKeysRequest, data.SampleRowKeysResponse, (request) => service.sampleRowKeys(request))
    .stream('MutateRows', BATCH, async (call, batch) => {
      call.write(await service.mutateRows(batch));
      call.end();
    })
    .unary('MutateRow', data.MutateRowRequest, data.MutateRowResponse, (request) => service.mutateRow(request))
    .unary('CheckAndMutateRow', data.CheckAndMutateRowRequest, data.CheckAndMutateRowResponse, (request) => service.checkAndMutateRow(request))
    .unary('ReadModifyWriteRow', data.ReadModifyWriteRowRequest, data.ReadModifyWriteRowResponse, (request) => service.readModifyWriteRow(request))
    .unary('PingAndWarm', data.PingAndWarmRequest, data.PingAndWarmResponse, () => ({}))
    .addTo(server);
  paths.at('google.bigtable.admin.v2.BigtableTableAdmin')
    .unary('CreateTable', admin.CreateTableRequest, admin.Table, (request) => inTables.createTable(request))
    .unary('GetTable', admin.GetTableRequest, admin.Table, (request) => inTables.getTable(request))
    .unary('ListTables', admin.ListTablesRequest, admin.ListTablesResponse, (request) => inTables.listTables(request))
    .unary('DeleteTable', admin.DeleteTableRequest, protobuf.Empty, (request) => inTables.deleteTable(request))
    .unary('ModifyColumnFamilies', admin.ModifyColumnFamiliesRequest, admin.Table, (request) => inTables.modifyColumnFamilies(request))
    .unary('DropRowRange', admin.DropRowRangeRequest, protobuf.Empty, (request) => inTables.dropRowRange(request))
    .unary('GenerateConsistencyToken', admin.GenerateConsistencyTokenRequest, admin.GenerateConsistencyTokenResponse, (request) => inTables.generateConsistencyToken(request))
    .unary('CheckConsistency', admin.CheckConsistencyRequest, admin.CheckConsistencyResponse, (request) => inTables.checkConsistency(request))
    .addTo(server);
  paths.at('google.bigtable.admin.v2.BigtableInstanceAdmin')
    .unary('GetInstance', admin.GetInstanceRequest, admin.Instance, (request) => inInstances.getInstance(request))
    .unary('ListInstances', admin.ListInstancesRequest, admin.ListInstancesResponse, (request) => inInstances.listInstances(request))
    .unary('GetCluster', admin.GetClusterRequest, admin.Cluster, (request) => inInstances.getCluster(request))
    .unary('ListClusters', admin.ListClustersRequest, admin.ListClustersResponse, (request) => inInstances.listClusters(request))
    .addTo(server);

  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${host}:${port}`, ServerCredentials.createInsecure(), (error, at) => (error ? reject(error) : resolve(at)));
  });
  reclaimer.start();
  return {
    port: bound,
    async close() {
      reclaimer.stop();
      commits.flush();
      // Open streams end at once: a client that reads slowly must not hold up the end.
      server.forceShutdown();
      await new Promise(setImmediate);
      commits.flush();
    },
  };
}

/** FeatureFlags, base64url: which answers the client understands. */
function featuresOf(metadata: Metadata): Features {
  const [encoded] = metadata.get('bigtable-features');
  if (typeof encoded !== 'string') return { reverseScans: false, lastScannedRow: false };
  try {
    const { reverseScans, lastScannedRowResponses } = data.FeatureFlags.decode(Buffer.from(encoded, 'base64url'));
    return { reverseScans, lastScannedRow: lastScannedRowResponses };
  } catch {
    return { reverseScans: false, lastScannedRow: false };
  }
}

/** Collects the calls of one service after another. */
class Paths {
  readonly #log: (line: string) => void;
  #service = '';
  #definition: ServiceDefinition = {};
  #handlers: UntypedServiceImplementation = {};

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  at(service: string): this {
    this.#service = service;
    this.#definition = {};
    this.#handlers = {};
    return this;
  }

  unary<Request, Response>(name: string, request: Decoder<Request>, response: Codec<Response>, answer: (request: Request) => Response | Promise<Response>): this {
    this.#define(name, request, response, false);
    const handler: handleUnaryCall<Request, Response> = (call, callback) => {
      const reply = async (): Promise<void> => {
        let value: Response;
        try {
          value = await answer(call.request);
        } catch (error) {
          callback(this.#failure(name, error));
          return;
        }
        callback(null, value);
      };
      void reply();
    };
    this.#handlers[name] = handler as UntypedServiceImplementation[string];
    return this;
  }

  /** A call that streams its answer's messages at once. */
  messages<Request, Response>(name: string, request: Decoder<Request>, response: Codec<Response>, answer: (request: Request) => Response[] | Promise<Response[]>): this {
    this.#define(name, request, response, true);
    return this.#streaming<Request, Response>(name, async (call, asked) => {
      for (const message of await answer(asked)) call.write(message);
      call.end();
    });
  }

  /** A call that writes encoded messages itself. */
  stream<Request>(name: string, request: Decoder<Request>, answer: (call: ServerWritableStream<Request, Buffer>, request: Request) => Promise<void>): this {
    this.#define(name, request, null, true);
    return this.#streaming(name, answer);
  }

  addTo(server: Server): void {
    server.addService(this.#definition, this.#handlers);
  }

  #streaming<Request, Response>(name: string, answer: (call: ServerWritableStream<Request, Response>, request: Request) => Promise<void>): this {
    const handler: handleServerStreamingCall<Request, Response> = (call) => {
      void (async () => answer(call, call.request))().catch((error: unknown) => call.emit('error', this.#failure(name, error)));
    };
    this.#handlers[name] = handler as UntypedServiceImplementation[string];
    return this;
  }

  #define<Request, Response>(name: string, request: Decoder<Request>, response: Codec<Response> | null, responseStream: boolean): void {
    this.#definition = {
      ...this.#definition,
      [name]: {
        path: `/${this.#service}/${name}`, requestStream: false, responseStream, originalName: name,
        requestSerialize: () => Buffer.alloc(0), // a client's part
        requestDeserialize: (bytes: Buffer) => request.decode(bytes),
        responseSerialize: response ? (message: Response) => response.encode(message).finish() as Buffer : (bytes: Buffer) => bytes,
        responseDeserialize: (bytes: Buffer) => (response ? response.decode(bytes) : bytes),
      },
    };
  }

  #failure(name: string, error: unknown): { code: number; details: string } {
    const { code, details } = statusOf(error);
    if (code === CODE.internal || code === CODE.dataLoss || code === CODE.exhausted) this.#log(`${name}: ${details}`);
    return { code, details };
  }
}
