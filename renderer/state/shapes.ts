/** The outlines of states, notes and arrows, for React and for rows that are drawn without it. */
import type { FeedState } from '../../shared/channels.ts';

export interface Outline {
  readonly d: string;
  /** Words of the theme: `solid`, `line`, `line heavy`. */
  readonly className: string;
  readonly dash?: string;
}

/** In a box of 12 by 12. */
export const STATE_SHAPES: Readonly<Record<FeedState, Outline>> = {
  live: { d: 'M3.5 6a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0Z', className: 'solid' },
  quiet: { d: 'M2 6a4 4 0 1 0 8 0a4 4 0 1 0-8 0Z', className: 'line' },
  stalled: { d: 'M6 1.2 11.4 11H.6Z', className: 'solid' },
  closed: { d: 'M3 2h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V3a1 1 0 0 1 1-1Z', className: 'solid' },
  disconnected: { d: 'M2 2l8 8M10 2l-8 8', className: 'line heavy' },
  nodata: { d: 'M2 6h8', className: 'line', dash: '2 2' },
};

/** In a box of 10 by 10: care is asked for, or it only informs. */
export const NOTE_SHAPES: Readonly<Record<'bad' | 'plain', Outline>> = {
  bad: { d: 'M5 0l5 5-5 5-5-5Z', className: 'solid' },
  plain: { d: 'M5 1l4 4-4 4-4-4Z', className: 'line' },
};

/** In a box of 10 by 8. */
export const ARROWS: Readonly<Record<'up' | 'down', string>> = { up: 'M5 .5 9.6 7.5H.4Z', down: 'M.4.5h9.2L5 7.5Z' };
