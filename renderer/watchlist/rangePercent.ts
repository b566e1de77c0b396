/** 0..100, where a price lies between two others, for pixels only; undefined without a range. */
export function rangePercent(price: string, low: string, high: string): number | undefined {
  const [at, from, to] = [Number(price), Number(low), Number(high)];
  if (!(to > from)) return undefined;
  return Math.max(0, Math.min(100, ((at - from) / (to - from)) * 100));
}
