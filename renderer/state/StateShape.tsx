/** A state as a shape, so that colour is never the only sign; its words go beside it for screen readers. */
import { memo } from 'react';
import type { FeedState } from '../../shared/channels.ts';
import { STATE_SHAPES } from './shapes.ts';

export const StateShape = memo(function StateShape({ state }: { readonly state: FeedState }) {
  const { d, className, dash } = STATE_SHAPES[state];
  return (
    <svg className="shape" data-state={state} viewBox="0 0 12 12" width="12" height="12" aria-hidden="true" focusable="false">
      <path d={d} className={className} strokeDasharray={dash} />
    </svg>
  );
});
