/**
 * The user's own dates as a file: CSV with the columns `mic,date,open,close,note`, a line per trading window, open and close empty where
 * the exchange is closed. A wrong line costs its own date alone, which then stays as the calendar has it, and is told with its number.
 */
import { failed, ok, problem, type Result } from '../result.ts';
import { exchangeOf } from './exchange.ts';
import { OWN_LIMITS, type OwnDate, wrongDate, wrongNote, wrongWindows } from './ownDate.ts';

export interface OwnDates {
  /** By exchange, then date. */
  readonly dates: readonly OwnDate[];
  /** What could not be read, with line numbers. */
  readonly problems: readonly string[];
}

/** Of one file, as text. */
export const MOST_TEXT = 500_000;
const MOST_TOLD = 20;
const COLUMNS = ['mic', 'date', 'open', 'close', 'note'] as const;
type Row = Readonly<Record<(typeof COLUMNS)[number], string>>;

/** Cells of a line; null where a quote is not closed, or something follows it. Spreadsheets of some countries part cells by `;`. */
function cellsOf(line: string, separator: string): string[] | null {
  const cells: string[] = [];
  for (let at = 0; at <= line.length;) {
    let cell = '';
    if (line[at] === '"') {
      let end = line.indexOf('"', at + 1);
      while (end >= 0 && line[end + 1] === '"') end = line.indexOf('"', end + 2);
      if (end < 0 || (end + 1 < line.length && line[end + 1] !== separator)) return null;
      cell = line.slice(at + 1, end).replaceAll('""', '"');
      at = end + 2;
    } else {
      const end = line.indexOf(separator, at);
      cell = line.slice(at, end < 0 ? undefined : end);
      at = end < 0 ? line.length + 1 : end + 1;
    }
    cells.push(cell.trim());
  }
  return cells;
}

interface Sheet {
  readonly separator: string;
  readonly columns: readonly string[];
  /** Lines of rows with their numbers, from 1. */
  readonly rows: readonly { readonly number: number; readonly text: string }[];
}

const isEmpty = (line: string): boolean => line.trim() === '' || line.startsWith('#') || /^[,;\s]*$/.test(line);

function sheetOf(text: string): Sheet | string {
  if (text.length > MOST_TEXT) return `the file is larger than ${MOST_TEXT / 1000} kB`;
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/).map((line, at) => ({ number: at + 1, text: line })).filter((line) => !isEmpty(line.text));
  const [head, ...rows] = lines;
  if (!head) return { separator: ',', columns: COLUMNS, rows: [] };
  const separator = head.text.includes(';') ? ';' : ',';
  const columns = (cellsOf(head.text, separator) ?? []).map((name) => name.toLowerCase());
  const missing = COLUMNS.filter((name) => columns.filter((column) => column === name).length !== 1);
  return missing.length === 0 ? { separator, columns, rows } : `line ${head.number}: the first line must name the columns ${COLUMNS.join(',')}; ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not there once`;
}

function rowOf({ separator, columns }: Sheet, text: string): Row | string {
  const cells = cellsOf(text, separator);
  if (cells === null) return 'a quote is not closed';
  if (cells.slice(columns.length).some((cell) => cell !== '')) return `it has ${cells.length} cells, and there are ${columns.length} columns`;
  const row = Object.fromEntries(COLUMNS.map((name) => [name, cells[columns.indexOf(name)] ?? ''])) as Row;
  return { ...row, mic: row.mic.toUpperCase(), open: clockOf(row.open), close: clockOf(row.close) };
}

/** Spreadsheets write `9:30` for `09:30`, and `09:30:00`. */
const clockOf = (text: string): string => text.replace(/^(\d:)/, '0$1').replace(/^(\d\d:\d\d):00$/, '$1');
const quoted = (text: string): string => JSON.stringify(text.slice(0, 40));

/** What is wrong with where a row belongs, or null. */
function wrongPlace({ mic, date }: Row): string | null {
  if (exchangeOf(mic) === null) return `the calendar has no exchange ${quoted(mic)}`;
  const wrong = wrongDate(date);
  return wrong === null ? null : `${quoted(date)}: ${wrong}`;
}

/** Adds a row to its date; what is wrong with it, or null. */
function addRow(found: Map<string, { windows: { open: string; close: string }[]; closed: boolean; note: string | null }>, key: string, { open, close, note }: Row): string | null {
  const known = found.get(key) ?? { windows: [], closed: false, note: null };
  found.set(key, known);
  const wrong = wrongNote(note);
  if (wrong !== null) return wrong;
  known.note ??= note === '' ? null : note;
  if (open === '' && close === '') {
    if (known.windows.length > 0 || known.closed) return known.closed ? 'closed twice' : 'closed, and open by a line before';
    known.closed = true;
    return null;
  }
  if (known.closed) return 'open, and closed by a line before';
  known.windows.push({ open, close });
  known.windows.sort((a, b) => (a.open < b.open ? -1 : 1));
  return wrongWindows(known.windows);
}

const keyOf = ({ mic, date }: Pick<Row, 'mic' | 'date'>): string => `${mic} ${date}`;

/** Never fails: what can't be read is told in `problems`, and nothing else is lost. */
export function parseOwnDates(text: string): OwnDates {
  const sheet = sheetOf(text);
  if (typeof sheet === 'string') return { dates: [], problems: [sheet] };
  const problems: string[] = [];
  const found = new Map<string, { windows: { open: string; close: string }[]; closed: boolean; note: string | null }>();
  const spoilt = new Set<string>();
  for (const { number, text: line } of sheet.rows) {
    const row = rowOf(sheet, line);
    const place = typeof row === 'string' ? row : wrongPlace(row);
    if (typeof row === 'string' || place !== null) {
      problems.push(`line ${number}: ${place ?? ''}`);
      continue;
    }
    const key = keyOf(row);
    if (!found.has(key) && found.size >= OWN_LIMITS.dates) {
      problems.push(`line ${number}: more than ${OWN_LIMITS.dates} dates; ${key} stays as the calendar has it`);
      continue;
    }
    const wrong = addRow(found, key, row);
    if (wrong === null) continue;
    spoilt.add(key);
    problems.push(`line ${number}: ${wrong}; ${key} stays as the calendar has it`);
  }
  const dates = [...found].filter(([key]) => !spoilt.has(key)).toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, { windows, note }]): OwnDate => {
    const [mic = '', date = ''] = key.split(' ');
    return { mic, date, windows, note };
  });
  const more = problems.length - MOST_TOLD;
  return { dates, problems: more > 0 ? [...problems.slice(0, MOST_TOLD), `and ${more} more`] : problems };
}

const cellText = (text: string): string => (/[",;]/.test(text) || text.startsWith('#') ? `"${text.replaceAll('"', '""')}"` : text);

/**
 * The text of the file with one date as `to` says (null: without it, as the calendar has it again). All other lines stay as they are, the wrong
 * ones too. Fails with BAD_INPUT for a date that can't be kept, and for a file whose columns can't be read: nothing may be written over it.
 */
export function changeOwnDates(text: string, { mic, date }: Pick<OwnDate, 'mic' | 'date'>, to: Pick<OwnDate, 'windows' | 'note'> | null): Result<string> {
  const bad = (what: string, next: string): Result<never> => failed(problem('BAD_INPUT', what, next));
  const sheet = sheetOf(text);
  if (typeof sheet === 'string') return bad(`calendar.csv can't be changed: ${sheet}`, 'correct the file by hand, or remove it');
  const wrong = exchangeOf(mic) === null ? `the calendar has no exchange ${quoted(mic)}` : (wrongDate(date) ?? (to && (wrongWindows(to.windows) ?? wrongNote(to.note))));
  if (wrong !== null) return bad(wrong, 'correct the date');
  const gone = new Set(sheet.rows.flatMap(({ number, text: line }) => {
    const row = rowOf(sheet, line);
    return typeof row !== 'string' && keyOf(row) === keyOf({ mic, date }) ? [number] : [];
  }));
  const ends = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text === '' ? [] : text.split(/\r\n|\n|\r/).filter((_, at) => !gone.has(at + 1));
  while (lines.at(-1)?.trim() === '') lines.pop();
  if (lines.every((line) => isEmpty(line.replace(/^\uFEFF/, '')))) lines.push(COLUMNS.join(','));
  const note = to?.note?.trim() ?? '';
  for (const { open, close } of to === null ? [] : to.windows.length === 0 ? [{ open: '', close: '' }] : to.windows) {
    const row: Row = { mic, date, open, close, note };
    lines.push(sheet.columns.map((name) => (name in row ? cellText(row[name as keyof Row]) : '')).join(sheet.separator));
  }
  const written = `${lines.join(ends)}${ends}`;
  // Written only where it will be read as it is meant.
  const holds = (): boolean => parseOwnDates(written).dates.some((known) => known.mic === mic && known.date === date);
  if (written.length > MOST_TEXT || (to !== null && !holds())) return bad(`there is room for ${OWN_LIMITS.dates} dates of your own`, 'remove some that are past');
  return ok(written);
}
