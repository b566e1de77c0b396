/** The list and the keys act on the active pane: its index is the page's chosen one, its chart's range the page's range. */
import { type ChartSettings, parseChartSettings } from '../chart/settings.ts';
import type { ChartRange, View } from '../shell/view.ts';
import type { Cell } from '../store/cell.ts';
import type { Pane } from './pane.ts';
import type { Workspace } from './workspace.ts';

/** The chart settings of one pane, as a cell of its own. */
export function paneChart(workspace: Workspace, id: string): Cell<ChartSettings> {
  let [of, parsed] = [workspace.panes.get(id)?.settings, parseChartSettings(workspace.panes.get(id)?.settings)];
  return {
    get() {
      const now = workspace.panes.get(id)?.settings;
      if (now !== of) [of, parsed] = [now, parseChartSettings(now)];
      return parsed;
    },
    set: (settings) => workspace.change(id, { settings }),
    subscribe: (listener) => workspace.panes.subscribe(id, listener),
  };
}

/** Its range, where that is no pair of instants. */
export function paneRange(chart: Cell<ChartSettings>): Cell<ChartRange> {
  const get = (): ChartRange => {
    const { range } = chart.get();
    return typeof range === 'string' ? range : '1D';
  };
  return {
    get,
    set(range) {
      if (range !== chart.get().range) chart.set({ ...chart.get(), range });
    },
    subscribe: chart.subscribe,
  };
}

/** Wires both directions; returns what ends it. */
export function followActive(workspace: Workspace, view: View): () => void {
  let last: string | null = null; // the chart that was active last: keys of ranges mean it also while its tape has the focus
  const before = view.chosen.get();
  if (before !== null && workspace.chosen() === null) workspace.choose(before);

  const chartPane = (): Pane | null => {
    const layout = workspace.layout.get();
    if (layout === null) return null;
    const of = (id: string | null): Pane | null => {
      const pane = id === null || !Object.hasOwn(layout.panes, id) ? undefined : workspace.panes.get(id);
      return pane?.kind === 'chart' ? pane : null;
    };
    return of(workspace.active.get()) ?? of(last) ?? Object.values(layout.panes).find(({ kind }) => kind === 'chart') ?? null;
  };
  const fromPane = (): void => {
    const index = workspace.chosen();
    if (index !== null) view.chosen.set(index);
    const pane = chartPane();
    if (pane === null) return;
    last = pane.id;
    const { range } = paneChart(workspace, pane.id).get();
    if (typeof range === 'string') view.range.set(range); // two instants stay the pane's own
  };
  const stops = [
    workspace.active.subscribe(fromPane), workspace.links.subscribe(fromPane), workspace.layout.subscribe(fromPane),
    view.chosen.subscribe(() => {
      const index = view.chosen.get();
      if (index !== null) workspace.choose(index);
    }),
    view.range.subscribe(() => {
      const pane = chartPane();
      if (pane === null) return;
      paneRange(paneChart(workspace, pane.id)).set(view.range.get());
    }),
  ];
  fromPane();
  return () => {
    for (const stop of stops) stop();
  };
}
