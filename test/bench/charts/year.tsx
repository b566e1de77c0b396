/** A year of minute bars, forced: 100,000 points from a host that answers part by part. */
import { createRoot } from 'react-dom/client';
import { IndexChart } from '../../../renderer/chart/IndexChart.tsx';
import { DEFAULT_SETTINGS } from '../../../renderer/chart/settings.ts';
import type { HistoryAnswer, HistoryRequest, IndexView, SessionWindow } from '../../../shared/channels.ts';
import { ok, type Result } from '../../../shared/result.ts';

const INFO: IndexView = { id: 'SPX', name: 'S&P 500', mic: 'XNYS', zone: 'UTC', region: 'Americas', currency: 'USD', decimals: 2, delayMs: 0, label: null };
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const NOW = Date.UTC(2024, 11, 31, 20);
const SESSION = { open: 14.5 * 60, close: 21 * 60 } as const; // minutes of the day

const days = (from: number, to: number): number[] => {
  const found: number[] = [];
  for (let day = Math.floor(from / DAY) * DAY; day <= to; day += DAY) if (new Date(day).getUTCDay() % 6 !== 0) found.push(day);
  return found;
};

/** As it comes from a wire: text, made anew. */
function load({ fromMicros, toMicros }: HistoryRequest): Promise<Result<HistoryAnswer>> {
  const [from, to] = [Number(fromMicros) / 1000, Math.min(NOW, Number(toMicros) / 1000)];
  const lines: string[] = [];
  const prices: string[] = [];
  for (const day of days(from, to)) {
    for (let minute = SESSION.open; minute < SESSION.close; minute++) {
      const end = day + (minute + 1) * MINUTE;
      if (end - 0.001 < from || end - MINUTE > to) continue;
      lines.push(String(end * 1000 - 1));
      prices.push((5000 + 300 * Math.sin(end / 4e9) + (((end / MINUTE) * 7919) % 997) / 50).toFixed(2));
    }
  }
  const answer: HistoryAnswer = { index: 'SPX', times: lines, sequences: lines.map(() => 0), prices, resolution: '1m', kind: 'own', rows: lines.length, truncated: false };
  return new Promise((resolve) => { setTimeout(() => resolve(ok(JSON.parse(JSON.stringify(answer)) as HistoryAnswer)), 5); });
}

function sessions({ fromMicros, toMicros }: { readonly fromMicros: string; readonly toMicros: string }): Promise<Result<readonly SessionWindow[]>> {
  return Promise.resolve(ok(days(Number(fromMicros) / 1000, Number(toMicros) / 1000).map((day) => ({
    date: new Date(day).toISOString().slice(0, 10), openMicros: String((day + SESSION.open * MINUTE) * 1000), closeMicros: String((day + SESSION.close * MINUTE) * 1000), note: null,
  }))));
}

const settings = { ...DEFAULT_SETTINGS, detail: '1m' } as const;
const now = (): bigint => BigInt(NOW) * 1000n;
const onTicks = (): (() => void) => () => {};

/** Opens the year in `place`. `points` of its table: all that it drew from. */
export function openYear(place: HTMLElement): { readonly points: () => number; readonly close: () => void } {
  place.style.cssText = 'width:1200px;height:600px';
  const root = createRoot(place);
  root.render(<IndexChart info={INFO} quote={undefined} load={load} sessions={sessions} onTicks={onTicks} now={now} zone="UTC" range="1Y" stale={false} settings={settings} />);
  return { points: () => Number(/(\d+) points/.exec(place.querySelector('.chart-hidden p')?.textContent ?? '')?.[1] ?? 0), close: () => root.unmount() };
}
