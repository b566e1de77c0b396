/** What index traders lay over a price, as functions of its series. Doubles: for lines and legends, never for prices. Pure. */

/** Mean of the last `length` values; null until there are so many. */
export function simpleAverage(values: readonly number[], length: number): (number | null)[] {
  let sum = 0;
  return values.map((value, at) => {
    sum += value;
    if (at >= length) sum -= values[at - length] ?? 0;
    return at >= length - 1 ? sum / length : null;
  });
}

/** Exponential mean with weight 2/(length+1), begun with the mean of the first `length` values; null before. */
export function exponentialAverage(values: readonly number[], length: number): (number | null)[] {
  const weight = 2 / (length + 1);
  let seed = 0;
  let average: number | null = null;
  return values.map((value, at) => {
    if (average !== null) average += (value - average) * weight;
    else {
      seed += value;
      if (at === length - 1) average = seed / length;
    }
    return average;
  });
}

export interface TradedBar {
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Null where unknown. */
  readonly volume: number | null;
  /** Session that the bar belongs to. */
  readonly session: number;
}

/** Volume-weighted average of (high + low + close) / 3 since the session began; null where no volume has come yet. */
export function sessionVwap(bars: readonly TradedBar[]): (number | null)[] {
  let [session, weighted, traded]: [number | null, number, number] = [null, 0, 0];
  return bars.map((bar) => {
    if (bar.session !== session) [session, weighted, traded] = [bar.session, 0, 0];
    if (bar.volume !== null && bar.volume > 0) {
      weighted += ((bar.high + bar.low + bar.close) / 3) * bar.volume;
      traded += bar.volume;
    }
    return traded > 0 ? weighted / traded : null;
  });
}

/** Lowest and highest of the values at positions [first, end); null where there are none. */
export function extremes(lows: readonly number[], highs: readonly number[], first: number, end: number): { readonly low: number; readonly high: number } | null {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = first; at < end; at++) {
    low = Math.min(low, lows[at] ?? low);
    high = Math.max(high, highs[at] ?? high);
  }
  return low <= high ? { low, high } : null;
}

/** Values of another series as if it had begun where this one did. Null where its base is none. */
export const rebasedTo = (value: number, ownBase: number, otherBase: number): number | null => (otherBase > 0 && ownBase > 0 ? (value / otherBase) * ownBase : null);

/** `SMA 20`, `EMA 50`, `VWAP`. */
export const overlayName = (overlay: string): string => (overlay === 'vwap' ? 'VWAP' : overlay.replace(/^(sma|ema)(\d+)$/, (_, kind: string, length: string) => `${kind.toUpperCase()} ${length}`));
