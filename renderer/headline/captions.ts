/** Words under the headline: what a change is measured from, and when a closed market opens. */
import type { QuoteView } from '../../shared/channels.ts';
import { assertNever } from '../../shared/result.ts';
import { parseTime } from '../../shared/time.ts';
import { localDate } from '../../shared/zone.ts';
import { showDate, showMinute, showPrice } from '../state/shown.ts';
import { reasonWords } from '../state/words.ts';

/** Dates inside the host's words as the reader writes them. */
const withDates = (words: string): string => words.replaceAll(/\b\d{4}-\d{2}-\d{2}\b/g, (date) => showDate(date));

export function baseWords({ base, baseNote }: Pick<QuoteView, 'base' | 'baseNote'>, decimals: number | null | undefined): string {
  if (base === null) return withDates(baseNote ?? 'no official close');
  const at = `${showPrice(base.price, decimals)} · ${showDate(base.date)}`;
  switch (base.kind) {
    case 'official':
      return `from official close ${at}`;
    case 'last-bar':
      return `vs last bar ${at}`;
    default:
      return assertNever(base.kind);
  }
}

/** Why a value is in its state, and for a closed market what comes next: a night or weekend is told by the next open alone. */
export function stateDetails({ state, reason, nextOpen }: Pick<QuoteView, 'state' | 'reason' | 'nextOpen'>, zone: string): string | null {
  const next = state === 'closed' && nextOpen !== null ? `opens ${openWords(zone, nextOpen)}` : null;
  const why = reason === null || (next !== null && (reason === 'night' || reason === 'weekend')) ? null : reasonWords(reason);
  const words = [why, next].filter((part) => part !== null);
  return words.length === 0 ? null : words.join(' · ');
}

function openWords(zone: string, iso: string): string {
  try {
    const time = parseTime(iso);
    return `${showDate(localDate(zone, time))} ${showMinute(zone, time)}`;
  } catch {
    return iso.slice(0, 30);
  }
}
