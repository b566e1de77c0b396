/** A host that tests direct: indices, states, silence, gaps and answers on demand, with a seeded walk of prices. No network, no store. */
import type { OwnDate } from '../../shared/calendar/ownDate.ts';
import type { ClockView, EventName, Events, FeedState, HealthView, IndexView, Market, Message, QuoteView, RequestName, Requests, TickView } from '../../shared/channels.ts';
import { add, decimal, percentChange, subtract } from '../../shared/decimal.ts';
import type { Region } from '../../shared/quote.ts';
import { failed, ok, problem, type Problem, type Result } from '../../shared/result.ts';
import { DAY, type EpochMicros, floorDiv, formatIso, micros, MINUTE, parseTime, SECOND } from '../../shared/time.ts';
import { atLocalFirst, localDate, dateOf, dayNumber } from '../../shared/zone.ts';

type Row = readonly [id: string, name: string, mic: string, zone: string, region: Region, currency: string, decimals: number, price: string];
const KNOWN: readonly Row[] = [
  ['SPX', 'S&P 500', 'XNYS', 'America/New_York', 'Americas', 'USD', 2, '3074.62'], ['NDX', 'Nasdaq-100', 'XNAS', 'America/New_York', 'Americas', 'USD', 2, '8210.18'],
  ['SX5E', 'EURO STOXX 50', 'XEUR', 'Europe/Berlin', 'Europe', 'EUR', 2, '3688.33'], ['UKX', 'FTSE 100', 'XLON', 'Europe/London', 'Europe', 'GBP', 2, '7396.65'],
  ['NKY', 'Nikkei 225', 'XTKS', 'Asia/Tokyo', 'Asia Pacific', 'JPY', 2, '23303.82'], ['DJI', 'Dow Jones Industrial', 'XNYS', 'America/New_York', 'Americas', 'USD', 2, '27492.63'],
  ['RUT', 'Russell 2000', 'XNYS', 'America/New_York', 'Americas', 'USD', 2, '1599.61'], ['VIX', 'Cboe Volatility Index', 'XCBO', 'America/Chicago', 'Americas', 'USD', 2, '13.1'],
  ['SPTSX', 'S&P/TSX Composite', 'XTSE', 'America/Toronto', 'Americas', 'CAD', 2, '16682.7'], ['IBOV', 'Ibovespa', 'BVMF', 'America/Sao_Paulo', 'Americas', 'BRL', 0, '108719'],
  ['DAX', 'DAX 40', 'XETR', 'Europe/Berlin', 'Europe', 'EUR', 2, '13148.5'], ['CAC', 'CAC 40', 'XPAR', 'Europe/Paris', 'Europe', 'EUR', 2, '5846.89'],
  ['SMI', 'Swiss Market Index', 'XSWX', 'Europe/Zurich', 'Europe', 'CHF', 2, '10325.11'], ['IBEX', 'IBEX 35', 'XMAD', 'Europe/Madrid', 'Europe', 'EUR', 2, '9407.5'],
  ['OMXS30', 'OMX Stockholm 30', 'XSTO', 'Europe/Stockholm', 'Europe', 'SEK', 2, '1759.08'], ['HSI', 'Hang Seng', 'XHKG', 'Asia/Hong_Kong', 'Asia Pacific', 'HKD', 2, '27688.64'],
  ['NIFTY', 'NIFTY 50', 'XNSE', 'Asia/Kolkata', 'Asia Pacific', 'INR', 2, '11966.05'], ['XJO', 'S&P/ASX 200', 'XASX', 'Australia/Sydney', 'Asia Pacific', 'AUD', 1, '6660.2'],
  ['DE30', 'Germany 30', 'XETR', 'Europe/Berlin', 'Europe', 'EUR', 2, '13180.4'], ['SHCOMP', 'SSE Composite', 'XSHG', 'Asia/Shanghai', 'Asia Pacific', 'CNY', 2, '2978.6'],
];
const HOURS: Readonly<Record<string, readonly [open: number, close: number][]>> = {
  XTKS: [[9, 11.5], [12.5, 15]], XHKG: [[9.5, 12], [13, 16]], XSHG: [[9.5, 11.5], [13, 15]], XNSE: [[9.25, 15.5]], XASX: [[10, 16]], XLON: [[8, 16.5]],
  BVMF: [[10, 17]], XCBO: [[2.25, 8.25], [8.5, 15.25]], XNYS: [[9.5, 16]], XNAS: [[9.5, 16]], XTSE: [[9.5, 16]],
};

export interface FakeOptions {
  readonly indices?: number;
  readonly now?: string;
  readonly clock?: ClockView['kind'];
  readonly speed?: number;
  readonly seed?: number;
}

export interface FakeMarket extends Market {
  /** Sends as the host would, with the next sequence of its channel. */
  send<K extends EventName>(channel: K, data: Events[K]): void;
  /** Loses one sequence number of a channel. */
  skip(channel: EventName): void;
  beat(overrides?: Partial<ClockView>): void;
  /** Changes quotes and sends them; a listed price also moves `day` and change. */
  change(...changes: readonly (Partial<QuoteView> & { readonly index: string })[]): void;
  quote(id: string): QuoteView;
  health(overrides: Partial<HealthView>): void;
  /** Sends the user's own dates, and what is wrong with their file. */
  calendar(problems?: readonly string[]): void;
  /** Nothing is sent and no request is answered while silent. */
  silence(silent: boolean): void;
  /** A page that connects gets no snapshot while it is withheld. */
  withhold(withheld: boolean): void;
  /** Requests of this name fail so; null mends it. */
  refuse(name: RequestName, why: Problem | null): void;
  /** A random move of every live index, with a tick for the watched. */
  step(): void;
  readonly ids: readonly string[];
  readonly asked: readonly { readonly name: RequestName; readonly request: unknown }[];
  /** How often a page connected. */
  readonly connects: number;
  now(): EpochMicros;
  advance(micros: bigint): void;
}

/** Deterministic 0..1. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function rowOf(at: number): Row {
  const known = KNOWN[at % KNOWN.length]!;
  const round = Math.floor(at / KNOWN.length);
  return round === 0 ? known : [`${known[0]}.${round}`, `${known[1]} ${round}`, ...known.slice(2)] as unknown as Row;
}

function windows(mic: string, zone: string, from: EpochMicros, to: EpochMicros) {
  const found = [];
  for (let day = dayNumber(localDate(zone, from)) - 1n; day <= dayNumber(localDate(zone, to)) + 1n; day += 1n) {
    const weekday = Number((day + 4n) % 7n);
    if (weekday === 0 || weekday === 6) continue;
    for (const [open, close] of HOURS[mic] ?? [[9, 17.5]]) {
      const [openMicros, closeMicros] = [open, close].map((hour) => atLocalFirst(zone, dateOf(day), BigInt(hour * 60) * MINUTE)) as [EpochMicros, EpochMicros];
      if (closeMicros > from && openMicros < to) found.push({ date: dateOf(day), openMicros: String(openMicros), closeMicros: String(closeMicros), note: null });
    }
  }
  return found;
}

export function createFakeMarket({ indices: count = 5, now: start = '2019-11-06T14:41:07Z', clock = 'replay', speed = 10, seed = 7 }: FakeOptions = {}): FakeMarket {
  const random = generator(seed);
  const rows = Array.from({ length: count }, (_, at) => rowOf(at));
  const views: IndexView[] = rows.map(([id, name, mic, zone, region, currency, decimals]) => ({
    id, name, mic, zone, region, currency, decimals, delayMs: 0, label: id.startsWith('DE30') ? 'CFD mid, not the index' : null,
  }));
  const byId = new Map(views.map((view) => [view.id, view]));
  let desk = parseTime(start);
  let [silent, withheld, connects] = [false, false, 0];
  let listener: ((message: Message) => void) | undefined;
  let sequences: Partial<Record<EventName, number>> = {};
  let watched = new Set<string>();
  let clockView: ClockView = { kind: clock, nowMicros: String(desk), speed: clock === 'replay' ? speed : 1, paused: false, note: null };
  const refused = new Map<RequestName, Problem>();
  const asked: { name: RequestName; request: unknown }[] = [];

  const isOpen = (view: IndexView): boolean => windows(view.mic ?? '', view.zone, micros(desk - DAY), micros(desk + DAY)).some((w) => BigInt(w.openMicros) <= desk && desk < BigInt(w.closeMicros));
  const lastClose = (view: IndexView): bigint => windows(view.mic ?? '', view.zone, micros(desk - 4n * DAY), desk).map((w) => BigInt(w.closeMicros)).filter((at) => at <= desk).at(-1) ?? desk;
  const quotes = new Map<string, QuoteView>(rows.map((row) => {
    const view = byId.get(row[0])!;
    const open = isOpen(view);
    const event = open ? desk - BigInt(Math.floor(random() * 900_000)) : lastClose(view);
    const price = decimal(row[7]);
    const digits = view.decimals ?? 2;
    const base = decimal((Number(price) * (1 + (random() - 0.45) * 0.015)).toFixed(digits));
    const span = Number(price) * 0.006;
    return [row[0], {
      index: row[0], price, eventTime: formatIso(micros(event)), eventMicros: String(event), sequence: 0, ingestMicros: String(event), ageMs: Number(desk - event) / 1000,
      state: open ? 'live' : 'closed', phase: open ? 'open' : 'closed', reason: open ? null : 'night', flags: clock === 'wall' ? [] : [clock === 'test' ? 'test-clock' : 'replay'],
      change: subtract(price, base), changePercent: percentChange(base, price)!, base: { price: base, date: '2019-11-05', kind: view.label ? 'last-bar' : 'official' },
      baseNote: null, nextOpen: open ? null : '2019-11-07T00:00:00.000000Z', delayMs: 0, skewMs: 0, key: `${row[0]}#0`,
      day: { open: decimal((Number(price) - span * (random() - 0.5)).toFixed(digits)), high: decimal((Number(price) + span * random()).toFixed(digits)), low: decimal((Number(price) - span * random()).toFixed(digits)) },
    } satisfies QuoteView];
  }));
  let healthView: HealthView = {
    link: 'live', problem: null, brokenSinceMicros: null, store: { kind: 'embedded', name: 'demo / quotes' }, strategy: count > 16 ? 'delta' : 'scan', pollIntervalMs: 1000,
    readsPerSecond: count > 16 ? 1.2 : count, rowsPerSecond: count * 0.8, nodeShare: count / 17_000, readMs: { p50: 5.6, p95: 14, p99: 31 }, errors: 0, skippedPolls: 0,
    late: 14, duplicate: 2, corrected: 1, future: 0, undecodable: 0,
  };

  let dates: readonly OwnDate[] = [];
  const exchanges = [...new Map(rows.map(([, , mic, zone]) => [mic, { mic, zone, from: '2000-01-01', to: '2030-12-31' }])).values()];
  const send = <K extends EventName>(channel: K, data: Events[K]): void => {
    const sequence = (sequences[channel] ?? 0) + 1;
    sequences[channel] = sequence;
    // As over a wire: the page must never share objects with its host.
    if (!silent) listener?.(structuredClone({ channel, sequence, data }) as unknown as Message);
  };
  const tickOf = (quote: QuoteView): TickView => ({ eventMicros: quote.eventMicros!, sequence: quote.sequence!, price: quote.price!, volume: null, source: 'replay', ingestMicros: quote.ingestMicros });
  const walk = (id: string, points: number, step: bigint) => {
    const own = generator(id.length * 97 + id.charCodeAt(0));
    const end = Number(quotes.get(id)!.price ?? 100);
    const values = [end];
    for (let at = 1; at < points; at += 1) values.unshift(values[0]! * (1 + (own() - 0.5) * 0.0012));
    const last = BigInt(quotes.get(id)!.eventMicros ?? desk);
    return { times: values.map((_, at) => String(last - BigInt(points - 1 - at) * step)), prices: values.map((value) => decimal(value.toFixed(byId.get(id)!.decimals ?? 2))) };
  };

  const answers: { [K in RequestName]: (request: Requests[K]['request']) => Requests[K]['answer'] } = {
    history: ({ index, fromMicros, toMicros }) => {
      const last = BigInt(quotes.get(index)!.eventMicros ?? desk);
      const to = BigInt(toMicros) < last ? BigInt(toMicros) : last;
      const points = Math.max(2, Math.min(600, Number((to - BigInt(fromMicros)) / (10n * SECOND))));
      const { times, prices } = walk(index, points, (to - BigInt(fromMicros)) / BigInt(points));
      const own = windows(byId.get(index)!.mic!, byId.get(index)!.zone, micros(BigInt(fromMicros)), micros(BigInt(toMicros)));
      const open = times.flatMap((time, at) => (own.some((w) => BigInt(w.openMicros) <= BigInt(time) && BigInt(time) <= BigInt(w.closeMicros)) ? [at] : []));
      return { index, times: open.map((at) => times[at]!), sequences: open.map(() => 0), prices: open.map((at) => prices[at]!), resolution: 'tick', kind: 'tick', rows: points, truncated: false };
    },
    sparklines: ({ indices, points }) => indices.filter((id) => quotes.has(id)).map((index) => ({ index, ...walk(index, points, MINUTE) })),
    references: ({ indices }) => indices.filter((id) => quotes.has(id)).map((index) => {
      const last = Number(quotes.get(index)!.price ?? 100);
      const part = (share: number): string => (last * share).toFixed(2);
      return {
        index, hour: { price: part(0.999), eventMicros: String(desk - 3600n * SECOND) }, week: { price: part(1.02), date: '2019-10-30' }, month: { price: part(0.97), date: '2019-10-04' },
        year: { price: part(0.88), date: '2018-11-06' }, range: { low: part(0.8), high: part(1.1), from: '2018-11-07', whole: true },
      };
    }),
    tape: ({ index, limit }) => {
      const { times, prices } = walk(index, Math.min(limit, 60), 870_123n);
      return times.map((eventMicros, at) => ({ eventMicros, sequence: 0, price: prices[at]!, volume: null, source: 'replay', ingestMicros: eventMicros })).toReversed();
    },
    watch: ({ indices }) => {
      watched = new Set(indices);
      return null;
    },
    sessions: ({ mic, fromMicros, toMicros }) => windows(mic, views.find((view) => view.mic === mic)?.zone ?? 'UTC', micros(BigInt(fromMicros)), micros(BigInt(toMicros))),
    clock: ({ speed: asked = clockView.chosenSpeed ?? speed, paused, atMicros, step, live }) => {
      const { live: before, ...own } = clockView;
      if (live) desk = parseTime(start);
      else if (atMicros) desk = micros(BigInt(atMicros));
      else if (step) desk = micros(desk + (step.back ? -1n : 1n) * (step.by === 'minute' ? MINUTE : 15n * SECOND));
      const stored = live ? undefined : (before ?? (atMicros || step ? { kind: clock, nowMicros: String(parseTime(start)) } : undefined));
      const stands = step ? true : (paused ?? (stored && !before ? true : clockView.paused));
      clockView = {
        ...own, nowMicros: String(desk), kind: stored ? 'replay' : clock, paused: stands, speed: stands ? 0 : asked, chosenSpeed: asked, turn: (own.turn ?? 0) + 1,
        ...(stored ? { live: stored } : {}),
      };
      queueMicrotask(() => send('heartbeat', clockView));
      return clockView;
    },
    correct: ({ mic, date, to }) => {
      dates = [...dates.filter((own) => own.mic !== mic || own.date !== date), ...(to ? [{ mic, date, ...to }] : [])];
      queueMicrotask(() => market.calendar());
      return null;
    },
    stored: ({ index }) => (quotes.has(index) ? { fromMicros: String(parseTime('2019-11-04T14:30:00Z')), toMicros: String(parseTime(start)) } : null),
  };

  const market: FakeMarket = {
    host: 'browser', ids: views.map((view) => view.id), asked, send,
    get connects() {
      return connects;
    },
    request<K extends RequestName>(name: K, request: Requests[K]['request']): Promise<Result<Requests[K]['answer']>> {
      asked.push({ name, request });
      if (silent) return new Promise(() => {});
      const why = refused.get(name);
      return Promise.resolve(why ? failed(why) : ok(structuredClone(answers[name](request))));
    },
    subscribe(next) {
      connects += 1;
      listener = next;
      sequences = {};
      watched = new Set();
      queueMicrotask(() => {
        if (listener !== next || silent || withheld) return;
        market.beat();
        send('indices', views);
        send('quotes', { kind: 'snapshot', quotes: [...quotes.values()] });
        send('health', healthView);
        market.calendar();
      });
      return () => {
        if (listener === next) listener = undefined;
      };
    },
    skip(channel) {
      sequences[channel] = (sequences[channel] ?? 0) + 1;
    },
    beat(overrides) {
      clockView = { ...clockView, ...overrides, nowMicros: String(desk) };
      send('heartbeat', clockView);
    },
    change(...changes) {
      for (const { index, ...change } of changes) quotes.set(index, { ...quotes.get(index)!, ...change });
      send('quotes', { kind: 'changes', quotes: changes.map(({ index }) => quotes.get(index)!) });
    },
    quote: (id) => quotes.get(id)!,
    health(overrides) {
      healthView = { ...healthView, ...overrides };
      send('health', healthView);
    },
    calendar(problems = []) {
      send('calendar', { dates, problems, exchanges, kept: true });
    },
    silence(next) {
      silent = next;
    },
    withhold(next) {
      withheld = next;
    },
    refuse(name, why) {
      if (why === null) refused.delete(name);
      else refused.set(name, why);
    },
    step() {
      const moved = [...quotes.values()].filter((quote) => quote.state === 'live' && quote.base !== null && random() < 0.6).map((quote) => {
        const digits = byId.get(quote.index)!.decimals ?? 2;
        const move = decimal((Number(quote.price) * (random() - 0.5) * 0.0004).toFixed(digits));
        const price = add(decimal(quote.price!), move);
        const event = floorDiv(desk, 1000n) * 1000n;
        return { index: quote.index, price, eventMicros: String(event), eventTime: formatIso(micros(event)), ageMs: 0, change: subtract(price, decimal(quote.base!.price)), changePercent: percentChange(decimal(quote.base!.price), price)! };
      });
      market.change(...moved);
      for (const { index } of moved) if (watched.has(index)) send('ticks', { index, ticks: [tickOf(quotes.get(index)!)], removed: [], backfill: false });
    },
    now: () => desk,
    advance(by) {
      desk = micros(desk + by);
    },
  };
  return market;
}

/** The states that a page must show well, as directions to the fake host. */
export const SCENES = {
  calm: () => {},
  trouble(market: FakeMarket) {
    const [first, second, third] = market.ids.filter((id) => market.quote(id).state === 'live');
    const old = String(market.now() - 252n * SECOND);
    if (second) market.change({ index: second, state: 'stalled', eventMicros: old, ageMs: 252_000 });
    if (third) market.change({ index: third, state: 'quiet', reason: null, eventMicros: String(market.now() - 4n * SECOND) });
    if (first && market.ids.length > 10) market.change({ index: market.ids[9]!, state: 'disconnected', reason: 'store', eventMicros: old });
    if (market.ids.length > 10) market.change({ index: market.ids[8]!, state: 'nodata', reason: 'empty', price: null, eventMicros: null, change: null, changePercent: null, base: null, day: null, ageMs: null });
  },
  disconnected(market: FakeMarket) {
    market.change(...market.ids.map((index) => ({ index, state: 'disconnected' as FeedState, reason: 'store' })));
    market.health({
      link: 'broken', brokenSinceMicros: String(market.now() - 40n * SECOND), errors: 12,
      problem: problem('STORE_UNREACHABLE', 'Nothing listens at 127.0.0.1:8086', 'start the store, or choose another with --emulator', true),
    });
  },
  notes(market: FakeMarket) {
    const [first, second, third] = market.ids.filter((id) => market.quote(id).state === 'live');
    const asked = (id: string | undefined, change: Partial<QuoteView>): void => (id === undefined ? undefined : market.change({ index: id, ...change }));
    asked(first, { flags: ['replay', 'delayed', 'skew', 'future', 'corrected'], delayMs: 900_000, skewMs: 3200 });
    asked(second, { flags: ['replay', 'deleted'], change: null, changePercent: null, base: null, baseNote: 'no official close since 2019-11-01' });
    asked(third, { flags: ['replay', 'no-calendar'] });
    if (first === undefined) return;
    const tick = { eventMicros: String(market.now()), sequence: 0, price: '3080.5', volume: null, source: 'replay', ingestMicros: String(market.now()) };
    const late = { ...tick, eventMicros: String(market.now() - 3n * SECOND), ingestMicros: String(market.now() + SECOND) };
    const gone = { ...tick, eventMicros: String(market.now() - 2n * SECOND) };
    // after the tape was read
    setTimeout(() => {
      market.send('ticks', { index: first, ticks: [tick, gone], removed: [], backfill: false });
      market.send('ticks', { index: first, ticks: [{ ...tick, price: '3081' }, late], removed: [{ eventMicros: gone.eventMicros, sequence: 0 }], backfill: false });
    }, 500);
  },
  filling(market: FakeMarket) {
    market.health({ link: 'filling', brokenSinceMicros: String(market.now() - 40n * SECOND) });
  },
} as const;
