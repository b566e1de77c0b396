/** IndexChart mounted in a real browser, on real minutes, with a desk clock that stands still unless moved. */
import { type ReactElement, StrictMode } from 'react';
import { beforeEach, expect, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { IndexChart, type IndexChartProps } from '../../renderer/chart/IndexChart.tsx';
import type { HistoryAnswer, HistoryRequest } from '../../shared/channels.ts';
import { ok, type Result } from '../../shared/result.ts';
import { partIn } from '../readout.ts';
import { answer, createTail, type Point, quoteOf, SPX, SPX_POINTS, SPX_SESSIONS } from './chartScene.tsx';

export const MORNING = Date.UTC(2019, 10, 6, 16, 12, 7); // 11:12:07 in New York
export const BASE = { price: '3074.62', date: '2019-11-05', kind: 'official' } as const;

export interface Scene {
  readonly points?: readonly Point[];
  readonly now?: number;
  readonly props?: Partial<IndexChartProps>;
  readonly strict?: boolean;
}

/** Mounts a chart whose desk clock stands still unless moved. */
export async function scene({ points = SPX_POINTS, now = MORNING, props = {}, strict = false }: Scene = {}) {
  let clock = now;
  const tail = createTail();
  const requests: HistoryRequest[] = [];
  const known = (): readonly Point[] => points.filter(({ time }) => time <= clock);
  const load = vi.fn((request: HistoryRequest): Promise<Result<HistoryAnswer>> => {
    requests.push(request);
    return Promise.resolve(answer(request, known()));
  });
  const last = known().at(-1);
  const base: IndexChartProps = {
    info: SPX, quote: last ? quoteOf(SPX, last, { base: BASE }) : undefined, load, sessions: () => Promise.resolve(ok(SPX_SESSIONS)), onTicks: tail.onTicks,
    now: () => BigInt(clock) * 1000n, zone: SPX.zone, range: '1D', stale: false, locale: 'en-US', ...props,
  };
  const chart = (change: Partial<IndexChartProps> = {}): ReactElement => {
    const element = <div style={{ width: 694, height: 560, background: '#11181f' }}><IndexChart {...base} {...change} /></div>;
    return strict ? <StrictMode>{element}</StrictMode> : element;
  };
  const screen = await render(chart());
  const root = (): HTMLElement => screen.container.querySelector<HTMLElement>('.chart')!;
  return {
    root, tail, requests,
    at: (time: number) => { clock = time; },
    again: (change: Partial<IndexChartProps>) => screen.rerender(chart(change)),
    ready: () => expect.poll(() => root().dataset['status'], { timeout: 10_000 }).toBe('ready'),
    /** The crosshair follows the first picture. */
    settled: () => expect.poll(() => root().querySelector('[role="slider"]'), { timeout: 10_000 }).not.toBeNull(),
    status: (status: string) => expect.poll(() => root().dataset['status'], { timeout: 10_000 }).toBe(status),
    past: () => root().querySelector('.chart-line-past')?.getAttribute('d') ?? '',
    current: () => [...root().querySelectorAll('.chart-line-current path')].map((path) => path.getAttribute('d') ?? '').join(''),
    part: (name: string) => partIn(root(), name),
    slider: () => root().querySelector<HTMLElement>('[role="slider"]')!,
    lastTag: () => root().querySelector<HTMLElement>('.chart-tag-last')!,
  };
}

/** Pieces of a path as [first x, last x]; the tail's repeated start is no new piece. */
export function pieces(text: string): [number, number][] {
  const found: [number, number][] = [];
  let end = '';
  for (const [, kind = '', x = '', y = ''] of text.matchAll(/([ML])(-?[\d.]+),(-?[\d.]+)/g)) {
    const piece = found.at(-1);
    if (kind === 'M' && end !== `${x},${y}`) found.push([Number(x), Number(x)]);
    else if (piece) piece[1] = Number(x);
    end = `${x},${y}`;
  }
  return found;
}
export const without = (from: number, to: number): readonly Point[] => SPX_POINTS.filter(({ time }) => time <= from || time >= to);

/** React, Recharts and we ourselves have nothing to complain about. */
const problems: string[] = [];
export const complainsOfNothing = (): void => beforeEach(() => {
  problems.length = 0;
  for (const kind of ['error', 'warn'] as const) {
    vi.spyOn(console, kind).mockImplementation((...parts: unknown[]) => { problems.push(parts.map(String).join(' ')); });
  }
  return () => {
    vi.restoreAllMocks();
    expect(problems).toEqual([]); // React, Recharts and we ourselves have nothing to complain about
  };
});
