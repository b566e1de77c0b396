/** How panes lie in one window, in a form of our own: kept, exported and imported; the docking library's comes and goes with it. */
import { failed, ok, problem, type Result } from '../../shared/result.ts';
import { isPaneId, type Pane, parsePane } from './pane.ts';

/** Tabs on one another, or parts beside one another; each level lies across the one above. `size` in pixels of the window it was made in. */
export type Place =
  | { readonly tabs: readonly string[]; readonly shown: string; readonly size: number }
  | { readonly parts: readonly Place[]; readonly size: number };

export interface Layout {
  /** The first level lies side by side; else one below the other. */
  readonly across: boolean;
  readonly width: number;
  readonly height: number;
  readonly parts: readonly Place[];
  readonly panes: Readonly<Record<string, Pane>>;
  readonly active: string | null;
}

export const MOST_PANES = 32;
const MOST_DEPTH = 12;
const MOST_SIZE = 100_000;

const bad = (what: string): Result<never> => failed(problem('BAD_INPUT', `not a layout of panes: ${what}`, 'use a file that Frontrow exported'));
const sizeOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.min(MOST_SIZE, Math.round(value)) : 300);

/** A layout out of foreign JSON: every pane in exactly one place, bounded in number and depth. */
export function parseLayout(value: unknown): Result<Layout> {
  if (typeof value !== 'object' || value === null) return bad('no object');
  const given = value as Record<string, unknown>;
  if (typeof given['panes'] !== 'object' || given['panes'] === null || !Array.isArray(given['parts'])) return bad('no panes');
  const entries = Object.entries(given['panes']);
  if (entries.length > MOST_PANES) return bad(`${entries.length} panes, at most ${MOST_PANES}`);
  const panes: Record<string, Pane> = {};
  for (const [id, one] of entries) {
    const pane = isPaneId(id) ? parsePane(id, one) : null;
    if (pane === null) return bad(`pane ${id.slice(0, 20)} is of no known kind`);
    panes[id] = pane;
  }
  const placed = new Set<string>();
  const placeOf = (one: unknown, depth: number): Place | string => {
    if (typeof one !== 'object' || one === null) return 'a place is no object';
    if (depth > MOST_DEPTH) return `more than ${MOST_DEPTH} levels`;
    const { tabs, parts, shown, size } = one as Record<string, unknown>;
    if (Array.isArray(tabs)) {
      for (const id of tabs as unknown[]) {
        if (typeof id !== 'string' || !Object.hasOwn(panes, id)) return 'a tab without a pane';
        if (placed.has(id)) return `pane ${id} is in two places`;
        placed.add(id);
      }
      const ids = tabs as string[];
      const [first] = ids;
      if (first === undefined) return 'a place without a pane';
      return { tabs: ids, shown: ids.find((id) => id === shown) ?? first, size: sizeOf(size) };
    }
    if (!Array.isArray(parts) || parts.length === 0) return 'a place without a pane';
    const made: Place[] = [];
    for (const part of parts as unknown[]) {
      const place = placeOf(part, depth + 1);
      if (typeof place === 'string') return place;
      made.push(place);
    }
    return { parts: made, size: sizeOf(size) };
  };
  const parts: Place[] = [];
  for (const part of given['parts'] as unknown[]) {
    const place = placeOf(part, 1);
    if (typeof place === 'string') return bad(place);
    parts.push(place);
  }
  if (placed.size !== entries.length) return bad('a pane without a place');
  const { active } = given;
  return ok({ across: given['across'] !== false, width: sizeOf(given['width']), height: sizeOf(given['height']), parts, panes, active: typeof active === 'string' && placed.has(active) ? active : null });
}

/** The layout that the desk has without one: a chart, tape and health beside it. */
export function plainLayout(chart: Pane, tape: Pane, health: Pane, width: number, height: number): Layout {
  const side = Math.min(258, Math.round(width / 3));
  return {
    across: true, width, height, active: chart.id, panes: { [chart.id]: chart, [tape.id]: tape, [health.id]: health },
    parts: [{ tabs: [chart.id], shown: chart.id, size: width - side }, { tabs: [tape.id, health.id], shown: tape.id, size: side }],
  };
}

/** One group of tabs that fills its window. */
export const oneGroup = (panes: readonly Pane[], shown: string, width = 900, height = 650): Layout => ({
  across: true, width, height, active: shown, panes: Object.fromEntries(panes.map((pane) => [pane.id, pane])), parts: [{ tabs: panes.map(({ id }) => id), shown, size: width }],
});

/** The pane that is the watchlist; of several the first: a window has one list. */
export const listPane = (layout: Layout | null): string | null => Object.values(layout?.panes ?? {}).find(({ kind }) => kind === 'watchlist')?.id ?? null;

/** What is left without these panes; null where nothing is. */
export function without(layout: Layout, ids: readonly string[]): Layout | null {
  const gone = new Set(ids);
  const left = (places: readonly Place[]): readonly Place[] => places.flatMap((place): readonly Place[] => {
    if ('parts' in place) {
      const parts = left(place.parts);
      return parts.length === 0 ? [] : [{ ...place, parts }];
    }
    const tabs = place.tabs.filter((id) => !gone.has(id));
    const [first] = tabs;
    return first === undefined ? [] : [{ ...place, tabs, shown: tabs.find((id) => id === place.shown) ?? first }];
  });
  const parts = left(layout.parts);
  const panes = Object.fromEntries(Object.entries(layout.panes).filter(([id]) => !gone.has(id)));
  return parts.length === 0 ? null : { ...layout, parts, panes, active: layout.active !== null && gone.has(layout.active) ? null : layout.active };
}
