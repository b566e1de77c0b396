/**
 * The two messages of a read as protobuf bytes (google/bigtable/v2/bigtable.proto), by hand: the generated code for them comes only with
 * all of Bigtable's messages, which take longer to load than a cold first read takes to answer. Tests hold both to the generated code.
 *
 * Keys, families and qualifiers are strings of one character per byte (latin1): nothing is lost, and string order is byte order.
 */
import type { KeyRange } from '../../shared/rowKey.ts';
import { Cursor, LENGTH, tag, VARINT } from './cursor.ts';

export interface ReadRowsFields {
  /** `projects/P/instances/I/tables/T` */
  readonly tableName: string;
  readonly appProfile: string | null;
  readonly ranges: readonly KeyRange[];
  /** Whole rows; 0: all. */
  readonly limit: number;
  /** Only these families; all when empty. */
  readonly families: readonly string[];
  /** From the last row backwards. */
  readonly reversed?: boolean;
}

/** One chunk of a row; null where the message leaves a field out, which the chunk reader must tell from empty. */
export interface CellChunk {
  readonly rowKey: string;
  readonly family: string | null;
  readonly qualifier: string | null;
  readonly timestamp: bigint;
  readonly labels: readonly string[];
  /** A view into the message. */
  readonly value: Buffer;
  /** Size of the whole value while it is split over chunks, 0 on its last or only chunk. */
  readonly valueSize: number;
  readonly reset: boolean;
  readonly commit: boolean;
}


/**
 * A ReadRowsRequest for the newest cell of each column; null where a key has a character that is no byte. The ranges are written byte by byte
 * into one buffer: a desk's cycle has 500 of them, and as joined strings they were an eighth of its garbage.
 */
export function encodeReadRows(fields: ReadRowsFields): Buffer | null {
  const newest = number(12, 1);
  const families = fields.families.length === 0 ? '' : delimited(5, fields.families.join('|'));
  const filter = families === '' ? newest : delimited(1, delimited(1, families) + delimited(1, newest));
  let size = 0;
  for (const range of fields.ranges) size += fieldSize(rangeSize(range));
  const before = delimited(1, utf8(fields.tableName)) + varint(tag(2, LENGTH)) + varint(size);
  const after = delimited(3, filter) + (fields.limit > 0 ? number(4, fields.limit) : '') + (fields.appProfile === null ? '' : delimited(5, utf8(fields.appProfile))) + (fields.reversed === true ? number(7, 1) : '');
  const bytes = Buffer.allocUnsafe(before.length + size + after.length);
  let at = bytes.write(before, 'latin1');
  let characters = 0;
  for (const range of fields.ranges) {
    at = putHead(bytes, at, 2, rangeSize(range));
    at = putHead(bytes, at, 1, range.start.length);
    characters |= putText(bytes, at, range.start);
    at = putHead(bytes, at + range.start.length, 3, range.end.length);
    characters |= putText(bytes, at, range.end);
    at += range.end.length;
  }
  bytes.write(after, at, 'latin1');
  return characters > 0xff ? null : bytes;
}

/** A field of less than 2^28 bytes with its one-byte tag and its length. */
const fieldSize = (size: number): number => 1 + (size < 0x80 ? 1 : size < 0x4000 ? 2 : size < 0x20_0000 ? 3 : 4) + size;
const rangeSize = ({ start, end }: KeyRange): number => fieldSize(start.length) + fieldSize(end.length);

function putHead(bytes: Buffer, at: number, field: number, size: number): number {
  let next = at;
  bytes[next++] = tag(field, LENGTH);
  let left = size;
  for (; left >= 0x80; left >>>= 7) bytes[next++] = (left & 0x7f) | 0x80;
  bytes[next++] = left;
  return next;
}

/** Returns all characters ored together: over 0xff where one of them is no byte. */
function putText(bytes: Buffer, at: number, text: string): number {
  let characters = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    characters |= code;
    bytes[at + i] = code;
  }
  return characters;
}

const utf8 = (value: string): string => Buffer.from(value, 'utf8').toString('latin1');
const delimited = (field: number, body: string): string => varint(tag(field, LENGTH)) + varint(body.length) + body;
const number = (field: number, value: number): string => varint(tag(field, VARINT)) + varint(value);

function varint(value: number): string {
  if (value < 0x80) return String.fromCharCode(value);
  return String.fromCharCode((value % 0x80) | 0x80) + varint(Math.floor(value / 0x80));
}

/** Takes the parts of answers in their order. */
export interface AnswerTaker {
  /** How many bytes from `at` on are known already and need no reading; 0 where none are. Asked before each part. */
  known(bytes: Buffer, at: number): number;
  /** `from` and `to`: where it lies in the message. */
  chunk(chunk: CellChunk, from: number, to: number, bytes: Buffer): void;
  scanned(key: string): void;
}

/** A ReadRowsResponse. Throws RangeError where the bytes are not one. */
export function readAnswer(bytes: Buffer, taker: AnswerTaker): void {
  const cursor = new Cursor(bytes, 0, bytes.length);
  while (cursor.more()) {
    const from = cursor.at();
    const known = taker.known(bytes, from);
    if (known > 0) {
      cursor.pass(known);
      continue;
    }
    const key = cursor.length();
    if (key === tag(1, LENGTH)) taker.chunk(cursor.within(chunkAt), from, cursor.at(), bytes);
    else if (key === tag(2, LENGTH)) {
      const scanned = cursor.text();
      if (scanned !== '') taker.scanned(scanned);
    } else cursor.skip(key & 7);
  }
}

const NO_LABELS: readonly string[] = [];

/** A ReadRowsResponse.CellChunk. */
export const decodeChunk = (bytes: Buffer): CellChunk => chunkAt(new Cursor(bytes, 0, bytes.length));

function chunkAt(cursor: Cursor): CellChunk {
  let rowKey = '';
  let family: string | null = null;
  let qualifier: string | null = null;
  let timestamp = 0n;
  let labels = NO_LABELS;
  let value: Buffer = EMPTY;
  let valueSize = 0;
  let reset = false;
  let commit = false;
  while (cursor.more()) {
    const key = cursor.length();
    switch (key) {
      case tag(1, LENGTH): rowKey = cursor.text(); break;
      case tag(2, LENGTH): family = cursor.wrapped(); break;
      case tag(3, LENGTH): qualifier = cursor.wrapped(); break;
      case tag(4, VARINT): timestamp = cursor.int64(); break;
      case tag(5, LENGTH): labels = [...labels, cursor.text()]; break;
      case tag(6, LENGTH): value = cursor.bytes(); break;
      case tag(7, VARINT): valueSize = Number(cursor.int64()); break;
      // A oneof: the last of the two on the wire counts.
      case tag(8, VARINT): reset = cursor.int64() !== 0n; commit = false; break;
      case tag(9, VARINT): commit = cursor.int64() !== 0n; reset = false; break;
      default: cursor.skip(key & 7);
    }
  }
  return { rowKey, family, qualifier, timestamp, labels, value, valueSize, reset, commit };
}

const EMPTY = Buffer.alloc(0);
