/** Real bars for chart tests, and a source that answers with their figures as the host does. */
import type { HistoryAnswer, HistoryRequest, SessionsRequest, SessionWindow } from '../../shared/channels.ts';
import { ok, type Result } from '../../shared/result.ts';
import { tradingWindows } from '../../shared/sessions.ts';
import { micros } from '../../shared/time.ts';
import n225 from '../fixtures/chart/n225-minutes-2021-01-14.csv?raw';
import spx from '../fixtures/chart/spx-minutes-2023-06-30.csv?raw';
import sx5eMonday from '../fixtures/chart/sx5e-minutes-2024-07-29.csv?raw';
import sx5eTuesday from '../fixtures/chart/sx5e-minutes-2024-07-30.csv?raw';
import usa500 from '../fixtures/chart/usa500-hours-2021-03.csv?raw';

export interface RealBar {
  /** Milliseconds. */
  readonly start: number;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
}

/** Milliseconds since local midnight, open, high, low, close, volume. */
const minutes = (text: string, midnight: number): readonly RealBar[] => text.trim().split('\n').map((line) => {
  const [millis = '', open = '', high = '', low = '', close = '', volume = ''] = line.trim().split(',');
  return { start: midnight + Number(millis), open, high, low, close, volume };
});
const hour = 3_600_000;
export const SPX_JUNE = minutes(spx, Date.UTC(2023, 5, 30, 5)); // Chicago, summer
export const TOKYO = minutes(n225, Date.UTC(2021, 0, 14) - 9 * hour);
export const SX5E_JULY = [...minutes(sx5eMonday, Date.UTC(2024, 6, 28, 22)), ...minutes(sx5eTuesday, Date.UTC(2024, 6, 29, 22))]; // Berlin, summer
export const USA500_MARCH: readonly RealBar[] = usa500.trim().split('\n').slice(1).map((line) => {
  const [time = '', open = '', high = '', low = '', close = '', volume = ''] = line.trim().split('\t');
  return { start: Date.parse(`${time.replace(' ', 'T')}Z`), open, high, low, close, volume };
});

const LENGTHS = { '1m': 60_000, '5m': 300_000, '1h': hour, '1d': 24 * hour } as const;

/** Answers from `bars` of one resolution; coarser ones are not made. */
export function barAnswer(request: HistoryRequest, bars: readonly RealBar[], resolution: keyof typeof LENGTHS): Result<HistoryAnswer> {
  const within = bars.filter(({ start }) => (start + LENGTHS[resolution]) * 1000 > Number(request.fromMicros) && start * 1000 <= Number(request.toMicros));
  return ok({
    index: request.index, times: within.map(({ start }) => String((start + LENGTHS[resolution]) * 1000 - 1)), sequences: within.map(() => 0), prices: within.map(({ close }) => close), resolution,
    kind: 'vendor', rows: within.length, truncated: false,
    ...(request.figures === true ? { opens: within.map(({ open }) => open), highs: within.map(({ high }) => high), lows: within.map(({ low }) => low), volumes: within.map(({ volume }) => (volume === '0' ? null : volume)) } : {}),
  });
}

/** The sessions that the product's own calendar has. */
export const realSessions = ({ mic, fromMicros, toMicros }: SessionsRequest): Promise<Result<readonly SessionWindow[]>> =>
  Promise.resolve(ok(tradingWindows(mic, micros(BigInt(fromMicros)), micros(BigInt(toMicros))).map(({ date, open, close, note }) => ({ date, openMicros: String(open), closeMicros: String(close), note }))));
