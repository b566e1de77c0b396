/** Instants as the page gets them, as text: for every tick of every index, so without dates and bigints wherever doubles do. */
import { type EpochMicros, formatIso, micros, SECOND } from '../../shared/time.ts';

/** Seconds that were written out last, as the beginnings of both texts: the newest prices of a desk lie in few of them. */
interface Second {
  readonly number: number;
  readonly iso: string;
  readonly micros: string;
}
const seconds: (Second | undefined)[] = Array.from({ length: 64 });
const THREE = Array.from({ length: 1000 }, (_, value) => String(value).padStart(3, '0'));
const THREE_Z = THREE.map((digits) => `${digits}Z`);
/** Written out the long way: before 1970, and where doubles are not exact. */
const plain = (number: number): boolean => number >= 1_000_000 && number <= Number.MAX_SAFE_INTEGER;

function secondOf(number: number): Second {
  const known = seconds[number & 63];
  if (known?.number === number) return known;
  return (seconds[number & 63] = { number, iso: formatIso(micros(BigInt(number) * SECOND)).slice(0, 20), micros: String(number) });
}

/** As formatIso, which asks a Date for its fields. */
export function isoOf(time: EpochMicros): string {
  const number = Number(time);
  if (!plain(number)) return formatIso(time);
  const second = Math.floor(number / 1_000_000);
  const rest = number - second * 1_000_000;
  return `${secondOf(second).iso}${THREE[Math.floor(rest / 1000)] ?? ''}${THREE_Z[rest % 1000] ?? ''}`;
}

/** As String. */
export function microsOf(time: EpochMicros): string {
  const number = Number(time);
  if (!plain(number)) return String(time);
  const second = Math.floor(number / 1_000_000);
  const rest = number - second * 1_000_000;
  return `${secondOf(second).micros}${THREE[Math.floor(rest / 1000)] ?? ''}${THREE[rest % 1000] ?? ''}`;
}
