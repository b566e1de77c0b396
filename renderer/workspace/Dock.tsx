/** Panes in a dock: split, tabbed, dragged. Its own chunk, loaded where there is more than the plain desk. */
import 'dockview-react/dist/styles/dockview.css';
import './dock.css';
import { type DockviewApi, DockviewReact, type DockviewReadyEvent, type IDockviewPanelHeaderProps, type IDockviewPanelProps } from 'dockview-react';
import { useEffect, useRef } from 'react';
import { useCell, usePage } from '../store/hooks.ts';
import { dockActions } from './dockActions.ts';
import { fromDock, toDock } from './dockForm.ts';
import { GroupActions } from './GroupActions.tsx';
import { LinkMark } from './LinkMark.tsx';
import { PaneBody } from './PaneBody.tsx';
import { usePane, usePaneTitle } from './usePane.ts';

function PaneTab({ api }: IDockviewPanelHeaderProps) {
  const pane = usePane(api.id);
  const title = usePaneTitle(pane);
  useEffect(() => api.setTitle(title), [api, title]);
  return <span className="pane-tab"><LinkMark link={pane?.link ?? null} />{title}</span>;
}

const DockPane = ({ api }: IDockviewPanelProps) => <PaneBody id={api.id} />;

const COMPONENTS = { pane: DockPane };
const THEME = { name: 'frontrow', className: 'dockview-theme-frontrow' };

export default function Dock() {
  const { workspace, docking, notices } = usePage();
  const shown = useCell(workspace.shown);
  const api = useRef<DockviewApi | null>(null);
  const drawn = useRef(-1);
  const ends = useRef<(() => void)[]>([]);

  /** Draws the workspace's layout; one that the dock refuses is the plain desk. */
  const draw = (dock: DockviewApi): void => {
    const layout = workspace.layout.get();
    if (layout === null) return;
    drawn.current = shown;
    try {
      dock.fromJSON(toDock(layout));
    } catch (error) {
      notices.tell(`These panes can't be drawn (${error instanceof Error ? error.message.slice(0, 100) : 'unknown'}): this is the plain desk`, { tone: 'bad' });
      workspace.show(null);
    }
  };
  const onReady = ({ api: dock }: DockviewReadyEvent): void => {
    api.current = dock;
    draw(dock);
    const keep = (): void => {
      if (workspace.layout.get() === null) return; // it is being taken down
      if (dock.totalPanels === 0) workspace.show(null);
      else workspace.moved(fromDock(dock.toJSON(), workspace.panes.get, workspace.active.get()));
    };
    const activated = (): void => workspace.active.set(dock.activePanel?.id ?? null);
    ends.current = [dock.onDidLayoutChange(keep), dock.onDidActivePanelChange(activated)].map((each) => () => each.dispose());
    activated();
    docking.mounted(dockActions(dock, workspace));
  };
  useEffect(() => {
    if (api.current && drawn.current !== shown) draw(api.current);
  });
  useEffect(() => () => {
    docking.mounted(null);
    for (const end of ends.current) end();
  }, [docking]);
  return (
    <DockviewReact
      className="dock" theme={THEME} components={COMPONENTS} defaultTabComponent={PaneTab} rightHeaderActionsComponent={GroupActions} onReady={onReady}
      disableFloatingGroups singleTabMode="default" noPanelsOverlay="watermark"
    />
  );
}
