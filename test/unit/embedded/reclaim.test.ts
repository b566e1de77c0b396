/** Background collection on a store in memory: what nobody sees goes, step by step, and nothing else. */
import type { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { packCells } from '../../../electron/embedded/cells.ts';
import { createCommits } from '../../../electron/embedded/commits.ts';
import { openMemory } from '../../../electron/embedded/database.ts';
import { createReclaimer } from '../../../electron/embedded/reclaim.ts';
import { openTables, type Table } from '../../../electron/embedded/tables.ts';

const NAME = 'projects/p/instances/i/tables/t';
const NOW = 1_000_000;
const put = (table: Table, key: string, cells: [family: string, version: number][]): void => {
  table.rows.put.run(Buffer.from(key), packCells(cells.map(([name, version]) => ({ family: table.families.get(name)!, qualifier: Buffer.from('p'), version, value: Buffer.from('x') }))));
};
const stored = (database: DatabaseSync): Record<string, number> =>
  Object.fromEntries(database.prepare('SELECT key, length(cells) AS size FROM rows_1').all().map(({ key, size }) => [Buffer.from(key as Uint8Array).toString(), Number(size)]));

test('old versions, rows without cells and cells of dropped families go; the rest stays as it is', () => {
  const database = openMemory();
  const tables = openTables(database);
  const reclaimer = createReclaimer(database, tables, createCommits(database), () => NOW, () => {});
  const table = tables.create(NAME, [{ name: 'h', gc: null }, { name: 'q', gc: { kind: 'age', micros: 1000 * 1000 } }], []);
  put(table, 'all old', [['q', 5]]);
  put(table, 'half', [['q', NOW], ['q', 5]]);
  put(table, 'new', [['q', NOW]]);
  put(table, 'kept for ever', [['h', 5]]);
  const before = stored(database);
  let steps = 0;
  while (reclaimer.step() && steps < 100) steps++;
  expect(stored(database)).toEqual({ half: before['new'], new: before['new'], 'kept for ever': before['kept for ever'] });
  tables.change(NAME, [{ kind: 'drop', name: 'h' }]);
  while (reclaimer.step() && steps < 100) steps++;
  expect(Object.keys(stored(database)).toSorted()).toEqual(['half', 'new']);
  expect(steps).toBeLessThan(100);
});

test('a pass goes on where it was, and reaches every row of every table', () => {
  const database = openMemory();
  const tables = openTables(database);
  const reclaimer = createReclaimer(database, tables, createCommits(database), () => NOW, () => {});
  for (const id of ['b', 'a']) {
    const table = tables.create(`${NAME}${id}`, [{ name: 'q', gc: { kind: 'versions', count: 1 } }], []);
    for (let n = 0; n < 900; n++) put(table, String(n).padStart(4, '0'), [['q', 2], ['q', 1]]);
  }
  let steps = 0;
  while (reclaimer.step()) steps++;
  expect(steps).toBeGreaterThan(8);
  for (const id of [1, 2]) expect(database.prepare(`SELECT count(*) AS rows, sum(length(cells)) AS size FROM rows_${id}`).get()).toEqual({ rows: 900, size: 900 * 6 });
});

test('a deleted table is gone at once and its rows later, also after a start in between; its name can be used again', () => {
  const database = openMemory();
  const tables = openTables(database);
  const table = tables.create(NAME, [{ name: 'q', gc: null }], []);
  for (let n = 0; n < 5000; n++) put(table, String(n), [['q', 1]]);
  tables.drop(NAME);
  expect(() => tables.get(NAME)).toThrow(expect.objectContaining({ code: 5 }) as Error);
  const again = openTables(database);
  again.create(NAME, [{ name: 'q', gc: null }], []);
  put(again.get(NAME), 'mine', [['q', 1]]);
  const reclaimer = createReclaimer(database, again, createCommits(database), () => NOW, () => {});
  reclaimer.step();
  expect(Object.keys(stored(database)).length).toBeGreaterThan(0);
  while (reclaimer.step());
  expect(database.prepare("SELECT name FROM sqlite_schema WHERE name GLOB 'rows_*' AND type = 'table'").all()).toEqual([{ name: 'rows_2' }]);
  expect(database.prepare('SELECT count(*) AS rows FROM rows_2').get()).toEqual({ rows: 1 });
});
