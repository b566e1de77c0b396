/** The whole page: handles for its life, then the layout. */
import './page.css';
import { useEffect, useMemo, useState } from 'react';
import { Headline } from '../headline/Headline.tsx';
import { HealthLine } from '../health/HealthLine.tsx';
import { Ribbon } from '../ribbon/Ribbon.tsx';
import { PageContext, type PageHandles, useCell, usePage } from '../store/hooks.ts';
import type { PageDesk } from '../store/pageDesk.ts';
import { openSessionBook } from '../store/sessionBook.ts';
import { openSparklines } from '../store/sparklines.ts';
import { openTape } from '../tape/tapeStore.ts';
import { applyTheme } from '../theme/applyTheme.ts';
import { Watchlist } from '../watchlist/Watchlist.tsx';
import { Banner } from './Banner.tsx';
import { Boundary } from './Boundary.tsx';
import { ChartPane } from './ChartPane.tsx';
import { LiveRegion } from './LiveRegion.tsx';
import { firstChoice } from './selection.ts';
import { SidePanel } from './SidePanel.tsx';
import { TopLine } from './TopLine.tsx';
import type { View } from './view.ts';
import { Welcome } from './Welcome.tsx';

function useHandles(desk: PageDesk, view: View): PageHandles | null {
  const [handles, setHandles] = useState<PageHandles | null>(null);
  useEffect(() => {
    const next = { desk, view, sessions: openSessionBook(desk), sparklines: openSparklines(desk), tape: openTape(desk) };
    setHandles(next);
    return () => {
      next.sessions.close();
      next.sparklines.close();
      next.tape.close();
    };
  }, [desk, view]);
  return handles;
}

function Layout() {
  const { desk, view, tape } = usePage();
  const chosen = useCell(view.selected);
  const arrangement = useCell(desk.arrangement);
  const epoch = useCell(desk.epoch);
  const theme = useCell(view.theme);
  useCell(desk.indices);
  // Where the user chose none, the first choice stays: it must not wander as others come to life.
  const [settled, setSettled] = useState<string | null>(null);
  const selected = useMemo(() => firstChoice(arrangement, [chosen, settled], (id) => desk.quotes.get(id)), [arrangement, chosen, settled, desk]);
  const priced = selected !== null && desk.quotes.get(selected)?.price != null;

  useEffect(() => {
    if (priced) setSettled(selected);
  }, [priced, selected]);

  useEffect(() => applyTheme(theme), [theme]);
  useEffect(() => {
    if (selected !== null) tape.show(selected);
  }, [selected, epoch, tape]);

  return (
    <div className="page">
      <Boundary part="top line"><TopLine selected={selected} /></Boundary>
      <Boundary part="ribbon"><Ribbon selected={selected} /></Boundary>
      <Boundary part="banner"><Banner /></Boundary>
      <Boundary part="watchlist"><Watchlist selected={selected} /></Boundary>
      <main className="main" aria-label={selected === null ? 'Start' : `Index ${selected}`}>
        <Boundary part="chart" key={selected}>
          {selected === null ? <Welcome /> : <><Headline id={selected} /><ChartPane id={selected} /></>}
        </Boundary>
      </main>
      <Boundary part="side panel"><SidePanel selected={selected} /></Boundary>
      <Boundary part="health line"><HealthLine selected={selected} /></Boundary>
      <LiveRegion selected={selected} />
    </div>
  );
}

export function Page({ desk, view }: { readonly desk: PageDesk; readonly view: View }) {
  const handles = useHandles(desk, view);
  return handles && <PageContext value={handles}><Layout /></PageContext>;
}
