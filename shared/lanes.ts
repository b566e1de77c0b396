/** Work on many things, so many at a time. */
import { failed, ok, type Problem, type Result } from './result.ts';

/** Answers in the order of `items`. The first failure is the whole one's: what is under way ends, nothing else begins. */
export async function inLanes<T, R>(items: readonly T[], most: number, work: (item: T) => Promise<Result<R>>): Promise<Result<R[]>> {
  const done: R[] = [];
  let trouble: Problem | null = null;
  const waiting = items.entries();
  const lane = async (): Promise<void> => {
    for (const [at, item] of waiting) {
      const result = await work(item);
      if (result.ok) done[at] = result.value;
      else trouble ??= result.error;
      if (trouble !== null) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, lane));
  return trouble === null ? ok(done) : failed(trouble);
}
