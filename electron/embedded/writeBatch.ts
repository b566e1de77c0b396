/** The entries of a MutateRows, written within a transaction, and the answer to them. New rows go in several at a time: a statement costs more than a row. */
import type { google } from '@google-cloud/bigtable-api/build/protos/protos.js';
import { packEntry } from './batch.ts';
import { varintSize, writeVarint } from './cells.ts';
import { data } from './protos.ts';
import { statusOf } from './status.ts';
import { ROWS_A_STATEMENT, type Table } from './tables.ts';

export type EntryStatus = google.rpc.IStatus;

const OK: EntryStatus = { code: 0 };
const PACKED_BYTES = 1024 * 1024;

/**
 * Writes entries in their order and gives the status of each. `mutate` is the general way: it reads the row, changes it, and throws a
 * StatusError where the entry must be refused. Errors of SQLite pass through.
 */
export function writeEntries(entries: readonly Buffer[], table: Table, mutate: (entry: Buffer) => void): EntryStatus[] {
  const statuses = entries.map(() => OK);
  const general = (index: number): void => {
    try {
      mutate(entries[index] as Buffer);
    } catch (error) {
      if (error instanceof Error && 'errcode' in error) throw error;
      const { code, details } = statusOf(error);
      statuses[index] = { code, message: details };
    }
  };
  // Keys and cells in turn, of entries from `first` on; their cells lie in `bytes` of the packer's buffer.
  let waiting: Buffer[] = [];
  let first = 0;
  let bytes = 0;
  const flush = (): void => {
    const rows = waiting.length / 2;
    if (rows === ROWS_A_STATEMENT) {
      // Some were there already: the general way for all of them. For one that is new now it changes nothing, as its versions are its own.
      if (table.rows.addSome.run(...waiting).changes !== rows) for (let i = 0; i < rows; i++) general(first + i);
    } else {
      for (let i = 0; i < rows; i++) if (table.rows.add.run(waiting[2 * i] as Buffer, waiting[2 * i + 1] as Buffer).changes !== 1) general(first + i);
    }
    waiting = [];
    bytes = 0;
  };
  for (const [index, entry] of entries.entries()) {
    const packed = packEntry(entry, table.families, bytes);
    if (!packed) {
      flush();
      general(index);
      continue;
    }
    if (waiting.length === 0) first = index;
    waiting.push(packed.key, packed.cells);
    bytes += packed.cells.length;
    if (waiting.length === 2 * ROWS_A_STATEMENT || bytes > PACKED_BYTES) flush();
  }
  flush();
  return statuses;
}

/** One encoded MutateRowsResponse. */
export function batchAnswer(statuses: readonly EntryStatus[]): Buffer {
  const ROOM = 16;
  let answer = Buffer.allocUnsafe(ROOM * statuses.length);
  let at = 0;
  for (const [index, status] of statuses.entries()) {
    const encoded = status === OK ? NOTHING : data.MutateRowsResponse.Entry.encode({ status }).finish();
    const body = (index === 0 ? 0 : 1 + varintSize(index)) + (status === OK ? 2 : encoded.length);
    if (at + body + ROOM > answer.length) answer = Buffer.concat([answer.subarray(0, at)], 2 * (at + body + ROOM));
    answer[at++] = 0x0a; // entries
    at = writeVarint(answer, at, body);
    if (index !== 0) {
      answer[at++] = 0x08; // index
      at = writeVarint(answer, at, index);
    }
    if (status === OK) {
      answer[at++] = 0x12; // an empty status
      answer[at++] = 0;
    } else {
      answer.set(encoded, at);
      at += encoded.length;
    }
  }
  return answer.subarray(0, at);
}
const NOTHING = new Uint8Array(0);
