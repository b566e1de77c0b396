/**
 * The same generated requests to the embedded store and to Google's emulator, every answer compared. Bounded by time; for a long run set
 * FRONTROW_DIFFERENTIAL_SECONDS (and FRONTROW_DIFFERENTIAL_SEED to repeat one).
 */
import type { google } from '@google-cloud/bigtable-api/build/protos/protos.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Case, DIFFERENCES } from './differences.ts';
import { type Answer, latin, type RawClient, rawClient, type RawCell, type RawRead, type RawRow } from './rawClient.ts';
import { FAMILIES, type Filter, read, type Write, write } from './requests.ts';
import { type Server, startEmbedded } from './servers.ts';
import { startEmulator } from '../../emulator/emulator.ts';

const SECONDS = Number(process.env['FRONTROW_DIFFERENTIAL_SECONDS'] ?? 12);
const SEED = Number(process.env['FRONTROW_DIFFERENTIAL_SEED'] ?? 20_261);
const PARENT = 'projects/p/instances/i';
const LANES = 4;

const status = (answer: Answer<unknown>): { code: number; details: string } => (answer.ok ? { code: 0, details: '' } : answer);
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const isNow = (micros: string): boolean => micros.length === 16 && micros.startsWith('1');

/** Server times alike, and cells that differ in nothing but what a filter made of them in one order. */
function comparable(rows: readonly RawRow[]): string {
  const order = ([family, qualifier, micros]: RawCell): string => JSON.stringify([family, qualifier, micros]);
  return JSON.stringify(rows.map(({ key, cells }) => {
    const groups = new Map<string, RawCell[]>();
    for (const cell of cells) groups.set(order(cell), [...(groups.get(order(cell)) ?? []), cell]);
    return [key, [...groups.values()].flatMap((group) => group.map(([family, qualifier, micros, value, labels]) => [family, qualifier, isNow(micros) ? 'now' : micros, value, labels]).map((cell) => JSON.stringify(cell)).toSorted())];
  }));
}
const rowsOf = (answer: Answer<RawRead>): readonly RawRow[] => (answer.ok ? answer.messages[0]?.rows ?? [] : []);

interface Pair { readonly ours: RawClient; readonly theirs: RawClient; readonly table: string; readonly seen: Map<string, number>; count: number }

/** The name of the listed difference that explains a case; fails where none does. */
function explained(pair: Pair, one: Case, request: unknown, answers: unknown): void {
  const found = DIFFERENCES.find(({ explains }) => explains(one));
  if (!found) throw new Error(`unexplained: ${one.kind} ${JSON.stringify(request, replacer)}\n${JSON.stringify(one)}\n${JSON.stringify(answers)}`);
  pair.seen.set(found.name, (pair.seen.get(found.name) ?? 0) + 1);
}
const replacer = (_: string, value: unknown): unknown => (typeof value === 'object' && value !== null && 'data' in value && Array.isArray(value.data) ? `bytes ${JSON.stringify(Buffer.from(value.data as number[]).toString('latin1'))}` : value);

async function sameRead(pair: Pair, request: Parameters<RawClient['read']>[0]): Promise<void> {
  const asked = { ...request, tableName: pair.table };
  const [ours, theirs] = await Promise.all([pair.ours.read(asked), pair.theirs.read(asked)]);
  pair.count++;
  if (status(ours).code === status(theirs).code && comparable(rowsOf(ours)) === comparable(rowsOf(theirs))) return;
  let agreesWithoutLimit = false;
  if (Number(asked.rowsLimit) > 0 && ours.ok && theirs.ok) {
    const [all, others] = (await Promise.all([pair.ours.read({ ...asked, rowsLimit: 0 }), pair.theirs.read({ ...asked, rowsLimit: 0 })])).map(rowsOf);
    agreesWithoutLimit = comparable(all ?? []) === comparable(others ?? []) && comparable((all ?? []).slice(0, Number(asked.rowsLimit))) === comparable(rowsOf(ours));
  }
  explained(pair, { kind: 'read', filter: asked.filter ?? null, ours: status(ours), theirs: status(theirs), agreesWithoutLimit }, asked, [ours, theirs]);
}

/** Both rows away: what a refused or differing write left behind is not atomic in the emulator. */
async function forget({ ours, theirs, table }: Pair, key: string): Promise<void> {
  for (const client of [ours, theirs]) await client.mutateRow({ tableName: table, rowKey: bytes(key), mutations: [{ deleteFromRow: {} }] });
}

async function sameWrite(pair: Pair, one: Write): Promise<void> {
  const { table: tableName, ours, theirs } = pair;
  const both = <T>(call: (client: RawClient) => Promise<Answer<T>>): Promise<[Answer<T>, Answer<T>]> => Promise.all([call(ours), call(theirs)]);
  const told = (kind: Case['kind'], filter: Filter | null, a: Case['ours'], b: Case['ours'], answers: unknown = null): void => explained(pair, { kind, filter, ours: a, theirs: b, agreesWithoutLimit: false }, one, answers);
  pair.count++;
  if (one.kind === 'many') {
    const [mine, other] = await both((client) => client.mutateRows({ tableName, entries: one.entries.map(({ key, mutations }) => ({ rowKey: bytes(key), mutations })) }));
    if (status(mine).code !== status(other).code) throw new Error(`MutateRows failed as a whole: ${JSON.stringify([mine, other])}`);
    if (mine.ok && other.ok) for (const [i, { key, mutations }] of one.entries.entries()) {
      const [a, b] = [mine.messages[0]?.[i] ?? -1, other.messages[0]?.[i] ?? -1];
      if (a !== b) told('many', null, { code: a, details: mutations.length === 0 ? 'No mutations provided' : '' }, { code: b, details: '' });
      if (a !== 0) await forget(pair, key);
    }
  } else {
    const rowKey = bytes(one.key);
    const filter = one.kind === 'check' ? one.predicate : null;
    const [mine, other] = one.kind === 'mutate' ? await both((client) => client.mutateRow({ tableName, rowKey, mutations: one.mutations }))
      : one.kind === 'check' ? await both((client) => client.checkAndMutateRow({ tableName, rowKey, predicateFilter: one.predicate, trueMutations: one.yes, falseMutations: one.no }))
      : await both((client) => client.readModifyWriteRow({ tableName, rowKey, rules: one.rules }));
    const differs = status(mine).code !== status(other).code || (mine.ok && other.ok && content(mine.messages[0]) !== content(other.messages[0]));
    if (differs) told(one.kind, filter, status(mine), status(other), [mine, other]);
    if (differs || !mine.ok) await forget(pair, one.key);
  }
  await new Promise((resolve) => setTimeout(resolve, 2)); // no two writes of server time in one millisecond
}

/** The answer to a conditional write, or the cells of a row. */
function content(message: unknown): string {
  if (typeof message !== 'object' || message === null) return String(message);
  return JSON.stringify(((message as google.bigtable.v2.IRow).families ?? []).flatMap(({ name, columns }) => (columns ?? []).flatMap(({ qualifier, cells }) =>
    (cells ?? []).map(({ timestampMicros, value }) => [name, latin(qualifier), isNow(String(timestampMicros)) ? 'now' : String(timestampMicros), latin(value)]))));
}

test('every answer is the same, or its difference is listed with the reason', async (context) => {
  const started = await startEmulator();
  if ('skipped' in started) context.skip(started.skipped);
  const emulator = started as Server;
  const store = await startEmbedded();
  const [ours, theirs] = [rawClient(store.address), rawClient(emulator.address)];
  const seen = new Map<string, number>();
  let tables = 0, count = 0;
  try {
    await Promise.all(Array.from({ length: LANES }, (_, lane) => fc.assert(fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 15 }), fc.array(read, { minLength: 5, maxLength: 25 }), async (writes, reads) => {
      const name = `t${++tables}`;
      const pair: Pair = { ours, theirs, table: `${PARENT}/tables/${name}`, seen, count: 0 };
      // One family after the other: the emulator numbers those of one request in the order of a Go map.
      for (const client of [ours, theirs]) expect(await client.createTable({ parent: PARENT, tableId: name, table: { columnFamilies: { [FAMILIES[0]]: {} } } })).toMatchObject({ ok: true });
      for (const id of FAMILIES.slice(1)) for (const client of [ours, theirs]) expect(await client.addFamily(pair.table, id)).toMatchObject({ ok: true });
      try {
        for (const one of writes) await sameWrite(pair, one);
        await sameRead(pair, {});
        await Promise.all(reads.map((request) => sameRead(pair, request)));
      } finally {
        for (const client of [ours, theirs]) await client.deleteTable(pair.table);
        count += pair.count;
      }
    }), { seed: SEED + lane, numRuns: 1_000_000, interruptAfterTimeLimit: SECONDS * 1000, markInterruptAsFailure: false })));
  } finally {
    ours.close();
    theirs.close();
    await Promise.all([store.stop(), emulator.stop()]);
    console.log(`differential: ${count} requests, seed ${SEED}; explained: ${JSON.stringify(Object.fromEntries(seen))}`);
  }
  expect(count).toBeGreaterThan(200);
}, (SECONDS + 90) * 1000);
