/** At the end of a group's tabs: link, split, maximise, pop out, close, for its shown pane. All of it is in the palette too. */
import type { IDockviewHeaderActionsProps } from 'dockview-react';
import type { ReactNode } from 'react';
import { usePage } from '../store/hooks.ts';
import { type Link, LINKS } from './pane.ts';
import { usePane, usePaneTitle } from './usePane.ts';

const SIGNS: Readonly<Record<string, ReactNode>> = {
  'pane.splitRight': <path d="M1.5 2.5h11v9h-11zM7 2.5v9" />,
  'pane.splitBelow': <path d="M1.5 2.5h11v9h-11zM1.5 7h11" />,
  'pane.maximise': <path d="M2 5V2h3M9 2h3v3M12 9v3H9M5 12H2V9" />,
  'pane.popOut': <path d="M8 2h4v4M12 2 7 7M10 8v4H2V4h4" />,
  'pane.close': <path d="m3 3 8 8M11 3l-8 8" />,
};

export function GroupActions({ activePanel }: IDockviewHeaderActionsProps) {
  const { workspace, commands } = usePage();
  const id = activePanel?.id ?? '';
  const pane = usePane(id);
  const title = usePaneTitle(pane);
  if (pane === undefined || activePanel === undefined) return null;
  const button = (command: string, words: string) => (
    <button
      type="button" className="pane-button" data-keep={command === 'pane.close' || undefined} aria-label={`${words}: ${title}`} title={words}
      onClick={() => {
        activePanel.api.setActive();
        commands.run(command);
      }}
    >
      <svg viewBox="0 0 14 14" width="13" height="13" aria-hidden="true" focusable="false" className="pane-sign">{SIGNS[command]}</svg>
    </button>
  );
  return (
    <div className="pane-buttons">
      {pane.kind === 'health' ? null : (
        <select className="pane-link" data-link={pane.link ?? undefined} aria-label={`Link of ${title}`} title="Panes of one link show one index" value={pane.link ?? ''} onChange={(event) => workspace.link(id, LINKS.find((link) => link === event.target.value) ?? null)}>
          <option value="">–</option>
          {LINKS.map((link: Link) => <option key={link} value={link}>{link}</option>)}
        </select>
      )}
      {button('pane.splitRight', 'Split right')}
      {button('pane.splitBelow', 'Split below')}
      {button('pane.maximise', 'Maximise, or back')}
      {workspace.windowId === null ? button('pane.popOut', 'Pop out') : null}
      {button('pane.close', 'Close')}
    </div>
  );
}
