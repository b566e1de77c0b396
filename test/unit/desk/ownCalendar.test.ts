import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OwnCalendar, openOwnCalendar } from '../../../electron/desk/ownCalendar.ts';
import { setOwnDates } from '../../../shared/calendar/exchange.ts';

let folder: string;
let open: OwnCalendar | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'frontrow-calendar-'));
});
afterEach(() => {
  open?.close();
  setOwnDates([]);
  rmSync(folder, { recursive: true, force: true });
});
const path = () => join(folder, 'deep', 'calendar.csv');
async function calendar(given: string | null, fixed = false): Promise<OwnCalendar & { changes(): number }> {
  let changes = 0;
  open = await openOwnCalendar({ path: given, fixed, onChange: () => { changes += 1; } });
  return { ...open, changes: () => changes };
}
const closed = { windows: [], note: null };

test('changes that come at once all count, in a folder that was not there', async () => {
  const own = await calendar(path());
  const dates = ['2026-12-21', '2026-12-22', '2026-12-23', '2026-12-24'];
  expect(await Promise.all(dates.map((date) => own.correct({ mic: 'XNYS', date, to: closed })))).toEqual(dates.map(() => ({ ok: true, value: null })));
  expect([own.view().dates.map(({ date }) => date), own.changes(), readFileSync(path(), 'utf8').split('\n').length]).toEqual([dates, 4, 6]);
});

test('without a file they last as long as the desk', async () => {
  const own = await calendar(null);
  await own.correct({ mic: 'XNYS', date: '2026-12-24', to: closed });
  await own.correct({ mic: 'XLON', date: '2026-12-24', to: closed });
  await own.correct({ mic: 'XNYS', date: '2026-12-24', to: null });
  expect([own.view().kept, own.view().dates.map(({ mic }) => mic)]).toEqual([false, ['XLON']]);
  open?.close();
  expect((await calendar(null)).view().dates).toEqual([]);
});

test('a host that keeps its calendar takes none from pages', async () => {
  const own = await calendar(path(), true);
  expect(await own.correct({ mic: 'XNYS', date: '2026-12-24', to: closed })).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
  expect([own.view().dates, own.changes()]).toEqual([[], 0]);
});

test('a file that can not be read is a problem in words, and is never written over', async () => {
  mkdirSync(path(), { recursive: true });
  const own = await calendar(path());
  expect(own.view().problems).toEqual([`${path()} can't be read (EISDIR)`]);
  expect(await own.correct({ mic: 'XNYS', date: '2026-12-24', to: closed })).toMatchObject({ ok: false });
  rmSync(path(), { recursive: true });
  writeFileSync(path(), 'x'.repeat(2_100_000));
  expect(await own.correct({ mic: 'XNYS', date: '2026-12-24', to: closed })).toMatchObject({ ok: false, error: { what: expect.stringContaining('larger than 500 kB') } });
  writeFileSync(path(), 'day,what\n2026-12-24,closed\n');
  expect(await own.correct({ mic: 'XNYS', date: '2026-12-24', to: closed })).toMatchObject({ ok: false, error: { what: expect.stringContaining('the first line must name the columns') } });
  expect([readFileSync(path(), 'utf8'), own.changes()]).toEqual(['day,what\n2026-12-24,closed\n', 0]);
});
