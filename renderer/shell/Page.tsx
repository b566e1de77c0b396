/** The whole page: parts in their places, each able to fail alone. */
import './page.css';
import { Fragment } from 'react';
import { CopyMenu } from '../copy/CopyMenu.tsx';
import { HealthLine } from '../health/HealthLine.tsx';
import { Ribbon } from '../ribbon/Ribbon.tsx';
import { SettingsDialog } from '../settings/SettingsDialog.tsx';
import { PageContext, useCell } from '../store/hooks.ts';
import { Watchlist } from '../watchlist/Watchlist.tsx';
import { ListOptions } from '../watchlist/ListOptions.tsx';
import { Desk } from '../workspace/Desk.tsx';
import { useListPlace } from '../workspace/useListPlace.ts';
import { WorkspaceDialog } from '../workspace/WorkspaceDialog.tsx';
import { ReplayBar } from '../replay/ReplayBar.tsx';
import { Banner } from './Banner.tsx';
import { Boundary } from './Boundary.tsx';
import { Help } from './Help.tsx';
import { LiveRegion } from './LiveRegion.tsx';
import { NoticeLines } from './NoticeLines.tsx';
import type { PageHandles } from './openPage.ts';
import { TopLine } from './TopLine.tsx';

export const Page = ({ handles }: { readonly handles: PageHandles }) => <PageContext value={handles}><PageParts handles={handles} /></PageContext>;

function PageParts({ handles }: { readonly handles: PageHandles }) {
  const selected = useCell(handles.selected);
  const writing = useCell(handles.writing);
  const list = useListPlace();
  return (
    <div className="page" data-list={list}>
      <Fragment key={writing}>
        <Boundary part="top line"><TopLine selected={selected} /></Boundary>
        <Boundary part="ribbon"><Ribbon selected={selected} /></Boundary>
        <div className="messages"><Boundary part="banner"><Banner /><NoticeLines /></Boundary><Boundary part="replay"><ReplayBar /></Boundary></div>
        {list === 'edge' ? <Boundary part="watchlist"><Watchlist selected={selected} edge /></Boundary> : list === 'window' ? <Boundary part="list options"><ListOptions /></Boundary> : null}
        <Desk selected={selected} />
        <Boundary part="health line"><HealthLine selected={selected} /></Boundary>
        <LiveRegion selected={selected} />
        <Boundary part="help"><Help /></Boundary>
        <Boundary part="workspaces"><WorkspaceDialog /></Boundary>
      </Fragment>
      <Boundary part="copying"><CopyMenu /></Boundary>
      <Boundary part="settings"><SettingsDialog /></Boundary>
    </div>
  );
}
