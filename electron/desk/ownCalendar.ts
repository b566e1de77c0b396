/** The user's own dates on a running desk: read at the start and whenever their file changes, changed by pages one after the other. */
import { exchangeOf, KNOWN_MICS, setOwnDates } from '../../shared/calendar/exchange.ts';
import type { OwnDate } from '../../shared/calendar/ownDate.ts';
import { changeOwnDates, parseOwnDates } from '../../shared/calendar/ownDatesFile.ts';
import type { CalendarView, Requests } from '../../shared/channels.ts';
import { failed, ok, problem, type Result } from '../../shared/result.ts';
import { ownDatesStamp, readOwnDates, writeOwnDates } from '../config/ownDates.ts';

export interface OwnCalendar {
  view(): CalendarView;
  correct(request: Requests['correct']['request']): Promise<Result<null>>;
  close(): void;
}

export interface OwnCalendarOptions {
  /** Null: kept in memory alone. */
  readonly path: string | null;
  /** Pages may not change it. */
  readonly fixed: boolean;
  /** Dates or problems are others now; already in force. */
  readonly onChange: () => void;
}

const LOOK_MS = 3_000;

/** Never fails: a file that can't be read is a problem on screen, and the calendar stays as built in. */
export async function openOwnCalendar({ path, fixed, onChange }: OwnCalendarOptions): Promise<OwnCalendar> {
  const exchanges = KNOWN_MICS.flatMap((mic) => {
    const exchange = exchangeOf(mic);
    return exchange ? [{ mic, zone: exchange.zone, from: exchange.from, to: exchange.to }] : [];
  });
  let dates: readonly OwnDate[] = [];
  let shown: CalendarView = { dates, problems: [], exchanges, kept: path !== null };
  let stamp: string | null = null;
  let inMemory = '';
  let closed = false;

  function take(text: string): void {
    const read = parseOwnDates(text);
    ({ dates } = read);
    setOwnDates(dates);
    shown = { ...shown, dates, problems: read.problems.map((told) => `calendar.csv, ${told}`) };
  }

  async function look(): Promise<boolean> {
    if (path === null) return false;
    const now = await ownDatesStamp(path);
    if (closed || now === stamp) return false;
    stamp = now;
    const text = await readOwnDates(path);
    if (text.ok) take(text.value);
    else shown = { ...shown, problems: [text.error.what.slice(0, 400)] }; // it names a path, which may be long
    return true;
  }

  async function change(request: Requests['correct']['request']): Promise<Result<null>> {
    // The file as it is now: someone may have it open in an editor.
    const text = path === null ? ok(inMemory) : await readOwnDates(path);
    if (!text.ok) return text;
    const changed = changeOwnDates(text.value, request, request.to);
    if (!changed.ok) return changed;
    if (path === null) inMemory = changed.value;
    else {
      const written = await writeOwnDates(path, changed.value);
      if (!written.ok) return written;
      stamp = await ownDatesStamp(path);
    }
    take(changed.value);
    onChange();
    return ok(null);
  }

  setOwnDates([]);
  await look();
  let queue: Promise<unknown> = Promise.resolve();
  /** One after the other. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = queue.then(work);
    queue = done.catch(() => {});
    return done;
  };
  let looking = false;
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    void inTurn(async () => {
      if (await look()) onChange();
    }).finally(() => { looking = false; });
  }, LOOK_MS);
  timer.unref();

  return {
    view: () => shown,
    correct: (request) => (fixed
      ? Promise.resolve(failed(problem('BAD_INPUT', 'this host keeps its calendar: pages may not change it', 'change its calendar.csv where it runs')))
      : inTurn(() => change(request))),
    close() {
      closed = true;
      clearInterval(timer);
    },
  };
}
