import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCurrentLayouts } from '../../../../electron/bigtable/layout/current.ts';
import { layoutReader } from '../../../../electron/bigtable/layout/layoutReader.ts';
import { layoutsOf } from '../../../../electron/bigtable/layout/layouts.ts';
import { homeOf, placesOf } from '../../../../electron/bigtable/layout/places.ts';
import { formatSchedule, type Schedule } from '../../../../electron/bigtable/layout/schedule.ts';
import type { Reader, ReadRequest, Row } from '../../../../electron/bigtable/reader.ts';
import { barKey, decodeKey, type IndexId, indexIdOf, keyAfter, type KeyRange, metaRange, tickKey } from '../../../../shared/rowKey.ts';
import { micros } from '../../../../shared/time.ts';
import { rowAt, rowsIn, tableReader, type TableReader } from './table.ts';

// Ids whose shards sort otherwise than they do: "SPX." and "SPX-" lie behind "SPX#" and before "SPX~".
const IDS = ['FB', 'META', 'SPX', 'SPX-', 'SPX.', 'SPX500', 'OLD', 'OLDER'].map(indexIdOf);
const LATEST = 40n; // all times of the model are 0..40 µs: collisions of every kind

const id = fc.constantFrom(...IDS);
const time = fc.bigInt({ min: 0n, max: LATEST }).map(micros);
const schedule = fc.uniqueArray(fc.record({ from: time, shards: fc.constantFrom(1, 2, 3, 5, 12) }), { selector: ({ from }) => from, maxLength: 3 }).map((all): Schedule => all.sort((a, b) => (a.from < b.from ? -1 : 1)));

interface World {
  readonly schedules: ReadonlyMap<IndexId, Schedule>;
  readonly formerly: ReadonlyMap<IndexId, { readonly id: IndexId; readonly until: bigint }>;
  /** Canonical keys of rows. */
  readonly keys: readonly string[];
}

const tick = fc.tuple(id, time, fc.integer({ min: 0, max: 2 })).map(([of, at, sequence]) => tickKey(of, at, sequence));
const bar = fc.tuple(id, fc.constantFrom('1s' as const, '1m' as const, '1d' as const), time).map(([of, resolution, at]) => barKey(of, resolution, at));
/** META was FB, which was OLDER; OLD was nobody. */
const world: fc.Arbitrary<World> = fc.record({
  schedules: fc.uniqueArray(fc.tuple(id, schedule), { selector: ([of]) => of, maxLength: 5 }).map((all) => new Map(all)),
  formerly: fc.record({ META: fc.option(time), FB: fc.option(time) }).map(({ META, FB }) => new Map([
    ...(META === null ? [] : [[indexIdOf('META'), { id: indexIdOf('FB'), until: META }] as const]),
    ...(FB === null ? [] : [[indexIdOf('FB'), { id: indexIdOf('OLDER'), until: FB }] as const]),
  ])),
  keys: fc.uniqueArray(fc.oneof({ weight: 5, arbitrary: tick }, { weight: 1, arbitrary: bar }), { maxLength: 120, size: 'max' }),
});

const registry = ({ schedules, formerly }: Pick<World, 'schedules' | 'formerly'>): Row[] => IDS.map((of): Row => ({
  key: `!index#${of}`,
  cells: new Map(Object.entries({ name: of, shards: formatSchedule(schedules.get(of) ?? []), formerly: formerly.has(of) ? `${formerly.get(of)?.id} ${formerly.get(of)?.until}` : '' })
    .map(([name, value]) => [`m:${name}`, { value: Buffer.from(value), version: 0n }])),
}));

/** The rows where a writer of ours puts them. */
function physical(given: World): Row[] {
  const layouts = layoutsOf(registry(given));
  const placed = new Map<string, Row>();
  for (const key of given.keys) {
    const home = homeOf(layouts, key);
    if (!home.ok) throw new Error(home.error.what);
    placed.set(home.value, rowAt(home.value, key));
  }
  return [...registry(given), ...placed.values()];
}

function nameAt({ formerly }: World, given: IndexId, at: bigint): IndexId {
  let name = given;
  for (let older = formerly.get(name); older && at < older.until; older = formerly.get(name)) name = older.id;
  return name;
}

/** What each index shows: its own rows, and before it got its name those of the old one. */
function canonical(given: World): Row[] {
  const rows = new Map<string, Row>();
  const eventOf = (key: string) => {
    const decoded = decodeKey(key);
    return decoded && 'time' in decoded ? decoded : null;
  };
  // Rows as they lie, without shards: index and time say which name they are written under.
  const written = given.keys.map((key) => {
    const at = eventOf(key)?.time ?? 0n;
    const separator = key.search(/[#@]/);
    return { name: nameAt(given, key.slice(0, separator) as IndexId, at), rest: key.slice(separator), time: at };
  });
  for (const one of IDS) {
    for (const { name, rest, time: at } of written) {
      // A name that is asked for by itself shows all that lies under it.
      if (nameAt(given, one, at) === name) rows.set(`${one}${rest}`, rowAt(`${one}${rest}`));
    }
  }
  return [...registry(given), ...rows.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

const rangeOf = (of: IndexId) => fc.tuple(fc.constantFrom('#', '@1m#', '@1s#', '@1d#'), fc.option(time), fc.option(time), fc.boolean()).map(([separator, newest, oldest, plus]): KeyRange => {
  const prefix = `${of}${separator}`;
  const [a, b] = newest !== null && oldest !== null && newest < oldest ? [oldest, newest] : [newest, oldest];
  const rts = (at: bigint): string => tickKey(of, micros(at)).slice(of.length + 1, of.length + 20);
  const start = a === null ? prefix : `${prefix}${rts(a)}${plus ? '#999998\0' : ''}`;
  return { start, end: b === null ? `${of}${separator.slice(0, -1)}$` : `${prefix}${rts(b)}$` };
}).filter(({ start, end }) => start < end);

/** Like the poller's: one stretch per index, in key order. */
const ranges = fc.uniqueArray(id.chain(rangeOf), { selector: ({ start }) => start.slice(0, start.search(/#/)), minLength: 1, maxLength: 6 }).map((all) => all.sort((a, b) => (a.start < b.start ? -1 : 1)));
const limit = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 8 }), fc.integer({ min: 100, max: 130 }));

function wrapped(plain: Reader): Reader {
  return layoutReader(plain, createCurrentLayouts(plain, () => 0), () => 0);
}

const keysOf = (rows: readonly Row[]): string[] => rows.map(({ key }) => key);
const ask = (reader: Reader, request: Pick<ReadRequest, 'ranges' | 'limit'>) => reader.read({ ...request, deadlineMs: 10_000 });

/** A row of an index that is known by another name is shown once, under its last. */
const lastName = (given: World, row: Row): boolean => {
  const decoded = decodeKey(row.key);
  if (!decoded || !('time' in decoded)) return true;
  return ![...given.formerly.values()].some(({ id: old, until }) => old === decoded.index && decoded.time < until);
};

describe('a table with shards and former names', () => {
  test('answers as one in which every row lies under its index', async () => {
    await fc.assert(fc.asyncProperty(world, fc.array(fc.record({ ranges, limit }), { minLength: 1, maxLength: 4 }), async (given, requests) => {
      const [rows, model] = [physical(given), canonical(given)];
      const reader = wrapped(tableReader(() => rows));
      for (const request of requests) {
        const outcome = await ask(reader, request);
        expect(outcome.ok && keysOf(outcome.rows)).toEqual(keysOf(rowsIn(model, request)));
      }
    }), { numRuns: 150 });
  });

  test('a read over many indices meets each row once, under its last name, and no shard', async () => {
    await fc.assert(fc.asyncProperty(world, limit, async (given, most) => {
      const rows = physical(given);
      const request = { ranges: [{ start: '-', end: '`' }], limit: most };
      const outcome = await ask(wrapped(tableReader(() => rows)), request);
      expect(outcome.ok && keysOf(outcome.rows)).toEqual(keysOf(rowsIn(canonical(given).filter((row) => lastName(given, row)), request)));
    }), { numRuns: 80 });
  });

  test('pages of any size add up to the whole, without a row twice', async () => {
    await fc.assert(fc.asyncProperty(world, fc.integer({ min: 1, max: 7 }), async (given, size) => {
      const reader = wrapped(tableReader(((rows) => () => rows)(physical(given))));
      const read: string[] = [];
      const [start, end] = ['META#', 'META$'];
      for (let from = start; ;) {
        const page = await ask(reader, { ranges: [{ start: from, end }], limit: size });
        if (!page.ok) throw new Error(page.error.what);
        read.push(...keysOf(page.rows));
        if (page.rows.length < size) break;
        from = keyAfter(read.at(-1) ?? '');
      }
      expect(read).toEqual(keysOf(rowsIn(canonical(given), { ranges: [{ start, end }] })));
    }), { numRuns: 60 });
  });

  test('a failed answer is a beginning of the whole one, and says no more than it knows', async () => {
    await fc.assert(fc.asyncProperty(world, fc.record({ ranges, limit }), fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 8 }), async (given, request, cuts) => {
      const [rows, model] = [physical(given), rowsIn(canonical(given), { ...request })];
      let broken = false;
      const plain = tableReader(() => rows, (asked, nth) => {
        if (!broken && asked.ranges[0]?.start.startsWith('!')) return Number.POSITIVE_INFINITY;
        broken = true;
        return cuts[nth % cuts.length] ?? 0;
      });
      const current = createCurrentLayouts(plain, () => 0);
      await current.fresh(1000);
      const outcome = await ask(layoutReader(plain, current, () => 0), request);
      if (outcome.ok) {
        expect(keysOf(outcome.rows)).toEqual(keysOf(model));
        return;
      }
      // dealRows of the feed: ranges up to scannedTo are whole, and any other is whole down to its last row
      expect(keysOf(outcome.rows)).toEqual(keysOf(model.slice(0, outcome.rows.length)));
      const whole = request.ranges.filter(({ end }) => outcome.scannedTo !== null && end <= outcome.scannedTo);
      for (const range of whole) expect(keysOf(rowsIn(outcome.rows, { ranges: [range] }))).toEqual(keysOf(rowsIn(canonical(given), { ranges: [range] })));
    }), { numRuns: 150 });
  });

  test('the place that the schedule names goes before another one of the same event', async () => {
    await fc.assert(fc.asyncProperty(world, async (given) => {
      const layouts = layoutsOf(registry(given));
      // Copies lie wherever a writer can have left them that knew nothing of shards, or had other ones.
      const strays = given.keys.flatMap((key) => placesOf(layouts, key)).map((key) => rowAt(key, 'stray'));
      const rows = new Map([...strays, ...physical(given)].map((row) => [row.key, row]));
      const reader = wrapped(tableReader(() => [...rows.values()]));
      for (const of of IDS.filter((one) => layouts.byId.get(one)?.formerly === null)) {
        const outcome = await ask(reader, { ranges: [{ start: `${of}#`, end: `${of}$` }] });
        if (!outcome.ok) throw new Error(outcome.error.what);
        expect(new Set(keysOf(outcome.rows)).size).toBe(outcome.rows.length);
        for (const row of outcome.rows) expect(row.cells.get('q:p')?.value.toString()).not.toBe('stray');
      }
    }), { numRuns: 60 });
  });

  test('whatever a read finds of an event, a deletion names', async () => {
    await fc.assert(fc.asyncProperty(world, fc.nat(), async (given, pick) => {
      const rows = physical(given);
      const key = given.keys[pick % Math.max(1, given.keys.length)];
      if (key === undefined) return;
      const gone = new Set(placesOf(layoutsOf(registry(given)), key));
      const reader = wrapped(tableReader(() => rows.filter((row) => !gone.has(row.key))));
      const outcome = await ask(reader, { ranges: [{ start: key, end: keyAfter(key) }] });
      expect(outcome).toMatchObject({ ok: true, rows: [] });
    }));
  });
});

describe('what it costs', () => {
  const sharded = [...registry({ schedules: new Map([[indexIdOf('SPX'), [{ from: micros(10n), shards: 4 }]]]), formerly: new Map() })];
  const SPX = { start: 'SPX#', end: 'SPX$' };
  const asked = (reader: TableReader): string[] => reader.asked.map(({ ranges: all }) => all.map(({ start }) => start).join(' '));

  test('a table without shards: the same request, and the registry once', async () => {
    const plain = tableReader(() => registry({ schedules: new Map(), formerly: new Map() }));
    const reader = wrapped(plain);
    for (let at = 0; at < 3; at += 1) await ask(reader, { ranges: [SPX], limit: 1 });
    expect(asked(plain).sort()).toEqual(['!index#', 'SPX#', 'SPX#', 'SPX#']);
  });

  test('backwards: refused where rows of several places would have to be merged, else passed on', async () => {
    const plain = tableReader(() => sharded);
    const reader = wrapped(plain);
    expect(await reader.read({ ranges: [SPX], limit: 1, deadlineMs: 1000, reversed: true })).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
    expect(await reader.read({ ranges: [{ start: 'SPX500#', end: 'SPX500$' }], limit: 1, deadlineMs: 1000, reversed: true })).toMatchObject({ ok: true });
    expect(plain.asked.at(-1)).toMatchObject({ reversed: true });
  });

  test('an index that is not sharded beside one that is: its request as it was', async () => {
    const plain = tableReader(() => sharded);
    const reader = wrapped(plain);
    await ask(reader, { ranges: [metaRange('index')], limit: 10_001 });
    const request: ReadRequest = { ranges: [{ start: 'SPX500#', end: 'SPX500$' }], limit: 1, deadlineMs: 1000 };
    await reader.read(request);
    expect(plain.asked.at(-1)).toBe(request);
  });

  test('a latest read: one request a shard and one for what lies unsharded; before the change only that', async () => {
    const plain = tableReader(() => sharded);
    const reader = wrapped(plain);
    await ask(reader, { ranges: [metaRange('index')], limit: 10_001 });
    plain.asked.length = 0;
    await ask(reader, { ranges: [SPX], limit: 1 });
    expect(asked(plain)).toEqual(['SPX#', 'SPX~00#', 'SPX~01#', 'SPX~02#', 'SPX~03#']);
    plain.asked.length = 0;
    await ask(reader, { ranges: [{ start: tickKey(indexIdOf('SPX'), micros(9n)), end: 'SPX$' }], limit: 1 });
    expect(asked(plain)).toHaveLength(1);
  });

  test('a hundred indices in one request stay at most a hundred ranges each, shards of all in the same requests', async () => {
    const ids = Array.from({ length: 100 }, (_, at) => indexIdOf(`X${String(at).padStart(3, '0')}`));
    const rows = ids.slice(0, 60).map((of): Row => ({ key: `!index#${of}`, cells: new Map([['m:shards', { value: Buffer.from('10:4'), version: 0n }]]) }));
    const plain = tableReader(() => rows);
    const reader = wrapped(plain);
    await ask(reader, { ranges: [metaRange('index')], limit: 10_001 });
    plain.asked.length = 0;
    await ask(reader, { ranges: ids.map((of) => ({ start: `${of}#`, end: `${of}$` })), limit: 5000 });
    expect(plain.asked.map(({ ranges: all }) => all.length)).toEqual([100, 60, 60, 60, 60]);
  });
});
