/**
 * The exchange calendar as facts: one exchange's zone, hours, holidays and special days, read lazily from the compact data.
 *
 * Coding of data.ts: `holidays` repeats 2 digits (days since the entry before, from `from` for the first) and 2 digits (index
 * into HOLIDAY_NAMES), `specials` 3 and 2 (index into SPECIAL_FORMS: kind, open, close), all base 36; `regular` is
 * `from HHMMHHMM...` joined by `;`. Times are exchange-local wall clocks, half-open [open, close).
 */
import { dateOf, dayNumber } from '../zone.ts';
import { type OwnDate, sameOwnDates } from './ownDate.ts';
import { EXCHANGES, HOLIDAY_NAMES, SPECIAL_FORMS } from './data.ts';

export interface EncodedExchange {
  readonly zone: string;
  readonly from: string;
  readonly to: string;
  readonly firm: readonly (readonly [string, string])[];
  readonly uncertain: string;
  readonly note: string | null;
  readonly lunch: boolean;
  readonly preOpen: readonly { readonly from: string; readonly minutes: number }[];
  readonly auctions: readonly Auction[];
  readonly regular: string;
  readonly weekend: string;
  readonly holidays: string;
  readonly specials: string;
}

/** A scheduled auction inside a session since a date: fixed local times, or the last `minutes` before the day's close. */
export type Auction =
  | { readonly from: string; readonly open: string; readonly close: string }
  | { readonly from: string; readonly end: 'close'; readonly minutes: number };

/** Minutes after local midnight, half-open. */
export interface Span {
  readonly open: number;
  readonly close: number;
}

export type SpecialKind = 'early_close' | 'late_open' | 'shifted' | 'special_session' | 'muhurat' | 'halt' | 'outage';

export interface Special {
  readonly kind: SpecialKind;
  /** Null: the session took place or is planned, its times are not verified. */
  readonly span: Span | null;
}

export interface Exchange {
  readonly mic: string;
  readonly zone: string;
  /** Dates covered, both included; nothing is known outside. */
  readonly from: string;
  readonly to: string;
  /** Date ranges that are published or confirmed; the rest of the range is projected by rule. */
  readonly firm: readonly (readonly [string, string])[];
  /** What is uncertain, for people. */
  readonly uncertain: string;
  readonly note: string | null;
  /** Whether the gap between two regular windows is a lunch break. */
  readonly lunch: boolean;
  readonly preOpen: readonly { readonly from: string; readonly minutes: number }[];
  readonly auctions: readonly Auction[];
  /** Oldest first; the last with from <= date holds. */
  readonly regular: readonly { readonly from: string; readonly spans: readonly Span[] }[];
  /** Saturdays and Sundays with trading. */
  readonly weekend: ReadonlySet<string>;
  /** Weekdays without a regular session, with their names (may be empty). */
  readonly holidays: ReadonlyMap<string, string>;
  readonly specials: ReadonlyMap<string, readonly Special[]>;
  /** The user's own dates: each goes before everything above, also outside the dates covered. */
  readonly own: ReadonlyMap<string, OwnDate>;
}

export const KNOWN_MICS: readonly string[] = Object.keys(EXCHANGES);

const minutes = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(2, 4));
/** `HH:MM` to minutes after midnight. */
export const minutesOf = (clock: string): number => minutes(clock.replace(':', ''));

function* unchain(origin: string, width: number, text: string): Generator<{ date: string; index: number }> {
  let day = dayNumber(origin);
  for (let at = 0; at < text.length; at += width + 2) {
    day += BigInt(parseInt(text.slice(at, at + width), 36));
    yield { date: dateOf(day), index: parseInt(text.slice(at + width, at + width + 2), 36) };
  }
}

function specialOf(form: string): Special {
  const [kind = '', open = '', close = ''] = form.split(' ');
  return { kind: kind as SpecialKind, span: open === '' ? null : { open: minutes(open), close: minutes(close) } };
}

function decode(mic: string, encoded: EncodedExchange): Exchange {
  const { regular, weekend, holidays, specials, ...rest } = encoded;
  const special = new Map<string, Special[]>();
  for (const { date, index } of unchain(encoded.from, 3, specials)) {
    const known = special.get(date) ?? [];
    known.push(specialOf(SPECIAL_FORMS[index] ?? ''));
    special.set(date, known);
  }
  return {
    ...rest,
    mic,
    regular: regular.split(';').map((entry) => {
      const [from = '', ...spans] = entry.split(' ');
      return { from, spans: spans.map((span) => ({ open: minutes(span.slice(0, 4)), close: minutes(span.slice(4)) })) };
    }),
    weekend: new Set(weekend.split(' ')),
    holidays: new Map([...unchain(encoded.from, 2, holidays)].map(({ date, index }) => [date, HOLIDAY_NAMES[index] ?? ''])),
    specials: special,
    own: new Map(),
  };
}

const decoded = new Map<string, Exchange>();
/** The user's own dates by exchange. */
let owned = new Map<string, readonly OwnDate[]>();

const withOwn = (exchange: Exchange, dates: readonly OwnDate[]): Exchange => ({ ...exchange, own: new Map(dates.map((date) => [date.date, date])) });

/** The exchange of a market identifier code, or null where the calendar has none. The same object until the user's dates of it change. */
export function exchangeOf(mic: string | null): Exchange | null {
  if (mic === null) return null;
  let found = decoded.get(mic);
  if (!found && Object.hasOwn(EXCHANGES, mic)) {
    const encoded = EXCHANGES[mic];
    if (encoded) decoded.set(mic, (found = withOwn(decode(mic, encoded), owned.get(mic) ?? [])));
  }
  return found ?? null;
}

/**
 * From now on this process knows these dates of the user's and no others; `dates` in order, each once, of exchanges that the calendar has.
 * Exchanges whose dates change become other objects, by which everything that was worked out from them is known to be stale.
 */
export function setOwnDates(dates: readonly OwnDate[]): void {
  const next = Map.groupBy(dates, ({ mic }) => mic);
  for (const mic of new Set([...owned.keys(), ...next.keys()])) {
    const [before, after] = [owned.get(mic) ?? [], next.get(mic) ?? []];
    const exchange = decoded.get(mic);
    if (exchange && !sameOwnDates(before, after)) decoded.set(mic, withOwn(exchange, after));
  }
  owned = next;
}
