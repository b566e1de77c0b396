/** The chart's commands act on the chart that was used last; a page registers them once, however many charts it shows. */
import type { Command, Commands } from '../commands/commands.ts';
import { type CopySource, chartCopyCommands } from '../copy/chartCopy.ts';
import type { ChartModel } from './chartModel.ts';
import { KEY_ZOOM, panBy, zoomBy } from './gestures.ts';
import { type ChartSettings, KINDS, SCALES, ZONES } from './settings.ts';
import type { Reach } from './span.ts';

export interface ChartHandle {
  readonly model: () => ChartModel | null;
  readonly home: () => Reach;
  /** Desk time, milliseconds. */
  readonly now: () => number;
  readonly settings: () => ChartSettings;
  readonly change: (change: Partial<ChartSettings>) => void;
  readonly openSettings: () => void;
  readonly copy: CopySource;
}

const KEYS: Readonly<Record<string, readonly string[]>> = { line: ['Alt+I'], area: ['Alt+A'], candles: ['Alt+C'], bars: ['Alt+B'], linear: [], log: ['Alt+G'], percent: ['Alt+T'] };
const NAMES: Readonly<Record<string, string>> = { line: 'Line', area: 'Area', candles: 'Candles', bars: 'OHLC bars', linear: 'Linear price axis', log: 'Logarithmic price axis', percent: 'Percent axis' };
const ZONE_NAMES = { exchange: "Times of the exchange's clock", viewer: 'Times of your clock', UTC: 'Times in UTC' } as const;

export function chartCommands(of: () => ChartHandle | undefined): readonly Command[] {
  const withModel = (run: (model: ChartModel, handle: ChartHandle) => void) => () => {
    const handle = of();
    const model = handle?.model();
    if (handle && model) run(model, handle);
  };
  const set = (change: (settings: ChartSettings) => Partial<ChartSettings>) => () => {
    const handle = of();
    if (handle) handle.change(change(handle.settings()));
  };
  const command = (id: string, title: string, keys: readonly string[], run: () => void, words = ''): Command => ({ id: `chart.${id}`, title, group: 'Chart', keys, words, run });
  return [
    ...KINDS.map((kind) => command(`kind.${kind}`, NAMES[kind] ?? kind, KEYS[kind] ?? [], set(() => ({ kind })), 'chart type series')),
    ...SCALES.map((scale) => command(`scale.${scale}`, NAMES[scale] ?? scale, KEYS[scale] ?? [], set(() => ({ scale })), 'scale')),
    ...ZONES.map((zone) => command(`zone.${zone}`, ZONE_NAMES[zone], [], set(() => ({ zone })), 'time zone')),
    command('collapse', 'Closed time: hide or show', ['Alt+N'], set(({ collapse }) => ({ collapse: !collapse })), 'nights weekends lunch breaks'),
    command('zoomIn', 'Zoom in', ['+'], withModel((model) => zoomBy(model, 1 / KEY_ZOOM))),
    command('zoomOut', 'Zoom out', ['-'], withModel((model) => zoomBy(model, KEY_ZOOM))),
    command('earlier', 'Earlier', ['Alt+ArrowLeft'], withModel((model, { now }) => panBy(model, -0.5, now())), 'pan back'),
    command('later', 'Later', ['Alt+ArrowRight'], withModel((model, { now }) => panBy(model, 0.5, now())), 'pan forward'),
    command('live', 'Back to live', ['0'], withModel((model, handle) => {
      if (typeof handle.settings().range === 'string') model.move(() => handle.home());
      else handle.change({ range: '1D' });
    }), 'now present'),
    command('settings', 'Chart settings: overlays, comparison, levels, own range', ['Alt+S'], () => of()?.openSettings(), 'average vwap compare level range zone scale'),
  ];
}

const joined = new WeakMap<Commands, { readonly handles: ChartHandle[]; readonly unregister: () => void }>();

export interface Membership {
  /** This chart was used last. */
  readonly activate: () => void;
  readonly leave: () => void;
}

/** The commands mean this chart from now on, until another one is used or it leaves. */
export function joinCommands(commands: Commands, handle: ChartHandle): Membership {
  let group = joined.get(commands);
  if (!group) {
    const handles: ChartHandle[] = [];
    group = { handles, unregister: commands.register([...chartCommands(() => handles.at(-1)), ...chartCopyCommands(() => handles.at(-1))]) };
    joined.set(commands, group);
  }
  const { handles, unregister } = group;
  handles.push(handle);
  const without = (): void => {
    const at = handles.indexOf(handle);
    if (at >= 0) handles.splice(at, 1);
  };
  return {
    activate() {
      if (handles.at(-1) === handle) return;
      without();
      handles.push(handle);
    },
    leave() {
      without();
      if (handles.length > 0) return;
      joined.delete(commands);
      unregister();
    },
  };
}
