import { useCell, usePage } from '../store/hooks.ts';
import { listPane } from './layout.ts';

/** Where the watchlist of this desk is: in its place at the page's edge, in a pane of this window, or in a window of panes. */
export function useListPlace(): 'edge' | 'pane' | 'window' {
  const { workspace, selected } = usePage();
  const layout = useCell(workspace.layout);
  const windows = useCell(workspace.windows);
  const shown = useCell(selected) !== null;
  if (!shown) return 'edge'; // there are no panes yet
  if (listPane(layout) !== null) return 'pane';
  return windows.some((window) => listPane(window.layout) !== null) ? 'window' : 'edge';
}
