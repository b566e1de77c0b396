/** Chance that is the same on every machine for the same seed: invented markets and workloads. Not for secrets. */

/** Whole numbers below 2^32. Marsaglia's xorshift128 with its 32-bit words from the seed. https://doi.org/10.18637/jss.v008.i14 */
export function randomFrom(seed: number): () => number {
  let [x, y, z, w] = [seed >>> 0 || 123_456_789, 362_436_069, Math.floor(seed / 2 ** 32) ^ 521_288_629, 88_675_123];
  const next = (): number => {
    const t = x ^ (x << 11);
    [x, y, z] = [y, z, w];
    w = (w ^ (w >>> 19) ^ t ^ (t >>> 8)) >>> 0;
    return w;
  };
  // neighbouring seeds begin alike
  for (let i = 0; i < 64; i += 1) next();
  return next;
}

/** The same in [0, 1). */
export function fractionsFrom(seed: number): () => number {
  const next = randomFrom(seed);
  return () => next() / 2 ** 32;
}

/** Zipf's law by rank: draws of [0, 1) to 0..count-1, rank k with a share of (k + 1)^-skew. */
export function pickByRank(count: number, skew: number): (draw: number) => number {
  let sum = 0;
  const upTo = Array.from({ length: count }, (_, k) => (sum += (k + 1) ** -skew));
  return (draw) => {
    const wanted = draw * sum;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((upTo[middle] ?? sum) <= wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
