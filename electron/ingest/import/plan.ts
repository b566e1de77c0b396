/** From what a file shows and what the user said to one way of reading it, or a refusal that names the option to give. Pure. */
import { infoFor } from '../../../shared/indices.ts';
import { failed, ok, problem, type Result } from '../../../shared/result.ts';
import type { IndexId, Resolution } from '../../../shared/rowKey.ts';
import { DAY, HOUR, micros, MINUTE, SECOND } from '../../../shared/time.ts';
import { dayNumber, offsetAt } from '../../../shared/zone.ts';
import type { Header } from './columns.ts';
import type { Outside } from '../sourceBar.ts';
import { zoneChoice, zoneOfWord } from './headerZone.ts';
import { COMMA, type NumberStyle, POINT } from './number.ts';
import { type DateOrder, orderedDate, undecidedDate } from './stamp.ts';
import { MAX_SYMBOLS, type StampStats, type Survey } from './survey.ts';
import { exactId, indexOf } from './symbols.ts';
import type { Vendor } from './vendors.ts';

export interface ImportOptions {
  readonly format: string; // a name of vendors.ts, or `auto`
  readonly index: IndexId | null;
  readonly zone: string | null;
  readonly period: Resolution | null;
  readonly order: DateOrder | null;
  readonly decimal: 'point' | 'comma' | null;
  readonly stamp: 'start' | 'end';
  /** `YYYY-MM-DD` for files that carry their date nowhere. */
  readonly day: string | null;
  /** Of bars whose open or close is outside low..high; left out: `reject`. */
  readonly outside?: Outside;
}

export interface Plan {
  readonly vendor: Vendor;
  readonly header: Header;
  readonly width: number;
  readonly order: DateOrder | null;
  readonly style: NumberStyle;
  /** Prices are integers of 1e-9. */
  readonly scaled: boolean;
  /** Zone of wall clocks; null where the file has none. */
  readonly zone: string | null;
  /** The exchange's zone, where days start, by index. */
  readonly dayZone: (index: IndexId) => string | null;
  readonly daily: boolean;
  readonly period: Resolution | null;
  readonly descending: boolean;
  /** The rows stand in the file as they are written: of one index (and period), by time. */
  readonly inOrder: boolean;
  /** Of all rows; null: their symbols tell it. */
  readonly index: IndexId | null;
  readonly warnings: readonly string[];
}

export const PERIODS: Readonly<Record<Exclude<Resolution, '1d'>, bigint>> = { '1s': SECOND, '1m': MINUTE, '5m': 5n * MINUTE, '1h': HOUR };
const STOOQ: Readonly<Record<string, Resolution>> = { D: '1d', '1': '1m', '5': '5m', '60': '1h' };
const RTYPE: Readonly<Record<string, Resolution>> = { '32': '1s', '33': '1m', '34': '1h', '35': '1d' };
const ZONE_NEXT = 'give --zone, an IANA name such as America/New_York';

/** A cell of `<PER>` as a resolution; null where we keep no such bars. */
export const stooqPeriod = (text: string): Resolution | null => (Object.hasOwn(STOOQ, text.trim()) ? (STOOQ[text.trim()] ?? null) : null);

export function makePlan(file: string, vendor: Vendor, given: Header, width: number, seen: Survey, options: ImportOptions): Result<Plan> {
  const header = quotesOnly(given, seen);
  const refuse = (what: string, next: string): Result<never> => failed(problem('BAD_INPUT', `${file}: ${what}`, next));
  const warnings: string[] = [];
  const rows = seen.records - 1;
  if (seen.fitting === 0 || seen.fitting * 2 < rows) {
    return refuse(seen.otherWidth === null ? 'no row of data' : `${header.line === 0 ? 'the first row has' : `line ${header.line} names`} ${width} columns, but most rows have ${seen.otherWidth} fields`, 'make the header and the rows agree');
  }
  const dates = decideOrder(seen, vendor, options);
  if (!dates.ok) return refuse(dates.error.what, dates.error.next);
  const order = dates.value.order;
  if (dates.value.warning !== null) warnings.push(dates.value.warning);
  const stamps = seen.stamps.get(order ?? 'dmy') ?? seen.stamps.get('dmy');
  if (!stamps || stamps.rows === 0) return refuse('no row with a date or time', 'give a file whose header names its time column');
  if (stamps.units.size > 1) return refuse(`its epoch stamps are of different units (${[...stamps.units].join(', ')})`, 'bring them to one unit');
  if (stamps.serials > 0) warnings.push('stamps are read as spreadsheet days since 1899-12-30');
  const style = decideStyle(seen, vendor, options);
  if (!style.ok) return refuse(style.error.what, style.error.next);
  if (seen.symbols.size > MAX_SYMBOLS) return refuse(`more than ${MAX_SYMBOLS} symbols`, 'split the file');
  if (options.index !== null && seen.symbols.size > 1) return refuse(`it holds ${seen.symbols.size} symbols (${[...seen.symbols].slice(0, 3).join(', ')}), and --index would merge them into one`, 'leave --index out, or split the file');
  if (options.index === null && header.columns.symbol === undefined && fileIndex(vendor, file) === null) return refuse('the file does not say which index it holds', 'give --index ID');

  const contradiction = stampTrouble(header, stamps.dates === stamps.rows, options);
  if (contradiction !== null) return refuse(contradiction.what, contradiction.next);
  const found = decidePeriod(seen, stamps, vendor, header, options);
  if (!found.ok) return refuse(found.error.what, found.error.next);
  const { period, daily } = found.value;
  warnings.push(...found.value.warnings);

  const indices = options.index === null ? [...seen.symbols].flatMap((symbol) => (header.own ? exactId : indexOf)(symbol) ?? []) : [options.index];
  const dayZone = (index: IndexId): string | null => (infoFor(index).mic === null ? options.zone : infoFor(index).zone);
  const homeless = daily || seen.periods.has('D') ? indices.find((index) => dayZone(index) === null) : undefined;
  if (homeless !== undefined) return refuse(`its days belong to the exchange of ${homeless}, whose zone is not known`, ZONE_NEXT);

  const onlyDays = daily || (header.columns.period !== undefined && [...seen.periods].every((text) => (stooqPeriod(text) ?? '1d') === '1d'));
  let zone: string | null = null;
  if (!onlyDays && stamps.instants < stamps.rows) {
    const { zoneWord } = header;
    const named = zoneWord === undefined ? (/utc|gmt/.test(header.names[header.columns.date ?? 0] ?? '') ? 'UTC' : null) : zoneOfWord(zoneWord);
    const documented = vendor.name === 'alphavantage' && options.format === 'auto' && !looksAlphaVantage(seen, stamps) ? null : vendor.zone;
    if (options.zone === null && named === null && zoneWord !== undefined) return refuse(`its header says that times are in ${JSON.stringify(zoneWord)}, which does not tell one zone`, zoneChoice(zoneWord));
    zone = options.zone ?? named ?? documented;
    if (zone === null) {
      const home = indices[0] === undefined ? null : infoFor(indices[0]);
      return refuse(`the file does not say in which zone its times are${home?.mic ? ` (${home.id} trades in ${home.zone}, the file may use another)` : ''}`, ZONE_NEXT);
    }
    if (options.zone === null && named === null) warnings.push(`times are read as ${zoneName(zone)}, as ${vendor.name} documents; --zone overrides it`);
    if (vendor.name === 'histdata' && options.zone === null && contradictsFixedZone(stamps)) {
      warnings.push('the weekly open keeps its wall clock over the New York clock change: these times look like America/New_York, not the documented UTC-05:00; if so, give --zone America/New_York');
    }
  } else if (options.zone !== null && stamps.instants === stamps.rows && !daily) warnings.push('--zone is not used: the stamps tell their offset themselves');
  else if (daily && options.zone !== null && indices.some((index) => dayZone(index) !== options.zone)) warnings.push('--zone is not used for days of indices whose exchange is known');
  if (['generic', 'json', 'json-lines'].includes(vendor.name) && seen.unused.length > 0) warnings.push(`columns not read: ${seen.unused.slice(0, 8).map((name) => JSON.stringify(name.slice(0, 40))).join(', ')}`);
  if (header.kind === 'ticks' && header.columns.price === undefined) warnings.push('the price of a tick is its bid');
  return ok({
    vendor, header, width, order, style: style.value, zone, dayZone, daily, period, warnings,
    scaled: vendor.name === 'databento' && seen.integers, descending: stamps.down > stamps.up, inOrder: isInOrder(seen, stamps) && (!daily || stamps.instants === 0 || stamps.midnights),
    index: options.index ?? fileIndex(vendor, file) ?? (seen.symbols.size === 1 ? (indices[0] ?? null) : null),
  });
}

/** A stamp whose name says what it is of a bar, where that is not what the user says, or the rows are no bars. */
function stampTrouble({ kind, stamps, names, columns }: Header, dated: boolean, options: ImportOptions): Refusal | null {
  if (stamps === undefined) return null;
  const name = JSON.stringify(names[columns.time ?? columns.date ?? 0] ?? '');
  if (kind === 'ticks') return { what: `its column ${name} is the ${stamps} of a span, and a tick has one instant`, next: 'rename the column to time, where the price is of that instant' };
  if (stamps === 'end' && dated) return { what: `its column ${name} holds dates, the days of the bars or the ones after them`, next: 'rename the column to date, where it holds the days' };
  if (stamps === 'end' && options.stamp === 'start') return { what: `its column ${name} holds the ends of bars, and no column their starts`, next: 'give --stamp end' };
  if (stamps === 'start' && options.stamp === 'end') return { what: `its column ${name} holds the starts of bars, which is not --stamp end`, next: 'leave --stamp out' };
  return null;
}

/**
 * Rising stamps are rising instants where all are of one kind: a file's local times are taken in its own order (localOrder.ts), and those of
 * clocks that went back fall. Several symbols, periods or kinds of dates may be mingled.
 */
const isInOrder = ({ symbols, periods, mixed }: Survey, stamps: StampStats): boolean =>
  symbols.size <= 1 && periods.size <= 1 && !mixed && stamps.down === 0 && (stamps.instants === 0 || stamps.instants === stamps.rows);

/** Ticks whose column of trade prices is empty are quotes. */
function quotesOnly(header: Header, { priced }: Survey): Header {
  if (header.kind === 'bars' || priced || header.columns.bid === undefined) return header;
  const { price: _empty, ...columns } = header.columns;
  return { ...header, columns };
}

/** The index that a documented file name tells. */
export function fileIndex(vendor: Vendor, file: string): IndexId | null {
  const symbol = vendor.name === 'mplfinance' ? /^mplfinance_([A-Za-z0-9^.-]{1,24})_/.exec(file)?.[1] : undefined;
  return symbol === undefined ? null : indexOf(symbol);
}

export const zoneName = (zone: string): string => (/^[+-]/.test(zone) ? `UTC${zone}` : zone);

/** The header alone is everyone's; the vendor also writes newest first and four decimals. */
const looksAlphaVantage = (seen: Survey, stamps: StampStats): boolean => seen.fourDecimals && stamps.up === 0;

interface Refusal {
  readonly what: string;
  readonly next: string;
}

function decideOrder({ undecided }: Survey, vendor: Vendor, options: ImportOptions): Result<{ order: DateOrder | null; warning: string | null }, Refusal> {
  if (options.order !== null) return ok({ order: options.order, warning: null });
  if (undecided === null) return ok({ order: null, warning: null });
  const possible = [...undecided.orders].filter(([, { failures }]) => failures === 0).map(([order]) => order);
  const { example, dotted } = undecided;
  if (vendor.order !== null && vendor.order !== 'ymd') {
    if (!possible.includes(vendor.order) && possible.length > 0) return failed({ what: `${vendor.name} writes its dates ${vendor.order}, but some can only be ${possible.join(' or ')}`, next: `give --date-order ${possible[0]}` });
    return ok({ order: vendor.order, warning: null });
  }
  const [only] = possible;
  if (only === undefined) return failed({ what: `no one order reads all its dates, such as ${example}`, next: 'give --date-order dmy, mdy or ymd to reject the others' });
  if (possible.length === 1) return ok({ order: only, warning: null });
  if (dotted && possible.includes('dmy') && !possible.includes('ymd')) return ok({ order: 'dmy', warning: `dates such as ${example} are read day first, as dates with dots are; --date-order overrides it` });
  const date = undecidedDate(example);
  const readings = possible.map((order) => {
    const weekends = undecided.orders.get(order)?.weekends ?? 0;
    return `${date ? orderedDate(date, order) : '?'} as ${order}${weekends > 0 ? ` (${weekends} on a weekend)` : ''}`;
  });
  return failed({ what: `its dates read in ${possible.length} ways, ${example} is ${readings.join(' or ')}`, next: `give --date-order ${possible.join(' or ')}` });
}

function decideStyle(seen: Survey, vendor: Vendor, options: ImportOptions): Result<NumberStyle, Refusal> {
  if (options.decimal !== null) return ok(options.decimal === 'point' ? POINT : COMMA);
  if (vendor.point) return ok(POINT);
  const { numbers } = seen;
  if (numbers.kind === 'style') return ok(numbers.style);
  if (numbers.kind === 'mixed') return failed({ what: `its numbers contradict each other: ${numbers.point} has a decimal point, ${numbers.comma} a decimal comma`, next: 'give --decimal point or comma to reject the others' });
  const [a, b] = [numbers.example, numbers.example.replace(/[.,]/g, '')];
  return failed({ what: `its numbers read in two ways: ${a} is ${a.replace(',', '.')} or ${b}`, next: 'give --decimal point or comma' });
}

interface Periods {
  readonly period: Resolution | null;
  readonly daily: boolean;
  readonly warnings: readonly string[];
}

function decidePeriod(seen: Survey, stamps: StampStats, vendor: Vendor, header: Header, options: ImportOptions): Result<Periods, Refusal> {
  if (header.kind === 'ticks') return ok({ period: null, daily: false, warnings: [] });
  const dated = stamps.dates === stamps.rows;
  const atMidnights = stamps.midnights && stamps.step !== null && stamps.step >= DAY && stamps.step % DAY === 0n;
  const told = vendor.name === 'databento' && seen.periods.size === 1 ? RTYPE[[...seen.periods][0] ?? ''] : undefined;
  const perColumn = header.columns.period !== undefined;
  const known = options.period ?? told ?? vendor.period ?? (perColumn ? null : dated || atMidnights ? '1d' : null);
  if (dated && !perColumn && known !== '1d') return failed({ what: `its stamps are dates without a time, which is not --period ${known}`, next: 'leave --period out' });
  if (known === '1d' || perColumn) {
    if (options.stamp === 'end' && known === '1d') return failed({ what: '--stamp end means nothing for days', next: 'leave it out' });
    if (known === '1d' && dated && stamps.step !== null && stamps.step >= 5n * DAY) return ok({ period: known, daily: true, warnings: [`neighbouring rows are ${stamps.step / DAY} days apart: are these days?`] });
    return ok({ period: known, daily: known === '1d', warnings: atMidnights && !dated && !perColumn && options.period === null ? ['stamps that are all at midnight are read as days'] : [] });
  }
  const spaced = (Object.keys(PERIODS) as (keyof typeof PERIODS)[]).find((name) => PERIODS[name] === stamps.step);
  const { step } = stamps;
  if (known !== null && step !== null && step < PERIODS[known]) return failed({ what: `rows are ${step / SECOND} s apart, closer than --period ${known}`, next: spaced === undefined ? 'give another --period' : `give --period ${spaced}` });
  if (known !== null) return ok({ period: known, daily: false, warnings: [] });
  if (options.stamp === 'end' && spaced === undefined) return failed({ what: 'how long a bar is can not be told from its stamps', next: 'give --period, which --stamp end needs' });
  if (spaced !== undefined) return ok({ period: spaced, daily: false, warnings: [`bars are taken for ${spaced}, their smallest spacing; --period overrides it`] });
  return ok({ period: null, daily: false, warnings: [`the length of a bar can not be told${step === null ? '' : `, rows are ${step / SECOND} s apart`}: writing needs --period`] });
}

/** US index contracts open on Sunday at 18:00 New York: 17:00 of a fixed UTC-05:00 in summer. */
function contradictsFixedZone({ opens }: StampStats): boolean {
  const hours = { summer: new Set<bigint>(), winter: new Set<bigint>() };
  for (const { date, ofDay } of opens) {
    const at = micros(dayNumber(date) * DAY + ofDay + 5n * HOUR);
    (offsetAt('America/New_York', at) === -4n * HOUR ? hours.summer : hours.winter).add(ofDay / HOUR);
  }
  if (hours.winter.size > 0 && hours.summer.size > 0) return [...hours.summer].some((hour) => hours.winter.has(hour));
  return hours.summer.has(18n);
}
