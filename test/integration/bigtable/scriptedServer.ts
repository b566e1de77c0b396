/** A Bigtable server whose every answer the test writes: for what no real store does on demand (refusals, silence, broken rows). */
import protos from '@google-cloud/bigtable-api/build/protos/protos.js';
import { type Metadata, Server, ServerCredentials, type ServerWritableStream } from '@grpc/grpc-js';

const { ReadRowsRequest, ReadRowsResponse } = protos.google.bigtable.v2;
export type ReadCall = ServerWritableStream<protos.google.bigtable.v2.ReadRowsRequest, protos.google.bigtable.v2.IReadRowsResponse>;

export interface ScriptedServer {
  readonly address: string;
  /** Of every read, in order. */
  readonly calls: { readonly metadata: Metadata; readonly call: ReadCall }[];
  close(): void;
}

/** Serves ReadRows by `answer`, which must end the call or leave it hanging. */
export async function startScripted(answer: (call: ReadCall) => void, credentials = ServerCredentials.createInsecure()): Promise<ScriptedServer> {
  const server = new Server();
  const calls: ScriptedServer['calls'] = [];
  server.addService(
    {
      readRows: {
        path: '/google.bigtable.v2.Bigtable/ReadRows', requestStream: false, responseStream: true,
        requestSerialize: (request) => Buffer.from(ReadRowsRequest.encode(request).finish()),
        requestDeserialize: (bytes) => ReadRowsRequest.decode(bytes),
        responseSerialize: (response) => Buffer.from(ReadRowsResponse.encode(ReadRowsResponse.fromObject(response)).finish()),
        responseDeserialize: (bytes) => ReadRowsResponse.decode(bytes),
      },
    },
    {
      readRows(call: ReadCall) {
        calls.push({ metadata: call.metadata, call });
        answer(call);
      },
    },
  );
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', credentials, (error, given) => (error ? reject(error) : resolve(given)));
  });
  return { address: `127.0.0.1:${bound}`, calls, close: () => server.forceShutdown() };
}

/** One whole row of one cell `q:p`. */
export const rowOf = (key: string, value = '1'): protos.google.bigtable.v2.ReadRowsResponse.ICellChunk => ({
  rowKey: Buffer.from(key), familyName: { value: 'q' }, qualifier: { value: Buffer.from('p') }, timestampMicros: 1000, value: Buffer.from(value), commitRow: true,
});
