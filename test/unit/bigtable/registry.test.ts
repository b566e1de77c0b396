import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Reader, ReadRequest, Row } from '../../../electron/bigtable/reader.ts';
import { decodeRegistryRow, MAX_INDICES, readRegistry, registryRow } from '../../../electron/bigtable/registry.ts';
import type { IndexInfo } from '../../../shared/quote.ts';
import { REGIONS } from '../../../shared/quote.ts';
import { type Problem, problem } from '../../../shared/result.ts';
import { indexIdOf } from '../../../shared/rowKey.ts';

const row = (key: string, columns: Record<string, string | Buffer>): Row => ({
  key, cells: new Map(Object.entries(columns).map(([name, value]) => [`m:${name}`, { value: Buffer.from(value as string), version: 0n }])),
});

function reader(rows: readonly Row[], asked: ReadRequest[] = []): Reader {
  return {
    read(request) {
      asked.push(request);
      return Promise.resolve({ ok: true, rows: rows.slice(0, request.limit), elapsedMs: 1 });
    },
    renew() {},
    close: () => Promise.resolve(),
  };
}

const info = fc.record({
  id: fc.stringMatching(/^[A-Z0-9^._-]{1,24}$/).map(indexIdOf),
  name: fc.stringMatching(/^[A-Za-z0-9 &é€日-]{1,40}$/),
  mic: fc.option(fc.stringMatching(/^[A-Z0-9]{4}$/)),
  zone: fc.constantFrom('UTC', 'America/New_York', 'Asia/Kolkata'),
  region: fc.constantFrom(...REGIONS),
  currency: fc.option(fc.stringMatching(/^[A-Z]{3}$/)),
  decimals: fc.integer({ min: 0, max: 8 }),
  delayMs: fc.integer({ min: 0, max: 86_400_000 }),
  label: fc.option(fc.stringMatching(/^[A-Za-z0-9 ,()-]{1,40}$/)),
});

describe('registry rows', () => {
  test('what is written is read', () =>
    fc.assert(fc.property(info, (one: IndexInfo) => {
      const written = registryRow(one);
      const read = decodeRegistryRow(row(written.key, Object.fromEntries(written.cells.map(({ qualifier, value }) => [qualifier, value]))));
      expect(read).toEqual({ ok: true, value: one });
    })));

  test('a column that is absent takes what is built in, an empty one says none', () => {
    expect(decodeRegistryRow(row('!index#SPX', {}))).toMatchObject({ ok: true, value: { name: 'S&P 500', mic: 'XNYS', decimals: 2, label: null } });
    expect(decodeRegistryRow(row('!index#SPX', { mic: '', delayMs: '900000', name: '' }))).toMatchObject({ ok: true, value: { name: 'S&P 500', mic: null, delayMs: 900_000 } });
    expect(decodeRegistryRow(row('!index#MINE', { name: 'Ours' }))).toMatchObject({ ok: true, value: { name: 'Ours', mic: null, zone: 'UTC', region: 'Other', decimals: null } });
  });

  test.each([
    ['!index#spx', {}, 'the id'],
    ['!index#SPX', { mic: 'xnys' }, 'column m:mic'],
    ['!index#SPX', { zone: 'Mars/Olympus' }, 'column m:zone'],
    ['!index#SPX', { zone: '' }, 'column m:zone'],
    ['!index#SPX', { region: 'Moon' }, 'column m:region'],
    ['!index#SPX', { currency: 'dollars' }, 'column m:currency'],
    ['!index#SPX', { decimals: '9' }, 'column m:decimals'],
    ['!index#SPX', { decimals: '2.0' }, 'column m:decimals'],
    ['!index#SPX', { delayMs: '-1' }, 'column m:delayMs'],
    ['!index#SPX', { name: 'a\u001B[31m' }, 'column m:name'],
    ['!index#SPX', { name: 'x'.repeat(201) }, 'column m:name'],
    ['!index#SPX', { label: Buffer.from([0xff, 0xfe]) }, 'column m:label'],
  ])('%s %j is refused by row and column', (key, columns, where) => {
    const read = decodeRegistryRow({ key, cells: new Map(Object.entries(columns).map(([name, value]) => [`m:${name}`, { value: Buffer.from(value), version: 0n }])) });
    expect(read).toMatchObject({ ok: false, error: { code: 'BAD_DATA', what: expect.stringContaining(where) } });
    expect(read.ok || read.error.what).toContain(key);
  });

  test('a bad row is reported and its neighbours stay', async () => {
    const told: Problem[] = [];
    const asked: ReadRequest[] = [];
    const read = await readRegistry(reader([row('!index#DAX', {}), row('!index#SPX', { decimals: 'two' }), row('!index#UKX', {})], asked), 2000, (one) => told.push(one));
    expect(read).toMatchObject({ ok: true, value: [{ id: 'DAX' }, { id: 'UKX' }] });
    expect(told.map(({ what }) => what)).toEqual(['registry row "!index#SPX", column m:decimals is not a whole number of 0 to 8']);
    expect(asked).toMatchObject([{ ranges: [{ start: '!index#', end: '!index$' }], deadlineMs: 2000, families: ['m'] }]);
  });

  test('an index with another name since is listed under that', async () => {
    const read = await readRegistry(reader([row('!index#FB', {}), row('!index#META', { formerly: 'FB 1654732800000000' }), row('!index#X', { formerly: 'X 5' }), row('!index#WAS', { formerly: '' })]), 2000);
    expect(read).toMatchObject({ ok: true, value: [{ id: 'META' }, { id: 'X' }] });
  });

  test('an absurd registry is refused, a failed read is passed on', async () => {
    const many = Array.from({ length: MAX_INDICES + 1 }, (_, nth) => row(`!index#I${nth}`, {}));
    expect(await readRegistry(reader(many), 2000)).toMatchObject({ ok: false, error: { code: 'BAD_DATA' } });
    const down: Reader = { ...reader([]), read: () => Promise.resolve({ ok: false, error: problem('STORE_TIMEOUT', 'slow', 'wait', true), rows: [], scannedTo: null, elapsedMs: 1 }) };
    expect(await readRegistry(down, 2000)).toMatchObject({ ok: false, error: { code: 'STORE_TIMEOUT' } });
  });
});
