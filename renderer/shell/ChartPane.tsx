/** Ranges and kinds on their own line, the chart below, loaded after the numbers are up. */
import './chartPane.css';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { micros } from '../../shared/time.ts';
import { type ChartHandle, joinCommands, type Membership } from '../chart/chartCommands.ts';
import type { CopySource } from '../copy/chartCopy.ts';
import type { ChartModel } from '../chart/chartModel.ts';
import type { Frame, Plot } from '../chart/frame.ts';
import { type ChartSettings, type Kind, KINDS } from '../chart/settings.ts';
import type { Reach } from '../chart/span.ts';
import { useCell, useInfo, usePage, useQuote } from '../store/hooks.ts';
import { RANGES } from './view.ts';

const IndexChart = lazy(async () => ({ default: (await import('../chart/IndexChart.tsx')).IndexChart }));
const Overlays = lazy(async () => ({ default: (await import('../chart/Overlays.tsx')).Overlays }));
const ChartDialog = lazy(async () => ({ default: (await import('../chart/ChartDialog.tsx')).ChartDialog }));

const KIND_NAMES: Readonly<Record<Kind, string>> = { line: 'Line', area: 'Area', candles: 'Candles', bars: 'Bars' };
const viewerZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Choices of the page, or of the pane where the context lays its own over them. */
function useSettings(): { readonly settings: ChartSettings; readonly range: ChartSettings['range']; readonly change: (change: Partial<ChartSettings>) => void } {
  const { view } = usePage();
  const settings = useCell(view.chart);
  const preset = useCell(view.range);
  const change = useCallback((next: Partial<ChartSettings>) => {
    view.chart.set({ ...view.chart.get(), ...next });
    if (typeof next.range === 'string') view.range.set(next.range);
  }, [view]);
  // A preset that was chosen by key takes the place of two instants.
  useEffect(() => view.range.subscribe(() => {
    if (typeof view.chart.get().range !== 'string') view.chart.set({ ...view.chart.get(), range: view.range.get() });
  }), [view]);
  return { settings, range: typeof settings.range === 'string' ? preset : settings.range, change };
}

/** Registers the chart's commands; they mean the chart used last. */
function useChartCommands(settings: ChartSettings, change: (change: Partial<ChartSettings>) => void, now: () => bigint, openSettings: () => void, copy: CopySource): { readonly onModel: (model: ChartModel | null, home: Reach) => void; readonly activate: () => void } {
  const { commands } = usePage();
  const held = useRef<{ model: ChartModel | null; home: Reach; settings: ChartSettings }>({ model: null, home: '1D', settings });
  const membership = useRef<Membership>(null);
  useEffect(() => {
    held.current.settings = settings;
  }, [settings]);
  useEffect(() => {
    const handle: ChartHandle = { model: () => held.current.model, home: () => held.current.home, now: () => Number(now()) / 1000, settings: () => held.current.settings, change, openSettings, copy };
    const joined = joinCommands(commands, handle);
    membership.current = joined;
    return () => joined.leave();
  }, [commands, change, now, openSettings, copy]);
  const onModel = useCallback((model: ChartModel | null, home: Reach) => {
    held.current.model = model;
    held.current.home = home;
  }, []);
  return { onModel, activate: useCallback(() => membership.current?.activate(), []) };
}

/** `label` tells it from another chart of the same index. */
export function ChartPane({ id, label = id }: { readonly id: string; readonly label?: string }) {
  const { desk, view, notices } = usePage();
  const { settings, range, change } = useSettings();
  const drawer = useCell(view.drawer);
  const epoch = useCell(desk.epoch);
  const info = useInfo(id);
  const quote = useQuote(id);
  const [open, setOpen] = useState(false);
  const load = useCallback((request: Parameters<typeof desk.request<'history'>>[1]) => desk.request('history', request), [desk]);
  const sessions = useCallback((request: Parameters<typeof desk.request<'sessions'>>[1]) => desk.request('sessions', request), [desk]);
  const now = useCallback(() => desk.clock.now() ?? micros(0n), [desk]);
  const source = useMemo(() => ({ load, quote: desk.quotes.get }), [load, desk]);
  const openSettings = useCallback(() => setOpen(true), []);
  const closeSettings = useCallback(() => setOpen(false), []);
  const pane = useRef<HTMLElement>(null);
  const copy = useMemo<CopySource>(() => ({ id, element: () => pane.current?.querySelector('figure') ?? null, clock: () => desk.beat.get()?.kind ?? null, tell: (text, more) => notices.tell(text, more) }), [id, desk, notices]);
  const { onModel, activate } = useChartCommands(settings, change, now, openSettings, copy);
  const clockKnown = useCell(desk.beat) !== null;
  const stale = quote === undefined || (quote.state !== 'live' && quote.state !== 'quiet' && quote.state !== 'closed');
  const zone = settings.zone === 'exchange' ? (info?.zone ?? 'UTC') : settings.zone === 'viewer' ? viewerZone : 'UTC';
  const { overlays, compare, levels, rebase } = settings;
  const laid = overlays.some((overlay) => overlay !== 'previous-close') || compare.some((other) => other !== id) || levels.some(({ index }) => index === id);
  const [day, decimals] = [quote?.day ?? null, info?.decimals ?? null];
  const extras = useMemo(() => (laid ? (model: ChartModel, frame: Frame, plot: Plot): ReactNode => (
    <Suspense fallback={null}>
      <Overlays model={model} frame={frame} plot={plot} id={id} settings={{ overlays, compare, levels, rebase }} source={source} day={day} decimals={decimals} locale={undefined} />
    </Suspense>
  ) : undefined), [laid, id, overlays, compare, levels, rebase, source, day, decimals]);
  return (
    <section ref={pane} className="chart-pane" aria-label={`Chart of ${label}`} onPointerDownCapture={activate} onFocusCapture={activate}>
      <div className="ranges">
        <div role="group" aria-label="Range" className="tabs">
          {RANGES.map((name, at) => <button key={name} type="button" className="tab" aria-pressed={range === name} aria-keyshortcuts={String(at + 1)} title={`${name} (key ${at + 1})`} onClick={() => change({ range: name })}>{name}</button>)}
        </div>
        <div className="tabs">
          <label className="chart-kind"><span className="sr">Kind of chart</span>
            <select value={settings.kind} onChange={(event) => change({ kind: KINDS.find((kind) => kind === event.currentTarget.value) ?? 'line' })}>
              {KINDS.map((kind) => <option key={kind} value={kind}>{KIND_NAMES[kind]}</option>)}
            </select>
          </label>
          <button type="button" className="tab" aria-haspopup="dialog" aria-keyshortcuts="Alt+S" title="Overlays, comparison, levels, scales, own range (Alt S)" onClick={openSettings}>Settings</button>
          <button type="button" className="tab drawer-button" aria-expanded={drawer} onClick={() => view.drawer.set(!drawer)}>Tape and health</button>
        </div>
      </div>
      <div className="chart-box" data-stale={stale || undefined}>
        <Suspense fallback={<output className="skeleton" aria-label="Loading the chart" />}>
          {info && clockKnown ? (
            <IndexChart
              key={id} info={info} quote={quote} load={load} sessions={sessions} onTicks={desk.onTicks} now={now} zone={zone} exchangeZone={info.zone} range={range}
              settings={settings} onModel={onModel} {...(extras ? { extras } : {})} stale={stale} epoch={epoch}
            />
          ) : <output className="skeleton" aria-label="Loading the chart" />}
        </Suspense>
      </div>
      {open && (
        <Suspense fallback={null}>
          <ChartDialog id={id} price={quote?.price ?? null} zone={zone} ids={desk.indices.get()?.map((index) => index.id) ?? []} settings={settings} onChange={change} onClose={closeSettings} />
        </Suspense>
      )}
    </section>
  );
}
