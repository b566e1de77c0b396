/** A layout as the docking library writes it, and back. */
import { Orientation, type SerializedDockview } from 'dockview-react';
import { type Layout, type Place } from './layout.ts';
import { type Pane, paneTitle } from './pane.ts';

/** The library's tree; its own type names enums of values, which are these words. */
export type DockNode = { type: 'leaf'; data: { views: string[]; activeView?: string; id: string }; size?: number } | { type: 'branch'; data: DockNode[]; size?: number };

export function toDock(layout: Layout): SerializedDockview {
  let groups = 0;
  let activeGroup: string | undefined;
  const node = (place: Place): DockNode => {
    if ('parts' in place) return { type: 'branch', data: place.parts.map(node), size: place.size };
    groups += 1;
    const id = `group${groups}`;
    if (layout.active !== null && place.tabs.includes(layout.active)) activeGroup = id;
    return { type: 'leaf', data: { views: [...place.tabs], activeView: place.shown, id }, size: place.size };
  };
  const root = { type: 'branch', data: layout.parts.map(node), size: layout.across ? layout.height : layout.width };
  const panels = Object.fromEntries(Object.values(layout.panes).map(({ id, kind, index }) => [id, { id, contentComponent: 'pane', title: paneTitle(kind, index) }]));
  return {
    grid: { root, width: layout.width, height: layout.height, orientation: layout.across ? Orientation.HORIZONTAL : Orientation.VERTICAL }, panels, ...(activeGroup === undefined ? {} : { activeGroup }),
  } as SerializedDockview;
}

/** `paneOf` knows every pane that the library shows; one that it does not know is left out. */
export function fromDock(dock: SerializedDockview, paneOf: (id: string) => Pane | undefined, active: string | null): Layout {
  const panes: Record<string, Pane> = {};
  const place = (node: DockNode): Place[] => {
    if (node.type === 'branch') {
      const parts = node.data.flatMap(place);
      return parts.length === 0 ? [] : [{ parts, size: Math.round(node.size ?? 300) }];
    }
    const tabs = node.data.views.filter((id) => {
      const pane = paneOf(id);
      if (pane !== undefined) panes[id] = pane;
      return pane !== undefined;
    });
    const [first] = tabs;
    return first === undefined ? [] : [{ tabs, shown: tabs.find((id) => id === node.data.activeView) ?? first, size: Math.round(node.size ?? 300) }];
  };
  const root = dock.grid.root as DockNode;
  const parts = root.type === 'branch' ? root.data.flatMap(place) : place(root);
  return { across: dock.grid.orientation === Orientation.HORIZONTAL, width: Math.round(dock.grid.width), height: Math.round(dock.grid.height), parts, panes, active: active !== null && Object.hasOwn(panes, active) ? active : null };
}
