/** Bars with open, high, low and volume for a chart: the table's own, else made from its ticks, exactly. */
import type { HistoryAnswer } from '../../shared/channels.ts';
import { barsOf, type MadeResolution } from '../../shared/bars.ts';
import type { Bar, IndexInfo, Tick } from '../../shared/quote.ts';
import { ok, type Result } from '../../shared/result.ts';
import { barPages, gather, type PageContext, tickPages } from '../bigtable/pages.ts';
import { barPoint, tickPoint } from './points.ts';
import type { Span } from './samples.ts';

export interface FiguresContext extends PageContext {
  /** Whose sessions a day bar holds. */
  readonly info?: (id: string) => Pick<IndexInfo, 'mic' | 'zone'>;
}

/** Most bars of one answer: as many points as may cross. */
const BAR_CAP = 40_000;
/** Most ticks that bars are made from. */
const TICK_CAP = 60_000;

type Figured = Pick<Bar, 'open' | 'high' | 'low' | 'close' | 'volume' | 'start' | 'resolution' | 'kind'>;

/**
 * Bars of `resolution` that overlap the span, oldest first, all of them. Where the table has none of the span: made from its ticks; where
 * those are too many, the newest ones as they are, without figures and said to be cut off. The newest ticks that no bar holds yet are
 * bars too.
 */
export async function figuresHistory(context: FiguresContext, span: Span, resolution: MadeResolution, signal?: AbortSignal): Promise<Result<HistoryAnswer>> {
  const { index, from, to } = span;
  const stored = await gather(barPages(context, { index, resolution, from, to, limit: BAR_CAP, ...(signal ? { signal } : {}) }));
  if (!stored.ok) return stored;
  const [last] = stored.value;
  // Where own bars are made, their follower keeps up; a vendor's end with its file.
  const ticks = await gather(tickPages(context, { index, from: last ? last.start : from, to, limit: TICK_CAP + 1, ...(signal ? { signal } : {}) }));
  if (!ticks.ok) return ticks;
  const cut = ticks.value.length > TICK_CAP;
  if (cut && !last) {
    const points = ticks.value.slice(0, TICK_CAP).map(tickPoint).reverse();
    return ok(answered(index, points, { resolution: 'tick', kind: 'tick', rows: points.length, truncated: true }));
  }
  const made: Figured[] = cut ? [] : madeBars(context, span, ticks.value, resolution);
  const bars: Figured[] = [...stored.value].reverse();
  for (const bar of made) {
    const newest = bars.at(-1);
    if (!newest || bar.start > newest.start) bars.push(bar);
    else if (bar.start === newest.start && newest.kind === 'own') bars[bars.length - 1] = bar;
  }
  const now = context.clock.now();
  const points = bars.map((bar) => barPoint(bar, now));
  return ok({
    ...answered(index, points, { resolution, kind: last?.kind ?? 'own', rows: bars.length, truncated: stored.value.length >= BAR_CAP }),
    opens: bars.map(({ open }) => open), highs: bars.map(({ high }) => high), lows: bars.map(({ low }) => low), volumes: bars.map(({ volume }) => volume),
  });
}

function madeBars({ info }: FiguresContext, { index }: Span, ticks: readonly Tick[], resolution: MadeResolution): Figured[] {
  const { mic, zone } = info?.(index) ?? { mic: null, zone: 'UTC' };
  return barsOf({ mic, zone }, ticks).filter((bar) => bar.resolution === resolution).map((bar) => ({ ...bar, kind: 'own' }));
}

const answered = (index: string, points: readonly { readonly time: bigint; readonly sequence: number; readonly price: string }[], about: Pick<HistoryAnswer, 'resolution' | 'kind' | 'rows' | 'truncated'>): HistoryAnswer =>
  ({ index, times: points.map(({ time }) => String(time)), sequences: points.map(({ sequence }) => sequence), prices: points.map(({ price }) => price), ...about });
