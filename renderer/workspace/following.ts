/** The list and the keys act on the active pane: its index is the page's chosen one, its chart's range the page's range. */
import type { Cell } from '../store/cell.ts';
import { type ChartRange, RANGES, type View } from '../shell/view.ts';
import type { Json, Pane } from './pane.ts';
import type { Workspace } from './workspace.ts';

const isRecord = (settings: Json): settings is { readonly [name: string]: Json } => typeof settings === 'object' && settings !== null && !Array.isArray(settings);

export function rangeOf(settings: Json): ChartRange | null {
  const range = isRecord(settings) ? settings['range'] : null;
  return RANGES.find((one) => one === range) ?? null;
}

export const withRange = (settings: Json, range: ChartRange): Json => ({ ...(isRecord(settings) ? settings : {}), range });

/** The range of one pane, as a cell of its own. */
export function paneRange(workspace: Workspace, id: string, otherwise: ChartRange): Cell<ChartRange> {
  const get = (): ChartRange => rangeOf(workspace.panes.get(id)?.settings ?? null) ?? otherwise;
  return {
    get,
    set(range) {
      if (range !== get()) workspace.change(id, { settings: withRange(workspace.panes.get(id)?.settings ?? null, range) });
    },
    subscribe: (listener) => workspace.panes.subscribe(id, listener),
  };
}

/** Wires both directions; returns what ends it. */
export function followActive(workspace: Workspace, view: View): () => void {
  let chart: string | null = null; // the chart that was active last: keys of ranges mean it also while its tape has the focus
  const before = view.chosen.get();
  if (before !== null && workspace.chosen() === null) workspace.choose(before);

  const chartPane = (): Pane | null => {
    const layout = workspace.layout.get();
    if (layout === null) return null;
    const of = (id: string | null): Pane | null => {
      const pane = id === null || !Object.hasOwn(layout.panes, id) ? undefined : workspace.panes.get(id);
      return pane?.kind === 'chart' ? pane : null;
    };
    return of(workspace.active.get()) ?? of(chart) ?? Object.values(layout.panes).find(({ kind }) => kind === 'chart') ?? null;
  };
  const fromPane = (): void => {
    const index = workspace.chosen();
    if (index !== null) view.chosen.set(index);
    const pane = chartPane();
    if (pane === null) return;
    chart = pane.id;
    const range = rangeOf(pane.settings);
    if (range !== null) view.range.set(range);
  };
  const stops = [
    workspace.active.subscribe(fromPane), workspace.links.subscribe(fromPane), workspace.layout.subscribe(fromPane),
    view.chosen.subscribe(() => {
      const index = view.chosen.get();
      if (index !== null) workspace.choose(index);
    }),
    view.range.subscribe(() => {
      const pane = chartPane();
      if (pane !== null && rangeOf(pane.settings) !== view.range.get()) workspace.change(pane.id, { settings: withRange(pane.settings, view.range.get()) });
    }),
  ];
  fromPane();
  return () => {
    for (const stop of stops) stop();
  };
}
