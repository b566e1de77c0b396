/** Numbers inside foreign keys: fixed width, unsigned, so that byte order is number order. */
import type { KeyNumber, NumberFormat } from './foreignLayout.ts';

/** The largest number that the format holds. */
export function largest({ encoding, width }: NumberFormat): bigint {
  return (encoding === 'decimal' ? 10n : encoding === 'hex' ? 16n : 256n) ** BigInt(width) - 1n;
}

/** Throws RangeError where the format can't hold the number: a wider or wrapped key would be another instant. */
export function writeNumber(value: bigint, format: NumberFormat): string {
  if (value < 0n || value > largest(format)) throw new RangeError(`${value} does not fit ${describe(format)}${value < 0n ? ', which holds no negative number' : ''}`);
  if (format.encoding === 'decimal') return value.toString().padStart(format.width, '0');
  const hex = value.toString(16).padStart(format.encoding === 'hex' ? format.width : format.width * 2, '0');
  if (format.encoding === 'hex') return format.upper ? hex.toUpperCase() : hex;
  return Buffer.from(hex, 'hex').toString('latin1');
}

const DECIMAL = /^\d+$/;
const UPPER = /^[\dA-F]+$/;
const LOWER = /^[\da-f]+$/;

/** Undefined where the text is not a number of that format. */
export function readNumber(text: string, format: NumberFormat): bigint | undefined {
  if (text.length !== format.width) return undefined;
  if (format.encoding === 'decimal') return DECIMAL.test(text) ? BigInt(text) : undefined;
  if (format.encoding === 'hex') return (format.upper ? UPPER : LOWER).test(text) ? BigInt(`0x${text}`) : undefined;
  return BigInt(`0x${Buffer.from(text, 'latin1').toString('hex')}`);
}

/** From the number meant to the number written and back: a reverse one is subtracted from its base. */
export const turned = (value: bigint, { base }: KeyNumber): bigint => (base === null ? value : base - value);

export function describe({ encoding, width, upper }: NumberFormat): string {
  if (encoding === 'binary') return `${width}-byte big-endian binary`;
  return `${width} ${encoding === 'decimal' ? 'decimal digits' : `${upper ? 'upper' : 'lower'}-case hex digits`}`;
}
