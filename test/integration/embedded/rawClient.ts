/** Raw calls: what a server answers, message by message and code by code, without a client's retries and checks. */
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import type { google } from '@google-cloud/bigtable-api/build/protos/protos.js';
import { admin, data, protobuf } from '../../../electron/embedded/protos.ts';

interface Codec<T> {
  encode(message: T): { finish(): Uint8Array };
}

/** The messages of a call that went well, or its code and text. */
export type Answer<T> = { readonly ok: true; readonly messages: readonly T[] } | { readonly ok: false; readonly code: number; readonly details: string };

/** [family, qualifier, microseconds, value, labels]; bytes as Latin-1. */
export type RawCell = readonly [family: string, qualifier: string, micros: string, value: string, labels: string];
export interface RawRow { readonly key: string; readonly cells: readonly RawCell[] }
export interface RawRead { readonly rows: readonly RawRow[]; readonly stats: google.bigtable.v2.IRequestStats | null }

const DATA = '/google.bigtable.v2.Bigtable/';
const TABLES = '/google.bigtable.admin.v2.BigtableTableAdmin/';
const DEADLINE_MS = 60_000;

export interface RawClient {
  read(request: google.bigtable.v2.IReadRowsRequest, features?: string): Promise<Answer<RawRead>>;
  mutateRow(request: google.bigtable.v2.IMutateRowRequest): Promise<Answer<object>>;
  /** The entries' codes, by index. */
  mutateRows(request: google.bigtable.v2.IMutateRowsRequest): Promise<Answer<readonly number[]>>;
  checkAndMutateRow(request: google.bigtable.v2.ICheckAndMutateRowRequest): Promise<Answer<boolean>>;
  readModifyWriteRow(request: google.bigtable.v2.IReadModifyWriteRowRequest): Promise<Answer<google.bigtable.v2.IRow>>;
  createTable(request: google.bigtable.admin.v2.ICreateTableRequest): Promise<Answer<object>>;
  addFamily(table: string, id: string): Promise<Answer<object>>;
  deleteTable(name: string): Promise<Answer<object>>;
  sampleRowKeys(tableName: string): Promise<Answer<google.bigtable.v2.ISampleRowKeysResponse>>;
  /** Any call, by its full path; no answer is decoded. */
  call(path: string): Promise<Answer<Uint8Array>>;
  close(): void;
}

export function rawClient(address: string): RawClient {
  const client = new Client(address, credentials.createInsecure(), { 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 });
  const stream = <Request, Response>(path: string, request: Codec<Request>, response: { decode(bytes: Uint8Array): Response }, message: Request, metadata = new Metadata()): Promise<Answer<Response>> =>
    new Promise((resolve) => {
      const messages: Response[] = [];
      const call = client.makeServerStreamRequest<Request, Response>(path, (value) => Buffer.from(request.encode(value).finish()), (bytes) => response.decode(bytes), message, metadata, { deadline: Date.now() + DEADLINE_MS });
      call.on('data', (each: Response) => messages.push(each));
      call.on('error', (error: Error & { code?: number; details?: string }) => resolve({ ok: false, code: error.code ?? -1, details: error.details ?? error.message }));
      call.on('end', () => resolve({ ok: true, messages }));
    });
  const unary = <Request, Response>(path: string, request: Codec<Request>, response: { decode(bytes: Uint8Array): Response }, message: Request): Promise<Answer<Response>> =>
    new Promise((resolve) => {
      client.makeUnaryRequest<Request, Response>(path, (value) => Buffer.from(request.encode(value).finish()), (bytes) => response.decode(bytes), message, new Metadata(), { deadline: Date.now() + DEADLINE_MS }, (error, value) => {
        resolve(error ? { ok: false, code: error.code, details: error.details } : { ok: true, messages: value === undefined ? [] : [value] });
      });
    });
  const mapped = <A, B>(answer: Answer<A>, map: (messages: readonly A[]) => B): Answer<B> => (answer.ok ? { ok: true, messages: [map(answer.messages)] } : answer);

  return {
    async read(request, features) {
      const metadata = new Metadata();
      if (features !== undefined) metadata.set('bigtable-features', features);
      const answer = await stream<google.bigtable.v2.IReadRowsRequest, google.bigtable.v2.IReadRowsResponse>(`${DATA}ReadRows`, data.ReadRowsRequest, data.ReadRowsResponse, request, metadata);
      return mapped(answer, (messages) => ({ rows: rowsOf(messages), stats: messages.find(({ requestStats }) => requestStats)?.requestStats ?? null }));
    },
    mutateRow: (request) => unary(`${DATA}MutateRow`, data.MutateRowRequest, data.MutateRowResponse, request),
    async mutateRows(request) {
      const answer = await stream<google.bigtable.v2.IMutateRowsRequest, google.bigtable.v2.IMutateRowsResponse>(`${DATA}MutateRows`, data.MutateRowsRequest, data.MutateRowsResponse, request);
      return mapped(answer, (messages) => messages.flatMap(({ entries }) => entries ?? []).toSorted((a, b) => Number(a.index) - Number(b.index)).map(({ status }) => status?.code ?? 0));
    },
    async checkAndMutateRow(request) {
      return mapped(await unary(`${DATA}CheckAndMutateRow`, data.CheckAndMutateRowRequest, data.CheckAndMutateRowResponse, request), ([message]) => message?.predicateMatched === true);
    },
    async readModifyWriteRow(request) {
      return mapped(await unary(`${DATA}ReadModifyWriteRow`, data.ReadModifyWriteRowRequest, data.ReadModifyWriteRowResponse, request), ([message]) => message?.row ?? {});
    },
    createTable: (request) => unary(`${TABLES}CreateTable`, admin.CreateTableRequest, admin.Table, request),
    addFamily: (name, id) => unary(`${TABLES}ModifyColumnFamilies`, admin.ModifyColumnFamiliesRequest, admin.Table, { name, modifications: [{ id, create: {} }] }),
    deleteTable: (name) => unary(`${TABLES}DeleteTable`, admin.DeleteTableRequest, protobuf.Empty, { name }),
    sampleRowKeys: (tableName) => stream(`${DATA}SampleRowKeys`, data.SampleRowKeysRequest, data.SampleRowKeysResponse, { tableName }),
    call: (path) => unary(path, { encode: () => ({ finish: () => new Uint8Array(0) }) }, { decode: (bytes) => bytes }, {}),
    close: () => client.close(),
  };
}

export const latin = (bytes: Uint8Array | string | null | undefined): string => Buffer.from((bytes ?? '') as Uint8Array).toString('latin1');

/** Chunks as rows. Throws on a stream that breaks the protocol's order. */
function rowsOf(messages: readonly google.bigtable.v2.IReadRowsResponse[]): RawRow[] {
  const rows: RawRow[] = [];
  let key: string | null = null, cells: RawCell[] = [];
  let family = '', qualifier = '', parts: string[] = [], head: { micros: string; labels: string } | null = null;
  for (const chunk of messages.flatMap(({ chunks }) => chunks ?? [])) {
    const own = latin(chunk.rowKey);
    if (own !== '' && key !== null && own !== key) throw new Error(`row ${own} begins within ${key}`);
    if (own !== '') key = own;
    if (chunk.familyName) family = chunk.familyName.value ?? '';
    if (chunk.qualifier) qualifier = latin(chunk.qualifier.value);
    head ??= { micros: String(chunk.timestampMicros ?? 0), labels: (chunk.labels ?? []).join() };
    parts.push(latin(chunk.value));
    if ((chunk.valueSize ?? 0) > 0) continue;
    cells.push([family, qualifier, head.micros, parts.join(''), head.labels]);
    [parts, head] = [[], null];
    if (!chunk.commitRow) continue;
    if (key === null) throw new Error('a row without a key');
    rows.push({ key, cells });
    [key, cells] = [null, []];
  }
  if (key !== null) throw new Error(`row ${key} is not committed`);
  return rows;
}
