/**
 * The table as it was at an instant, by event time: a reader that knows nothing of what came later. Ticks end at that instant; a bar is
 * there once it is whole. Metadata and ranges over several indices pass as they are.
 */
import { type EpochMicros, MIN_MICROS } from '../../shared/time.ts';
import { type KeyRange, type Resolution, RESOLUTIONS, reverseTime } from '../../shared/rowKey.ts';
import { lengthOf } from './pages.ts';
import type { Reader, ReadRequest } from './reader.ts';

const ONE_INDEX = /^([A-Z0-9^._-]{1,24})(#|@(?:1s|1m|5m|1h|1d)#)/;

const isResolution = (text: string): text is Resolution => RESOLUTIONS.some((known) => known === text);

/** What of `range` was there at `asOf`; null: nothing. */
export function clipped(range: KeyRange, asOf: EpochMicros): KeyRange | null {
  const [, id, kind = ''] = ONE_INDEX.exec(range.start) ?? [];
  const prefix = `${id ?? ''}${kind}`;
  // A range that leaves the rows of its index and kind is a search for indices, not for prices.
  if (id === undefined || range.end > `${prefix.slice(0, -1)}$`) return range;
  const resolution = kind.slice(1, -1);
  const whole = asOf - (isResolution(resolution) ? lengthOf(resolution) : 0n);
  const border = `${prefix}${reverseTime(whole < MIN_MICROS ? MIN_MICROS : whole)}`;
  if (range.start >= border) return range;
  return border < range.end ? { start: border, end: range.end } : null;
}

/** `asOf` null: everything, as `reader` reads it. The instant of a request is that of its call. */
export function asOfReader(reader: Reader, asOf: () => EpochMicros | null): Reader {
  return {
    read(request) {
      const instant = asOf();
      return instant === null ? reader.read(request) : readClipped(reader, request, instant);
    },
    renew: () => reader.renew(),
    close: () => reader.close(),
  };
}

function readClipped(reader: Reader, request: ReadRequest, instant: EpochMicros): ReturnType<Reader['read']> {
  const ranges = request.ranges.flatMap((range) => clipped(range, instant) ?? []);
  if (ranges.length === request.ranges.length && ranges.every((range, at) => range === request.ranges[at])) return reader.read(request);
  if (ranges.length === 0) return Promise.resolve({ ok: true, rows: [], elapsedMs: 0 });
  return reader.read({ ...request, ranges });
}
