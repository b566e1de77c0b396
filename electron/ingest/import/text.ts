/** A file's bytes as text: gzip, byte order marks, UTF-16, windows-1252; and what is no table of prices at all. */
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { failed, ok, problem, type Result } from '../../../shared/result.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

const HEAD_BYTES = 65_536;

/** The file's bytes, unpacked where it is gzip. Ends its stream whichever way the reader leaves. */
async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  const file = createReadStream(path, { highWaterMark: 1 << 18 });
  const chunks = file[Symbol.asyncIterator]() as AsyncIterableIterator<Uint8Array>;
  try {
    const first = await chunks.next();
    if (first.done === true) return;
    const rest = async function* (): AsyncGenerator<Uint8Array> {
      yield first.value;
      yield* chunks;
    };
    if (first.value[0] !== 0x1f || first.value[1] !== 0x8b) yield* rest();
    else yield* gunzip(rest());
  } finally {
    file.destroy();
  }
}

async function* gunzip(packed: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const unpacker = createGunzip({ chunkSize: 1 << 18 });
  const feeding = (async () => {
    for await (const chunk of packed) {
      if (!unpacker.write(chunk)) await new Promise((resolve) => { unpacker.once('drain', resolve); unpacker.once('close', resolve); });
      if (unpacker.destroyed) return;
    }
    unpacker.end();
  })().catch((error: unknown) => { unpacker.destroy(error instanceof Error ? error : new Error(String(error))); });
  try {
    yield* unpacker as AsyncIterable<Uint8Array>;
  } finally {
    unpacker.destroy();
    await feeding;
  }
}

/** Text in chunks, without a byte order mark. `fatal`: throws TypeError at bytes that are not of the encoding. */
export async function* textOf(path: string, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: encoding === 'utf-8' });
  for await (const chunk of bytesOf(path)) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

export interface Head {
  readonly encoding: Encoding;
  readonly text: string;
}

/** The file's first text and its encoding. BAD_INPUT where it can't be opened, is empty, or is something else than a table. */
export async function readHead(path: string, name: string): Promise<Result<Head>> {
  const bytes = new Uint8Array(HEAD_BYTES);
  let size = 0;
  try {
    for await (const chunk of bytesOf(path)) {
      const part = chunk.subarray(0, HEAD_BYTES - size);
      bytes.set(part, size);
      size += part.length;
      if (size === HEAD_BYTES) break;
    }
  } catch (error) {
    return failed(problem('BAD_INPUT', `${name}: ${error instanceof Error ? error.message : String(error)}`, 'give a readable file'));
  }
  const head = bytes.subarray(0, size);
  const encoding = encodingOf(head);
  const text = new TextDecoder(encoding).decode(head);
  const refusal = notData(text);
  return refusal === null ? ok({ encoding, text }) : failed(problem('BAD_INPUT', `${name}: ${refusal.what}`, refusal.next));
}

function encodingOf(head: Uint8Array): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const sample = head.subarray(0, 200);
  const zeros = (odd: 0 | 1): number => sample.reduce((sum, byte, i) => sum + (byte === 0 && i % 2 === odd ? 1 : 0), 0);
  if (sample.length >= 8 && zeros(1) > sample.length * 0.4 && zeros(0) === 0) return 'utf-16le';
  if (sample.length >= 8 && zeros(0) > sample.length * 0.4 && zeros(1) === 0) return 'utf-16be';
  return 'utf-8';
}

/** What vendors send in place of data, and other kinds of files. */
function notData(text: string): { readonly what: string; readonly next: string } | null {
  const start = text.trimStart().slice(0, 2000);
  const quoted = JSON.stringify(start.replaceAll(/\s+/g, ' ').slice(0, 160));
  if (start === '') return { what: 'the file is empty', next: 'download it again' };
  if (/^<(?:!doctype|html|head|body|\?xml|!--)/i.test(start)) return { what: 'a web page, not data', next: 'open it in a browser to see what the vendor says, and download again' };
  if (start.startsWith('PK\u0003\u0004')) return { what: 'a zip archive or an Excel workbook', next: 'unpack it, or save the sheet as CSV' };
  if (start.includes('\0')) return { what: 'binary data, not text', next: 'export it as CSV' };
  if (/^(?:exceeded the daily hits limit|przekroczony dzienny limit)/i.test(start)) return { what: `the vendor's quota message in place of data: ${quoted}`, next: 'download again when the quota allows' };
  if (/^no data\.?\s*$/i.test(start)) return { what: 'the vendor had no data for the request', next: 'check the symbol and the dates' };
  return null;
}
