/**
 * Ids of foreign tables on screen. Our grammar has 1 to 24 of A-Z 0-9 ^ . _ -; an id outside it is escaped, reversibly, on screen only:
 *
 *     "^_" body    letters of the body are lower case      _X   the letter X of the other case     __   "_"
 *     "^-" body    letters of the body are upper case      ^HH  the byte HH                        other characters stand for themselves
 *
 * `spx` is `^_SPX`, `eurusd_spot` is `^_EURUSD__SPOT`, `EU#SPX` is `^-EU^23SPX`. Ids that look escaped are escaped themselves.
 */
import { type IndexId, isIndexId } from '../../../shared/rowKey.ts';

const [LOWER, UPPER] = ['^_', '^-'];

/** Null where 24 characters don't suffice: then the layout file has to name it (`ids`). `physical` has one character per byte. */
export function screenId(physical: string): IndexId | null {
  if (isIndexId(physical) && !physical.startsWith(LOWER) && !physical.startsWith(UPPER)) return physical;
  const [lower, upper] = [escape(physical, true), escape(physical, false)];
  const shorter = lower.length < upper.length ? lower : upper;
  return physical !== '' && isIndexId(shorter) ? shorter : null;
}

/** The id in the table. Null where the text is no id that `screenId` makes. */
export function physicalId(id: IndexId): string | null {
  const lower = id.startsWith(LOWER);
  if (!lower && !id.startsWith(UPPER)) return id;
  const body = id.slice(2);
  if (!/^(?:[A-Z0-9.-]|_[A-Z_]|\^[0-9A-F]{2})+$/.test(body)) return null;
  const physical = body.replaceAll(/_([A-Z_])|\^([0-9A-F]{2})|([A-Z])/g, (_, shifted?: string, byte?: string, letter?: string) => {
    if (byte !== undefined) return String.fromCharCode(Number.parseInt(byte, 16));
    if (shifted === '_') return '_';
    const text = shifted ?? letter ?? '';
    return (shifted === undefined) === lower ? text.toLowerCase() : text;
  });
  return screenId(physical) === id ? physical : null;
}

function escape(physical: string, lower: boolean): string {
  return (lower ? LOWER : UPPER) + physical.replaceAll(/[^0-9.-]/g, (character) => {
    if (character === '_') return '__';
    if (/[a-z]/.test(character)) return `${lower ? '' : '_'}${character.toUpperCase()}`;
    if (/[A-Z]/.test(character)) return `${lower ? '_' : ''}${character}`;
    return `^${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
}
