/** What must never leave the screen: connection, clock marks and trouble by name; beside them the finder and the exchanges' clocks. */
import './topLine.css';
import { linkWords } from '../state/words.ts';
import { useCell, usePage } from '../store/hooks.ts';
import { SettingsButton } from '../settings/SettingsDialog.tsx';
import { ThemeToggle } from '../theme/ThemeToggle.tsx';
import { WorkspaceButton } from '../workspace/WorkspaceDialog.tsx';
import { ClockMark } from './ClockMark.tsx';
import { Clocks } from './Clocks.tsx';
import { Finder } from './Finder.tsx';
import { HelpButton } from './Help.tsx';
import { TroubleLine } from './TroubleLine.tsx';

function Connection() {
  const { desk } = usePage();
  const health = useCell(desk.health);
  const { tone, text } = linkWords(useCell(desk.host), health?.link);
  return (
    <>
      <span className="store-name" title={health ? `prices are read from ${health.store.name} (${health.store.kind})` : undefined}>{health?.store.name ?? ''}</span>
      <span className="link" data-tone={tone}><i className="lamp" aria-hidden="true" />{text}</span>
    </>
  );
}

export function TopLine({ selected }: { readonly selected: string | null }) {
  const { workspace, commands } = usePage();
  const paneWindow = workspace.windowId !== null;
  return (
    <header className="top-line">
      <span className="brand">Frontrow</span>
      <Connection />
      <ClockMark />
      <TroubleLine />
      {paneWindow ? <span className="clocks" /> : <Clocks selected={selected} />}
      <Finder />
      {paneWindow ? <button type="button" className="tab" title="Their panes return to the desk (Shift F8)" onClick={() => commands.run('pane.return')}>Return</button> : <WorkspaceButton />}
      <HelpButton />
      <ThemeToggle />
      <SettingsButton />
    </header>
  );
}
