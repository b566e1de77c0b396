/** A state as a shape, so that colour is never the only sign; its words go beside it for screen readers. */
import { memo } from 'react';
import type { FeedState } from '../../shared/channels.ts';

const SHAPES: Readonly<Record<FeedState, React.JSX.Element>> = {
  live: <circle cx="6" cy="6" r="2.5" className="solid" />,
  quiet: <circle cx="6" cy="6" r="4" className="line" />,
  stalled: <path d="M6 1.2 11.4 11H.6Z" className="solid" />,
  closed: <rect x="2" y="2" width="8" height="8" rx="1" className="solid" />,
  disconnected: <path d="M2 2l8 8M10 2l-8 8" className="line heavy" />,
  nodata: <path d="M2 6h8" className="line" strokeDasharray="2 2" />,
};

export const StateShape = memo(function StateShape({ state }: { readonly state: FeedState }) {
  return (
    <svg className="shape" data-state={state} viewBox="0 0 12 12" width="12" height="12" aria-hidden="true" focusable="false">
      {SHAPES[state]}
    </svg>
  );
});
