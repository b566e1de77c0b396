/** Times in the keys of the lab: reverse as our own keys have them, or forward. Fixed widths. */
import { MAX_SEQUENCE, reverseTime } from '../../../shared/rowKey.ts';

export type Direction = 'reverse' | 'forward';

const NEWEST = 2n ** 63n - 1n;
const FORWARD_DIGITS = 16;

/** Of a time, without a sequence: the start of what is as old or older (reverse), as new or newer (forward). */
export const timeText = (time: bigint, direction: Direction): string => (direction === 'reverse' ? reverseTime(time) : String(time).padStart(FORWARD_DIGITS, '0'));

export const sequenceText = (sequence: number, direction: Direction): string => String(direction === 'reverse' ? MAX_SEQUENCE - sequence : sequence).padStart(6, '0');

export const tailOf = (time: bigint, sequence: number, direction: Direction): string => `${timeText(time, direction)}#${sequenceText(sequence, direction)}`;

export function readTime(text: string, direction: Direction): bigint {
  return direction === 'reverse' ? NEWEST - BigInt(text) : BigInt(text);
}

export const readSequence = (text: string, direction: Direction): number => (direction === 'reverse' ? MAX_SEQUENCE - Number(text) : Number(text));

/** From the end of a key that `tailOf` ends. */
export function readTail(key: string, direction: Direction): { time: bigint; sequence: number } {
  const [time = '', sequence = ''] = key.slice(direction === 'reverse' ? -26 : -(FORWARD_DIGITS + 7)).split('#');
  return { time: readTime(time, direction), sequence: readSequence(sequence, direction) };
}

/** The first key after all that start with `prefix`. */
export const after = (prefix: string): string => prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
