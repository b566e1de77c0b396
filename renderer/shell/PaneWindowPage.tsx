/** A window that holds panes of the desk: its panes, and what every window must carry (connection, replay mark, trouble). */
import './page.css';
import { Fragment, lazy, Suspense } from 'react';
import { CopyMenu } from '../copy/CopyMenu.tsx';
import { HealthLine } from '../health/HealthLine.tsx';
import { SettingsDialog } from '../settings/SettingsDialog.tsx';
import { PageContext, useCell } from '../store/hooks.ts';
import { ReplayBar } from '../replay/ReplayBar.tsx';
import { Banner } from './Banner.tsx';
import { Boundary } from './Boundary.tsx';
import { Help } from './Help.tsx';
import { LiveRegion } from './LiveRegion.tsx';
import { NoticeLines } from './NoticeLines.tsx';
import type { PageHandles } from './openPage.ts';
import { TopLine } from './TopLine.tsx';
import { Welcome } from './Welcome.tsx';

const Dock = lazy(() => import('../workspace/Dock.tsx'));

const Gone = () => <div className="welcome"><h1>These panes are back on the desk</h1><p>This window can be closed.</p></div>;

export function PaneWindowPage({ handles }: { readonly handles: PageHandles }) {
  const selected = useCell(handles.selected);
  const writing = useCell(handles.writing);
  const docked = useCell(handles.workspace.layout) !== null;
  return (
    <PageContext value={handles}>
      <div className="page pane-window">
        <Fragment key={writing}>
          <Boundary part="top line"><TopLine selected={selected} /></Boundary>
          <div className="messages"><Boundary part="banner"><Banner /><NoticeLines /></Boundary><Boundary part="replay"><ReplayBar /></Boundary></div>
          <main className="main dock-main" aria-label="Panes">
            {docked ? (selected === null ? <Boundary part="start"><Welcome /></Boundary> : <Boundary part="panes"><Suspense fallback={<output className="skeleton" aria-label="Loading the panes" />}><Dock /></Suspense></Boundary>) : <Gone />}
          </main>
          <Boundary part="health line"><HealthLine selected={selected} /></Boundary>
          <LiveRegion selected={selected} />
          <Boundary part="help"><Help /></Boundary>
        </Fragment>
        <Boundary part="copying"><CopyMenu /></Boundary>
        <Boundary part="settings"><SettingsDialog /></Boundary>
      </div>
    </PageContext>
  );
}
