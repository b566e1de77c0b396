/** The dock's commands in the docking library's words. */
import type { DockviewApi, DockviewGroupPanel } from 'dockview-react';
import type { DockHandle, Direction } from './dockHandle.ts';
import { focusPane } from './focusPanes.ts';
import type { Place } from './layout.ts';
import { type Pane, paneTitle } from './pane.ts';
import type { Workspace } from './workspace.ts';

const SIDES = { left: 'left', right: 'right', up: 'above', down: 'below' } as const satisfies Record<Direction, string>;
const POSITIONS = { left: 'left', right: 'right', up: 'top', down: 'bottom' } as const satisfies Record<Direction, string>;

/** Groups of tabs of a layout, in reading order. */
const groupsOf = (places: readonly Place[]): readonly (readonly string[])[] => places.flatMap((place) => ('parts' in place ? groupsOf(place.parts) : [place.tabs]));

/** About a second; a busy page draws fewer. */
const MOST_FRAMES = 60;

export function dockActions(dock: DockviewApi, workspace: Workspace): DockHandle {
  const adding = (pane: Pane) => {
    workspace.panes.set(pane.id, pane);
    return { id: pane.id, component: 'pane', title: paneTitle(pane.kind, pane.index) };
  };
  const add: DockHandle['add'] = (pane, where) => {
    const reference = dock.activePanel?.id;
    if (dock.hasMaximizedGroup()) dock.exitMaximizedGroup();
    const { width = 0, height = 0 } = dock.activeGroup?.api ?? {};
    const half = where === 'within' || width === 0 ? {} : where === 'left' || where === 'right' ? { width: width / 2 } : { height: height / 2 };
    const panel = dock.addPanel({ ...adding(pane), ...(reference === undefined ? {} : { position: { referencePanel: reference, direction: where === 'within' ? 'within' : SIDES[where] } }) });
    // Half of the pane that was split: the library deals all of the row out anew.
    if (reference !== undefined && where !== 'within') {
      panel.api.group.api.setSize(half);
      dock.getPanel(reference)?.api.group.api.setSize(half);
    }
    focusPane(pane.id);
  };
  return {
    add,
    addAtEdge(pane, width) {
      if (dock.hasMaximizedGroup()) dock.exitMaximizedGroup();
      const { group } = dock.addPanel({ ...adding(pane), position: { direction: 'left' } }).api;
      group.api.setSize({ width });
      // Again once the dock has the room that the list left: it deals that out to all.
      const settle = (frames: number): void => {
        const settled = document.querySelector('.page > .watchlist') === null && dock.width === document.querySelector('.dock-main')?.clientWidth;
        if (!settled && frames > 0) requestAnimationFrame(() => settle(frames - 1));
        else if (dock.getPanel(pane.id)) group.api.setSize({ width });
      };
      requestAnimationFrame(() => settle(MOST_FRAMES));
      focusPane(pane.id);
    },
    move(direction) {
      const panel = dock.activePanel;
      if (panel === undefined) return;
      const { group } = panel.api;
      const neighbour = dock.adjacentGroupInDirection(group, direction);
      if (neighbour !== undefined) panel.api.moveTo({ group: neighbour as DockviewGroupPanel });
      else if (group.panels.length > 1) panel.api.moveTo({ group, position: POSITIONS[direction] });
      else if (dock.groups.length > 1) panel.api.moveTo({ group: dock.addGroup({ direction: SIDES[direction] }) });
      focusPane(panel.id);
    },
    resize(across, down) {
      const group = dock.activeGroup;
      if (group === undefined) return;
      group.api.setSize({ ...(across === 0 ? {} : { width: group.api.width + across }), ...(down === 0 ? {} : { height: group.api.height + down }) });
    },
    turn(step) {
      const group = dock.activeGroup;
      const at = group?.panels.findIndex((panel) => panel === group.activePanel) ?? -1;
      const next = group?.panels[(at + step + group.panels.length) % group.panels.length];
      next?.api.setActive();
      if (next) focusPane(next.id);
    },
    maximise() {
      const panel = dock.activePanel;
      if (dock.hasMaximizedGroup()) dock.exitMaximizedGroup();
      else if (panel) dock.maximizeGroup(panel);
      if (panel) focusPane(panel.id);
    },
    remove(ids) {
      for (const id of ids) {
        const panel = dock.getPanel(id);
        if (panel) dock.removePanel(panel);
      }
      const left = dock.activePanel?.id;
      if (left !== undefined) focusPane(left);
    },
    activate: (id) => dock.getPanel(id)?.api.setActive(),
    group: () => dock.activeGroup?.panels.map(({ id }) => id) ?? [],
    bring(layout) {
      for (const ids of groupsOf(layout.parts)) {
        let first: string | null = null;
        for (const id of ids) {
          const pane = layout.panes[id];
          if (pane === undefined || dock.getPanel(id) !== undefined) continue;
          // Charts are read on the left, what belongs to them on the right, as on the plain desk.
          dock.addPanel({ ...adding(pane), position: first === null ? { direction: pane.kind === 'chart' || pane.kind === 'watchlist' ? 'left' : 'right' } : { referencePanel: first, direction: 'within' } });
          first ??= id;
        }
      }
    },
  };
}
