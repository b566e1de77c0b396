/** The zone that a header writes in brackets behind a column's name, as in `Time (UTC-5)`. Pure. */
import { isZone } from '../../../shared/zone.ts';

const MAX_NAME = 100;
const BRACKETS = /^([^([]*[^([\s])\s*[([]\s*([^()[\]]+?)\s*[)\]]?$/;
const UNIT = /^(?:s|secs?|seconds|ms|millis|milliseconds|us|µs|micros|microseconds|ns|nanos|nanoseconds)$/i;
const WORD = /^(?:[a-z]{1,12}|[a-z_]+(?:\/[a-z0-9_+-]+)+|(?:utc|gmt)?[+-]\d{1,2}(?::?\d{2})?)$/i;
const OFFSET = /^(?:utc|gmt)?([+-])(\d{1,2})(?::?(\d{2}))?$/i;
const EASTERN = /^e[sd]?t$/i;

/** Splits `Time (EST)`; null where the brackets hold nothing that could be a zone, as a unit. */
export function splitZone(cell: string): { readonly name: string; readonly word: string } | null {
  const found = cell.length > MAX_NAME ? null : BRACKETS.exec(cell.trim());
  const [, name = '', word = ''] = found ?? [];
  return found && WORD.test(word) && !UNIT.test(word) ? { name, word } : null;
}

/** The one zone that such a word means; null where it means several, as EST does: one offset all year, or New York's clock. */
export function zoneOfWord(word: string): string | null {
  if (/^(?:utc|gmt|z|zulu)$/i.test(word)) return 'UTC';
  const offset = OFFSET.exec(word);
  if (offset) {
    const zone = `${offset[1]}${(offset[2] ?? '').padStart(2, '0')}:${offset[3] ?? '00'}`;
    return isZone(zone) ? zone : null;
  }
  return word.includes('/') && isZone(word) ? word : null;
}

/** What to do about a word that means no one zone. */
export const zoneChoice = (word: string): string =>
  EASTERN.test(word) ? 'give --zone America/New_York for clocks that change, or --zone UTC-05:00 for ones that do not' : 'give --zone, an IANA name such as America/New_York, or UTC+08:00';
