import { useCallback, useSyncExternalStore } from 'react';
import { useCell, usePage } from '../store/hooks.ts';
import { indexOf, type Pane, paneTitle } from './pane.ts';

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

/** As its tab says it; of several that show the same, the second is `SPX 2`: no two have one name. */
export function usePaneTitle(pane: Pane | undefined): string {
  const { workspace, selected } = usePage();
  const layout = useCell(workspace.layout);
  const links = useCell(workspace.links);
  const otherwise = useCell(selected);
  if (pane === undefined) return '';
  const titleOf = (one: Pane): string => paneTitle(one.kind, indexOf(one, links) ?? otherwise);
  const title = titleOf(pane);
  const same = Object.values(layout?.panes ?? {}).filter((one) => titleOf(one) === title).map(({ id }) => id);
  const at = same.indexOf(pane.id);
  return at < 1 ? title : `${title} ${at + 1}`;
}
