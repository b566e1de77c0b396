/** Work on many things, a few at a time. */

/** Results in the order of `items`; the first failure rejects once the work under way has ended. */
export async function mapInFlight<T, R>(items: readonly T[], most: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  let broken: { readonly why: unknown } | null = null;
  const lane = async (): Promise<void> => {
    while (next < items.length && broken === null) {
      const at = next++;
      try {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `at` is below the length
        results[at] = await work(items[at] as T);
      } catch (why) {
        broken ??= { why };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, lane));
  if (broken !== null) throw (broken as { readonly why: unknown }).why;
  return results;
}
