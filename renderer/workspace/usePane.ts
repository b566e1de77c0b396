import { useCallback, useSyncExternalStore } from 'react';
import { useCell, usePage } from '../store/hooks.ts';
import { indexOf, type Pane } from './pane.ts';

export function usePane(id: string): Pane | undefined {
  const { panes } = usePage().workspace;
  const subscribe = useCallback((listener: () => void) => panes.subscribe(id, listener), [panes, id]);
  return useSyncExternalStore(subscribe, () => panes.get(id));
}

/** Its own index or its link's; one that shows nothing yet, or what is not in the table, shows the page's. */
export function usePaneIndex(pane: Pane | undefined): string | null {
  const { workspace, selected } = usePage();
  const links = useCell(workspace.links);
  const otherwise = useCell(selected);
  return (pane === undefined ? null : indexOf(pane, links)) ?? otherwise;
}
