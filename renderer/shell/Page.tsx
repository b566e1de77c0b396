/** The whole page: parts in their places, each able to fail alone. */
import './page.css';
import { Headline } from '../headline/Headline.tsx';
import { HealthLine } from '../health/HealthLine.tsx';
import { Ribbon } from '../ribbon/Ribbon.tsx';
import { PageContext, useCell } from '../store/hooks.ts';
import { Watchlist } from '../watchlist/Watchlist.tsx';
import { Banner } from './Banner.tsx';
import { Boundary } from './Boundary.tsx';
import { ChartPane } from './ChartPane.tsx';
import { Help } from './Help.tsx';
import { LiveRegion } from './LiveRegion.tsx';
import type { PageHandles } from './openPage.ts';
import { SidePanel } from './SidePanel.tsx';
import { TopLine } from './TopLine.tsx';
import { Welcome } from './Welcome.tsx';

export function Page({ handles }: { readonly handles: PageHandles }) {
  const selected = useCell(handles.selected);
  return (
    <PageContext value={handles}>
      <div className="page">
        <Boundary part="top line"><TopLine selected={selected} /></Boundary>
        <Boundary part="ribbon"><Ribbon selected={selected} /></Boundary>
        <Boundary part="banner"><Banner /></Boundary>
        <Boundary part="watchlist"><Watchlist selected={selected} /></Boundary>
        <main className="main" aria-label={selected === null ? 'Start' : `Index ${selected}`}>
          {selected === null ? <Boundary part="start"><Welcome /></Boundary> : (
            <>
              <Boundary part="headline" key={`headline ${selected}`}><Headline id={selected} /></Boundary>
              <Boundary part="chart" key={`chart ${selected}`}><ChartPane id={selected} /></Boundary>
            </>
          )}
        </main>
        <Boundary part="side panel"><SidePanel selected={selected} /></Boundary>
        <Boundary part="health line"><HealthLine selected={selected} /></Boundary>
        <LiveRegion selected={selected} />
        <Boundary part="help"><Help /></Boundary>
      </div>
    </PageContext>
  );
}
