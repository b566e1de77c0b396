/** What is in a pane. Each fails alone. */
import { useEffect, useMemo } from 'react';
import { Headline } from '../headline/Headline.tsx';
import { HealthPanel } from '../health/HealthPanel.tsx';
import { Boundary } from '../shell/Boundary.tsx';
import { ChartPane } from '../shell/ChartPane.tsx';
import { PageContext, useCell, usePage } from '../store/hooks.ts';
import { Tape } from '../tape/Tape.tsx';
import { Watchlist } from '../watchlist/Watchlist.tsx';
import { paneChart, paneRange } from './following.ts';
import { listPane } from './layout.ts';
import type { Pane } from './pane.ts';
import { usePane, usePaneIndex, usePaneTitle } from './usePane.ts';

/** The chart's settings are the pane's, not the page's. */
function ChartBody({ pane, index, title }: { readonly pane: Pane; readonly index: string; readonly title: string }) {
  const page = usePage();
  const { workspace, view, watched } = page;
  const own = useMemo(() => {
    const chart = paneChart(workspace, pane.id);
    return { ...page, view: { ...view, chart, range: paneRange(chart) } };
  }, [page, view, workspace, pane.id]);
  useEffect(() => watched.hold(index).release, [watched, index]);
  return (
    <PageContext value={own}>
      <Boundary part="headline" key={`headline ${index}`}><Headline id={index} /></Boundary>
      <Boundary part="chart" key={`chart ${index}`}><ChartPane id={index} label={title} /></Boundary>
    </PageContext>
  );
}

/** A second list, as an imported workspace may hold one, would be the same again. */
function ListBody({ id }: { readonly id: string }) {
  const { workspace, selected } = usePage();
  const first = listPane(useCell(workspace.layout)) === id;
  const shown = useCell(selected);
  return first ? <Boundary part="watchlist"><Watchlist selected={shown} /></Boundary> : <p className="note">The watchlist is in another pane of this window.</p>;
}

export function PaneBody({ id }: { readonly id: string }) {
  const pane = usePane(id);
  const index = usePaneIndex(pane);
  const title = usePaneTitle(pane);
  if (pane === undefined) return null;
  return (
    <div className="pane" data-pane={id} data-kind={pane.kind} role="group" aria-label={`${title}, pane`} tabIndex={-1}>
      {pane.kind === 'watchlist' ? <ListBody id={id} /> : pane.kind === 'chart' ? (index === null ? <p className="note">No index to show yet.</p> : <ChartBody pane={pane} index={index} title={title} />) : (
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the keyboard's focus
        <div className="pane-scroll" tabIndex={0} data-pane-focus="" role="group" aria-label={title}>
          <Boundary part={pane.kind}>{pane.kind === 'health' ? <HealthPanel id={index} /> : index === null ? <p className="note">No index to show yet.</p> : <Tape id={index} />}</Boundary>
        </div>
      )}
    </div>
  );
}
