/** The user's own dates through the host: written by a page, read from the file, in force at once in states, bases and sessions. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ingest } from '../../electron/cli/ingest.ts';
import { latest } from '../../electron/cli/latest.ts';
import { resolveSettings } from '../../electron/config/settings.ts';
import type { Connection, Desk } from '../../electron/desk/desk.ts';
import { answer } from '../../electron/desk/answer.ts';
import { openDesk } from '../../electron/desk/openDesk.ts';
import { setOwnDates } from '../../shared/calendar/exchange.ts';
import type { CalendarView, Message, QuoteView, SessionWindow } from '../../shared/channels.ts';
import { parseMessage } from '../../shared/schemas.ts';
import { parseTime } from '../../shared/time.ts';

const DAYS = join(import.meta.dirname, '../../electron/ingest/data/mplfinance_SPX_daily_2019-11-01_06.csv');
const NOW = '2019-11-06T15:00:00Z';
const streams = { out: async () => {}, err: () => {}, input: process.stdin, isTerminal: false } as never;
const never = new AbortController().signal;

let home: string;
let desk: Desk;
let page: Connection;
let calendar: CalendarView | undefined;
const quotes = new Map<string, QuoteView>();
const wrong: unknown[] = [];

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'frontrow-own-dates-'));
  writeFileSync(join(home, 'ticks.csv'), 'time,price\n2019-11-06T14:59:56Z,3074.12\n2019-11-06T14:59:58Z,3074.62\n');
  for (const [file, zone] of [[join(home, 'ticks.csv'), 'UTC'], [DAYS, 'America/New_York']] as const) {
    const done = await ingest.run({ values: { data: home, index: 'SPX', zone }, positionals: [file] }, streams, never);
    if (!done.ok) throw new Error(done.error.what);
  }
  const settings = await resolveSettings({ values: { data: home, now: NOW } }, {});
  const opened = settings.ok ? await openDesk(settings.value) : settings;
  if (!opened.ok) throw new Error(opened.error.what);
  desk = opened.value;
  page = desk.connect((message: Message) => {
    if (!parseMessage(JSON.parse(JSON.stringify(message))).ok) wrong.push(message);
    if (message.channel === 'calendar') calendar = message.data;
    if (message.channel !== 'quotes') return;
    if (message.data.kind === 'snapshot') quotes.clear();
    for (const quote of message.data.quotes) quotes.set(quote.index, quote);
  });
  await vi.waitUntil(() => quotes.get('SPX')?.base?.date === '2019-11-05', { timeout: 20_000 });
}, 60_000);

afterAll(async () => {
  await desk?.close();
  setOwnDates([]);
  rmSync(home, { recursive: true, force: true });
});

const correct = (date: string, to: unknown) => answer(page, 'correct', { mic: 'XNYS', date, to });
const spx = () => [quotes.get('SPX')?.phase, quotes.get('SPX')?.reason, quotes.get('SPX')?.base?.date ?? quotes.get('SPX')?.baseNote];
const file = () => readFileSync(join(home, 'calendar.csv'), 'utf8');
const windows = async (): Promise<unknown> => {
  const found = await answer(page, 'sessions', { mic: 'XNYS', fromMicros: String(parseTime('2019-11-05')), toMicros: String(parseTime('2019-11-08')) });
  return found.ok && (found.value as SessionWindow[]).map(({ date, closeMicros, note, own }) => [date, Number(BigInt(closeMicros) / 3_600_000_000n % 24n), note, own?.join() ?? null]);
};

test('a page closes a day: state, base, sessions and file follow at once, and come back', async () => {
  const [open] = spx();
  expect([open, calendar?.dates, calendar?.kept, calendar?.exchanges.length]).toEqual(['open', [], true, 21]);
  expect(await correct('2019-11-06', { windows: [], note: 'Storm' })).toEqual({ ok: true, value: null });
  expect(spx()).toEqual(['closed', 'holiday', '2019-11-04']); // the session before is the current one now, and its base is the close before that
  expect(await windows()).toEqual([['2019-11-05', 21, null, null], ['2019-11-07', 21, null, '2019-11-06']]);
  expect([file(), calendar?.dates]).toEqual(['mic,date,open,close,note\nXNYS,2019-11-06,,,Storm\n', [{ mic: 'XNYS', date: '2019-11-06', windows: [], note: 'Storm' }]]);

  expect(await correct('2019-11-06', { windows: [{ open: '09:30', close: '13:00' }], note: null })).toMatchObject({ ok: true });
  expect([spx(), await windows()]).toEqual([['open', null, '2019-11-05'], [['2019-11-05', 21, null, null], ['2019-11-06', 18, 'your date', '2019-11-06'], ['2019-11-07', 21, null, null]]]);
  expect(await correct('2019-11-06', null)).toMatchObject({ ok: true });
  expect([spx()[0], file(), calendar?.dates]).toEqual(['open', 'mic,date,open,close,note\n', []]);
  expect([wrong, readdirSync(home).filter((name) => name.endsWith('.part'))]).toEqual([[], []]);
});

test('what can not be kept is refused in words and changes nothing', async () => {
  const before = file();
  expect(await correct('2019-02-30', { windows: [], note: null })).toMatchObject({ ok: false, error: { code: 'BAD_INPUT', what: '2019-02-30 is no day of the calendar' } });
  expect(await correct('2019-11-06', { windows: [{ open: '16:00', close: '09:30' }], note: null })).toMatchObject({ ok: false, error: { what: '16:00 to 09:30 ends before it begins' } });
  expect(await answer(page, 'correct', { mic: 'XXXX', date: '2019-11-06', to: null })).toMatchObject({ ok: false, error: { what: 'the calendar has no exchange "XXXX"' } });
  expect([file(), spx()[0]]).toEqual([before, 'open']);
});

test('a file changed by hand counts without a restart; its wrong lines are told, and stay where they are', async () => {
  writeFileSync(join(home, 'calendar.csv'), 'mic,date,open,close,note\nXNYS,2019-11-06,09:30,11:00,half\nXNYS,someday,,,\n');
  await expect.poll(() => calendar?.problems, { timeout: 15_000 }).toEqual(['calendar.csv, line 3: "someday": a date is YYYY-MM-DD']);
  expect((await windows() as unknown[][])[1]).toEqual(['2019-11-06', 16, 'your date: half', '2019-11-06']);
  await correct('2019-11-06', { windows: [], note: null });
  expect(file()).toBe('mic,date,open,close,note\nXNYS,someday,,,\nXNYS,2019-11-06,,,\n');
});

test('the command line knows them too', async () => {
  await desk.close();
  const lines: string[] = [];
  const done = await latest.run({ values: { data: home, now: NOW, json: true }, positionals: ['SPX'] }, { ...(streams as object), out: async (line: string) => void lines.push(line) } as never, never);
  expect([done, JSON.parse(lines[0] ?? '{}')]).toMatchObject([{ ok: true }, { phase: 'closed', reason: 'holiday' }]);
});
