/** A long chart without bars, where ticks are far too many: the price as of the end of each pixel column. */
import { ok, type Result } from '../../shared/result.ts';
import { type IndexId, ticksBetween } from '../../shared/rowKey.ts';
import { type EpochMicros, micros } from '../../shared/time.ts';
import { decodeTick } from '../bigtable/decode.ts';
import { gather, type PageContext, pagesOf, retainedParts } from '../bigtable/pages.ts';
import { type Point, pointsFor, tickPoint } from './points.ts';

const READS_IN_FLIGHT = 16;

export interface Span {
  readonly index: IndexId;
  readonly from: EpochMicros;
  readonly to: EpochMicros;
  readonly pixels: number;
}

/** The newest tick of each pixel column from `from` to `until`: one read of one row each, bounded by its column. Oldest first. */
export async function samples(context: PageContext, { index, from, to, pixels }: Span, until: EpochMicros, signal?: AbortSignal): Promise<Result<Point[]>> {
  const columns = pointsFor(pixels) / 2;
  const width = (to - from) / BigInt(columns) + 1n;
  const starts: EpochMicros[] = [];
  for (let start: bigint = from; start <= until; start += width) starts.push(micros(start));
  const found: (Point | undefined)[] = [];
  let next = 0;
  let trouble: Result<never> | null = null;
  const worker = async (): Promise<void> => {
    for (let start = starts[next]; start !== undefined && trouble === null; start = starts[next]) {
      const at = next;
      next += 1;
      const end = start + width - 1n < until ? micros(start + width - 1n) : until;
      const parts = retainedParts(index, ticksBetween(index, start, end), context.clock.now(), context.retentionDays);
      const ticks = await gather(pagesOf(context, index, parts, 1, decodeTick, signal));
      if (!ticks.ok) trouble = ticks;
      else if (ticks.value[0]) found[at] = tickPoint(ticks.value[0]);
    }
  };
  await Promise.all(Array.from({ length: Math.min(READS_IN_FLIGHT, starts.length) }, worker));
  return trouble ?? ok(found.flatMap((point) => point ?? []));
}
