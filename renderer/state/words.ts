/** States and reasons in the reader's words. */
import type { FeedState, HealthView, QuoteView } from '../../shared/channels.ts';
import { assertNever } from '../../shared/result.ts';
import type { HostLink } from '../store/pageDesk.ts';

const REASONS: Readonly<Record<string, string>> = {
  store: 'store not answering', credentials: 'credentials refused', network: 'no network', host: 'Frontrow silent',
  connecting: 'connecting', empty: 'no rows', 'awaiting-open': 'awaiting the first print', auction: 'auction', halted: 'halted',
  'pre-open': 'pre-open', settling: 'settling', 'early-close': 'early close', 'late-open': 'late open', 'between-sessions': 'between sessions',
};

/** Unknown reasons are words already (`lunch`, `weekend`, a holiday's name). */
export const reasonWords = (reason: string): string => REASONS[reason] ?? reason.replaceAll('-', ' ');

export function stateWord(state: FeedState): string {
  switch (state) {
    case 'live':
    case 'quiet':
    case 'stalled':
    case 'closed':
    case 'disconnected':
      return state;
    case 'nodata':
      return 'no data';
    default:
      return assertNever(state);
  }
}

export const stateWords = ({ state, reason }: Pick<QuoteView, 'state' | 'reason'>): string =>
  reason === null ? stateWord(state) : `${stateWord(state)} · ${reasonWords(reason)}`;

export interface LinkWords {
  /** `good` looks calm, `busy` is on its way, `bad` is trouble. */
  readonly tone: 'good' | 'busy' | 'bad';
  readonly text: string;
}

/** The connection, from the host that the page hears to the store that the host reads. */
export function linkWords(host: HostLink, link: HealthView['link'] | undefined): LinkWords {
  if (host.kind === 'lost') return { tone: 'bad', text: 'Frontrow silent' };
  if (host.kind === 'connecting' || link === undefined || link === 'connecting') return { tone: 'busy', text: 'connecting' };
  switch (link) {
    case 'live':
      return { tone: 'good', text: 'connected' };
    case 'broken':
      return { tone: 'bad', text: 'store disconnected' };
    case 'filling':
      return { tone: 'busy', text: 'filling the gap' };
    default:
      return assertNever(link);
  }
}
