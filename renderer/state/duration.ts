/** Spans of time ahead of or behind the reader. */
import { floorDiv } from '../../shared/time.ts';

/** `4 h 47 m`, `12 m`, `40 s`; days beyond 48 hours. Floors, so that nothing is promised early. */
export function durationWords(micros: bigint): string {
  const seconds = micros < 0n ? 0n : floorDiv(micros, 1_000_000n);
  if (seconds < 60n) return `${seconds} s`;
  const minutes = seconds / 60n;
  if (minutes < 60n) return `${minutes} m`;
  const hours = minutes / 60n;
  if (hours < 48n) return `${hours} h ${minutes % 60n} m`;
  return `${hours / 24n} d ${hours % 24n} h`;
}
