/** SampleRowKeys: the initial splits, and a key at about every 16 MB; last the end of the table (an empty key) with its size. */
import type { google } from '@google-cloud/bigtable-api/build/protos/protos.js';
import { END, keyAfter } from './rowSet.ts';
import type { Table } from './tables.ts';

const SAMPLE_BYTES = 16 * 1024 * 1024;
/** Between two pages others may read and write. */
const PAGE_ROWS = 1000;

/** `table` is asked once a page and throws when it is gone; `pause` lets others pass. */
export async function sampleKeys(table: () => Table, pause: () => Promise<unknown>): Promise<google.bigtable.v2.ISampleRowKeysResponse[]> {
  const samples: { rowKey: Buffer; offsetBytes: number }[] = [];
  const { splits } = table();
  let [offset, next, split] = [0, SAMPLE_BYTES, 0];
  const passSplits = (key: Buffer | null): void => {
    for (const at of splits.slice(split)) {
      if (key !== null && Buffer.compare(at, key) > 0) break;
      samples.push({ rowKey: at, offsetBytes: offset });
      split++;
    }
  };
  for (let from: Buffer = Buffer.alloc(0); ;) {
    const page = table().rows.sizes.all(from, END, PAGE_ROWS) as unknown as [Uint8Array, number][];
    for (const [bytes, size] of page) {
      const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      passSplits(key);
      if (offset >= next) {
        if (!samples.at(-1)?.rowKey.equals(key)) samples.push({ rowKey: key, offsetBytes: offset });
        next = offset + SAMPLE_BYTES;
      }
      offset += key.length + size;
      from = key;
    }
    if (page.length < PAGE_ROWS) break;
    from = keyAfter(from);
    await pause();
  }
  passSplits(null);
  return [...samples, { rowKey: Buffer.alloc(0), offsetBytes: offset }];
}
