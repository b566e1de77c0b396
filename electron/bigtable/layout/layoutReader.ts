/** A Reader of canonical rows over a table in which some indices are sharded or have had other names. Everything above it asks and gets canonical keys. */
import { problem } from '../../../shared/result.ts';
import type { Reader, ReadOutcome, ReadRequest } from '../reader.ts';
import { type CurrentLayouts, isRegistryRead } from './current.ts';
import type { Layouts } from './layouts.ts';
import { mergeLanes } from './merge.ts';
import { homeOf, movesAny, piecesOf } from './places.ts';
import { packPieces, pieceLane } from './translate.ts';

/** `elapsed`: the clock of `current`. Requests that concern no such index go to `plain` as they are. */
export function layoutReader(plain: Reader, current: CurrentLayouts, elapsed: () => number): Reader {
  return {
    read(request) {
      if (isRegistryRead(request)) return observed(plain, current, request, elapsed());
      const layouts = current.now();
      if (layouts === null) return unprepared(plain, current, request);
      return layouts.zones.length > 0 && movesAny(layouts, request.ranges) ? translated(plain, layouts, request) : plain.read(request);
    },
    renew() {
      current.expire();
      plain.renew();
    },
    close: () => plain.close(),
  };
}

/** What others read of the registry is not read again. */
async function observed(plain: Reader, current: CurrentLayouts, request: ReadRequest, askedAt: number): Promise<ReadOutcome> {
  const outcome = await plain.read(request);
  current.learn(outcome, askedAt);
  return outcome;
}

/** The registry is read beside what was asked for: mostly that was the answer, and nobody has waited. */
async function unprepared(plain: Reader, current: CurrentLayouts, request: ReadRequest): Promise<ReadOutcome> {
  const started = performance.now();
  const elapsed = (): number => performance.now() - started;
  const registry = current.fresh(request.deadlineMs);
  const outcome = await plain.read(request);
  if (!outcome.ok && outcome.error.code !== 'STORE_TIMEOUT') return { ...outcome, rows: [], scannedTo: null };
  const layouts = await registry;
  if (!layouts.ok) return { ok: false, error: layouts.error, rows: [], scannedTo: null, elapsedMs: elapsed() };
  if (!movesAny(layouts.value, request.ranges)) return outcome;
  const answer = await translated(plain, layouts.value, { ...request, deadlineMs: Math.max(1, request.deadlineMs - elapsed()) });
  return { ...answer, elapsedMs: elapsed() };
}

async function translated(plain: Reader, layouts: Layouts, request: ReadRequest): Promise<ReadOutcome> {
  // Wrong requests are refused by who sends them, in the same words as ever.
  if (request.ranges.some(({ start, end }) => start === '' || start >= end) || !(request.deadlineMs > 0)) return plain.read(request);
  if (request.reversed === true) return { ok: false, error: NOT_BACKWARDS, rows: [], scannedTo: null, elapsedMs: 0 };
  const sequences = packPieces(piecesOf(layouts, request.ranges));
  const [only] = sequences;
  if (only === undefined) return { ok: true, rows: [], elapsedMs: 0 };
  const home = (key: string): string => {
    const place = homeOf(layouts, key);
    return place.ok ? place.value : key;
  };
  return mergeLanes(sequences.map((sequence) => pieceLane(plain, sequence, request, home)), { limit: request.limit ?? 0, deadlineMs: request.deadlineMs });
}

const NOT_BACKWARDS = problem('BAD_INPUT', 'an index with shards or a former name is read newest first', 'correct the request');
