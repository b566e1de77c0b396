/** The entries of a MutateRows, written within a transaction, and the answer to them. New rows go in several at a time: a statement costs more than a row. */
import type { google } from '@google-cloud/bigtable-api/build/protos/protos.js';
import { type Entries, MAX_PACKED, packEntry, scratch } from './batch.ts';
import { varintSize, writeVarint } from './cells.ts';
import { data } from './protos.ts';
import { statusOf } from './status.ts';
import { ROWS_A_STATEMENT, type Table } from './tables.ts';

export type EntryStatus = google.rpc.IStatus;

const OK: EntryStatus = { code: 0 };

// Each row that waits has its place: its key, then its cells. Longer rows are packed behind all of these, one after the other.
const PLACE = 2048;
const KEY = 256;
const LONG_ROWS = PLACE * ROWS_A_STATEMENT;
const SHORT_ENTRY = (PLACE - KEY) / 2;
// The views of what is packed there are made once for each length: making one costs as much as packing a row.
const LENGTHS = 512;
const views: (Buffer | undefined)[] = Array.from({ length: ROWS_A_STATEMENT * (KEY + LENGTHS) });

/** The first `length` bytes of that row's key, or its cells (at KEY). */
function viewOf(row: number, at: 0 | typeof KEY, length: number): Buffer {
  const start = row * PLACE + at;
  if (length >= (at === 0 ? KEY : LENGTHS)) return scratch.subarray(start, start + length);
  return (views[row * (KEY + LENGTHS) + at + length] ??= scratch.subarray(start, start + length));
}

/**
 * Writes the entries number `from` to `to` (not included) in their order and gives the status of each. `mutate` is the general way: it reads the row, changes it,
 * and throws a StatusError where the entry must be refused. Errors of SQLite pass through.
 */
export function writeEntries({ source, bounds }: Entries, from: number, to: number, table: Table, mutate: (entry: Buffer) => void): EntryStatus[] {
  const statuses = Array.from({ length: to - from }, () => OK);
  const general = (index: number): void => {
    try {
      mutate(source.subarray(bounds[2 * index], bounds[2 * index + 1]));
    } catch (error) {
      if (error instanceof Error && 'errcode' in error) throw error;
      const { code, details } = statusOf(error);
      statuses[index - from] = { code, message: details };
    }
  };
  // Keys and cells in turn, of entries from `first` on.
  let waiting: Buffer[] = [];
  let first = 0;
  let long = LONG_ROWS;
  const flush = (): void => {
    const rows = waiting.length / 2;
    if (rows === ROWS_A_STATEMENT) {
      // Some were there already: the general way for all of them. For one that is new now it changes nothing, as its versions are its own.
      if (table.rows.addSome.run(...waiting).changes !== rows) for (let i = 0; i < rows; i++) general(first + i);
    } else {
      for (let i = 0; i < rows; i++) if (table.rows.add.run(waiting[2 * i] as Buffer, waiting[2 * i + 1] as Buffer).changes !== 1) general(first + i);
    }
    waiting = [];
    long = LONG_ROWS;
  };
  for (let index = from; index < to; index++) {
    const [start, end] = [bounds[2 * index] ?? 0, bounds[2 * index + 1] ?? 0];
    const row = waiting.length / 2;
    const short = end - start <= SHORT_ENTRY;
    const packed = packEntry(source, start, end, table.families, short ? row * PLACE + KEY : long);
    if (!packed) {
      flush();
      general(index);
      continue;
    }
    if (row === 0) first = index;
    const { keyStart, keyEnd, cellsEnd } = packed;
    if (short && keyEnd - keyStart < KEY) {
      for (let i = keyStart, at = row * PLACE; i < keyEnd; i++, at++) scratch[at] = source[i] ?? 0;
      waiting.push(viewOf(row, 0, keyEnd - keyStart), viewOf(row, KEY, cellsEnd - row * PLACE - KEY));
    } else {
      const at = short ? row * PLACE + KEY : long;
      waiting.push(source.subarray(keyStart, keyEnd), scratch.subarray(at, cellsEnd));
      if (!short) long = cellsEnd;
    }
    if (waiting.length === 2 * ROWS_A_STATEMENT || long > MAX_PACKED) flush();
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
