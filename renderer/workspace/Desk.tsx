/** The middle of the page: the plain desk (one chart, tape and health beside it), or panes. */
import { lazy, Suspense } from 'react';
import { Headline } from '../headline/Headline.tsx';
import { Boundary } from '../shell/Boundary.tsx';
import { ChartPane } from '../shell/ChartPane.tsx';
import { SidePanel } from '../shell/SidePanel.tsx';
import { Welcome } from '../shell/Welcome.tsx';
import { useCell, usePage } from '../store/hooks.ts';

const Dock = lazy(() => import('./Dock.tsx'));

export function Desk({ selected }: { readonly selected: string | null }) {
  const { workspace } = usePage();
  const docked = useCell(workspace.layout) !== null;
  if (docked && selected !== null) {
    return (
      <main className="main dock-main" aria-label="Panes">
        <Boundary part="panes"><Suspense fallback={<output className="skeleton" aria-label="Loading the panes" />}><Dock /></Suspense></Boundary>
      </main>
    );
  }
  return (
    <>
      <main className="main" aria-label={selected === null ? 'Start' : `Index ${selected}`} data-pane="" tabIndex={-1}>
        {selected === null ? <Boundary part="start"><Welcome /></Boundary> : (
          <>
            <Boundary part="headline" key={`headline ${selected}`}><Headline id={selected} /></Boundary>
            <Boundary part="chart" key={`chart ${selected}`}><ChartPane id={selected} /></Boundary>
          </>
        )}
      </main>
      <Boundary part="side panel"><SidePanel selected={selected} /></Boundary>
    </>
  );
}
