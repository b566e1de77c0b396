/** What stands in the chart's place while there is nothing to draw: loading, empty, failed; and what must be known about what is drawn. */
import { memo, useCallback, useEffect, useState } from 'react';
import type { IndexView } from '../../shared/channels.ts';
import type { ChartModel } from './chartModel.ts';
import type { StillView } from './chartView.ts';
import type { IndexChartProps } from './IndexChart.tsx';
import { RANGE_NAMES } from './span.ts';
import { momentLabel } from './timeLabels.ts';

const SOON = 120;

interface StateProps {
  readonly view: StillView;
  readonly model: ChartModel;
  readonly info: IndexView;
  readonly range: IndexChartProps['range'];
  readonly zone: string;
  /** Why the chart doesn't look live, in words; null where it may. */
  readonly trouble: string | null;
}

export const ChartState = memo(function ChartState({ view, model, info, range, zone, trouble }: StateProps) {
  const again = useCallback(() => model.reload(), [model]);
  switch (view.status) {
    case 'ready':
      if (trouble === null && view.lastEvent === null && !view.frame?.calendarNote && view.note === null) return null;
      return (
        <div className="chart-notes">
          {trouble !== null && <p className="chart-trouble">{trouble}</p>}
          {trouble === null && view.lastEvent !== null && <p>{`no price in this range; the newest is of ${momentLabel(zone, view.lastEvent)}`}</p>}
          {view.frame?.calendarNote && <p className="chart-note">{view.frame.calendarNote}</p>}
          {view.note !== null && <p className="chart-note">{view.note}</p>}
        </div>
      );
    case 'loading':
      return <Loading name={info.id} range={range} />;
    case 'empty': {
      const last = view.lastEvent;
      return (
        <div className="chart-state">
          <p>{`no prices of ${info.id} in this range`}</p>
          <p className="chart-next">{last === null ? 'it fills as soon as a writer sends some' : `the newest is of ${momentLabel(zone, last)}; a longer range may show it`}</p>
        </div>
      );
    }
    case 'failed':
      return (
        <div className="chart-state chart-failed" role="alert">
          <p>{`${info.id}: ${view.problem?.what ?? 'the range could not be read'}`}</p>
          <p className="chart-next">{view.problem?.next ?? ''}</p>
          <button type="button" onClick={again}>try again</button>
        </div>
      );
  }
});

/** Progress, unless the answer is here at once: a flash of it would only be noise, and to lay out. */
function Loading({ name, range }: { readonly name: string; readonly range: IndexChartProps['range'] }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SOON);
    return () => clearTimeout(timer);
  }, []);
  if (!late) return null;
  return (
    <div className="chart-state">
      <progress className="chart-progress" aria-label={`reading ${name}`} />
      <p>{typeof range === 'string' ? `reading ${name}, ${RANGE_NAMES[range]}` : `reading ${name}`}</p>
    </div>
  );
}
