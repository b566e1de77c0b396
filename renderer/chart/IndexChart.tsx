/** The chart of one index: loads its range, follows the live tail, and tells loading, empty, failed and stale apart. */
import { memo, type ReactNode, startTransition, useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { HistoryAnswer, HistoryRequest, IndexView, QuoteView, SessionsRequest, SessionWindow, TicksEvent } from '../../shared/channels.ts';
import type { Result } from '../../shared/result.ts';
import { AxisTags } from './AxisTags.tsx';
import { ChartGrid } from './ChartGrid.tsx';
import type { ChartLook } from './chartLook.ts';
import { type ChartModel, createChartModel } from './chartModel.ts';
import type { ChartSource } from './chartSource.ts';
import { ChartState } from './ChartState.tsx';
import { ChartTable } from './ChartTable.tsx';
import { Crosshair } from './Crosshair.tsx';
import { type Frame, type Plot, plotOf } from './frame.ts';
import { PlotLayers } from './PlotLayers.tsx';
import { exactPrice } from './priceText.ts';
import { type Look, lookOf, troubleOf } from './look.ts';
import type { ChartSettings } from './settings.ts';
import { type Range, RANGE_NAMES, type Reach } from './span.ts';
import './chart.css';

export interface IndexChartProps {
  readonly info: IndexView;
  readonly quote: QuoteView | undefined;
  readonly load: (request: HistoryRequest) => Promise<Result<HistoryAnswer>>;
  readonly sessions: (request: SessionsRequest) => Promise<Result<readonly SessionWindow[]>>;
  /** Ticks of watched indices; others than `info.id` are ignored. Returns the unsubscriber. */
  readonly onTicks: (listener: (event: TicksEvent) => void) => () => void;
  /** Desk time, microseconds. */
  readonly now: () => bigint;
  /** Zone of axis and crosshair: the exchange's. */
  readonly zone: string;
  readonly range: Range | { readonly from: number; readonly to: number };
  /** How it is drawn; as by default where absent. */
  readonly settings?: Pick<ChartSettings, 'kind' | 'scale' | 'collapse' | 'detail' | 'rebase' | 'overlays'>;
  /** The exchange's zone, where `zone` is another. */
  readonly exchangeZone?: string;
  /** Told of the model while it lives, for commands and what is drawn over it; null when it is gone. */
  readonly onModel?: (model: ChartModel | null, home: Reach) => void;
  /** What is drawn over the series. */
  readonly extras?: (model: ChartModel, frame: Frame, plot: Plot) => ReactNode;
  /** Nothing may look live: the host is silent, or the value is stalled or disconnected. */
  readonly stale: boolean;
  /** Counts snapshots of the host. Another one means that ticks may have been missed: the range is read again, under what is on screen. */
  readonly epoch?: number;
  readonly locale?: string;
}


const SPEAK_EVERY = 60_000;

const PLAIN = { kind: 'line', scale: 'linear', collapse: true, detail: 'auto', rebase: null, overlays: ['previous-close'] } as const;

export const IndexChart = memo(function IndexChart(props: IndexChartProps) {
  const { info, quote, load, sessions, onTicks, now, zone, exchangeZone = zone, range, stale, epoch = 0, locale, settings = PLAIN, onModel, extras } = props;
  const source = useRef<ChartSource>({ load, sessions, now });
  const [surroundings] = useState<ChartSource>(() => ({
    load: (request) => source.current.load(request), sessions: (request) => source.current.sessions(request), now: () => source.current.now(),
  }));
  const { id, mic, decimals } = info;
  const named = typeof range === 'string' ? range : null;
  const [from, to] = typeof range === 'string' ? [0, 0] : [range.from, range.to];
  const home = useMemo<Reach>(() => named ?? { kind: 'fixed', from, to }, [named, from, to]);
  const { kind, scale, collapse, detail, rebase } = settings;
  const drawn = useMemo<ChartLook>(() => ({ kind, scale, zone, collapse, detail, rebase }), [kind, scale, zone, collapse, detail, rebase]);
  const [first] = useState(drawn);
  const model = useMemo(() => createChartModel({ id, mic, zone: exchangeZone, decimals }, home, surroundings, first), [id, mic, exchangeZone, decimals, home, surroundings, first]);
  useLayoutEffect(() => {
    source.current = { load, sessions, now };
  }, [load, sessions, now]);
  useLayoutEffect(() => {
    model.setLook(drawn);
  }, [model, drawn]);
  useLayoutEffect(() => {
    onModel?.(model, home);
    return () => onModel?.(null, home);
  }, [model, home, onModel]);
  // The quote changes with every price: it goes to the model, and what React draws from it changes a few times a day.
  useLayoutEffect(() => model.setQuote(quote), [model, quote]);
  const base = settings.overlays.includes('previous-close') ? quote?.base : undefined;
  const look = lookOf(stale, quote);
  return (
    <ChartBody
      key={`${id} ${named ?? ''} ${from} ${to}`} model={model} info={info} range={range} home={home} zone={zone} locale={locale} onTicks={onTicks} stale={stale} epoch={epoch} look={look}
      trouble={troubleOf(look, quote, zone)} base={base?.price ?? null} toneBase={quote?.base?.price ?? null} kind={kind} extras={extras} now={surroundings.now}
    />
  );
});

interface BodyProps {
  readonly model: ChartModel;
  readonly info: IndexView;
  readonly range: IndexChartProps['range'];
  readonly home: Reach;
  readonly zone: string;
  readonly locale: string | undefined;
  readonly onTicks: IndexChartProps['onTicks'];
  readonly stale: boolean;
  readonly epoch: number;
  readonly look: Look;
  readonly trouble: string | null;
  readonly base: string | null;
  readonly toneBase: string | null;
  readonly kind: ChartSettings['kind'];
  readonly extras: IndexChartProps['extras'];
  readonly now: () => bigint;
}

const ChartBody = memo(function ChartBody({ model, info, range, home, zone, locale, onTicks, stale, epoch, look, trouble, base, toneBase, kind, extras, now }: BodyProps) {
  const root = useRef<HTMLElement>(null);
  const id = useId();
  const view = useSyncExternalStore(model.subscribe, model.still);
  useModelLife(model, root, onTicks);
  useRereading(model, stale, epoch);
  const baseValue = base === null ? null : Number(base);
  useTone(model, root, toneBase === null ? null : Number(toneBase));
  const [spoken, announce] = useAnnouncements(model, info, look, locale);

  const { decimals } = info;
  const title = `${info.id} ${info.name}, ${typeof range === 'string' ? RANGE_NAMES[range] : 'chosen range'}`;
  const frame = view.status === 'ready' ? view.frame : null;
  const stage = useStage(view.status !== 'loading');
  const [plot, onPlot] = usePlot(view.frame);
  return (
    <figure ref={root} className="chart" data-status={view.status} data-look={look} aria-label={title} aria-busy={view.status === 'loading'}>
      {frame !== null && stage >= 2 && <ChartGrid frame={frame} onPlot={onPlot} parts={stage === 2 ? 'frame' : stage === 3 ? 'axes' : 'all'} />}
      {frame !== null && plot !== null && <PlotLayers model={model} frame={frame} plot={plot} base={baseValue} decimals={decimals} locale={locale} kind={kind} />}
      {frame !== null && plot !== null && stage >= 1 && extras?.(model, frame, plot)}
      {frame !== null && <AxisTags model={model} frame={frame} base={base} decimals={decimals} locale={locale} />}
      {frame !== null && stage >= 1 && <Crosshair model={model} name={`${title}, points`} zone={zone} decimals={decimals} locale={locale} describedBy={`${id}about`} announce={announce} home={home} now={now} />}
      {frame !== null && !view.live && <BackToLive model={model} home={home} />}
      <ChartState view={view} model={model} info={info} range={range} zone={zone} trouble={trouble} />
      {stage >= LAST_STAGE && <ChartTable id={`${id}about`} model={model} title={title} zone={zone} decimals={decimals} locale={locale} />}
      <output className="chart-hidden" aria-live="polite">{spoken}</output>
    </figure>
  );
});

/** Shown while the view stands still: what is on screen is not the present. */
function BackToLive({ model, home }: { readonly model: ChartModel; readonly home: Reach }) {
  const back = useCallback(() => model.move(() => home), [model, home]);
  if (typeof home !== 'string') return <p className="chart-still">not live: a chosen range</p>;
  return <button type="button" className="chart-still" onClick={back}>not live: back to live <kbd>0</kbd></button>;
}

const LAST_STAGE = 5;

/**
 * 0 until the first picture is on screen, then a step with each frame. Prices come first: what is needed a moment later (the crosshair,
 * Recharts' grid in three parts, the table) mounts after the frame that shows them, each in a frame of its own, since together it takes longer
 * than all the drawing.
 */
function useStage(started: boolean): number {
  const [stage, setStage] = useState(0);
  useEffect(() => {
    if (!started || stage === LAST_STAGE) return undefined;
    // A transition: what takes longer than a turn is rendered in slices.
    const next = (): void => startTransition(() => setStage(stage + 1));
    let asked = requestAnimationFrame(stage > 0 ? next : () => {
      asked = requestAnimationFrame(next); // a second frame begins when the first is out
    });
    return () => cancelAnimationFrame(asked);
  }, [started, stage]);
  return stage;
}

/** The plot's place: as the frame expects it, unless Recharts laid it out otherwise. */
function usePlot(frame: Frame | null): [Plot | null, (plot: Plot) => void] {
  const [reported, setReported] = useState<{ readonly for: Plot; readonly plot: Plot } | null>(null);
  const { width = 0, height = 0, axisWidth = 0 } = frame ?? {};
  const expected = useMemo(() => (width === 0 ? null : plotOf({ width, height, axisWidth })), [width, height, axisWidth]);
  const onPlot = useCallback((plot: Plot) => {
    if (expected === null) return;
    const asExpected = (['x', 'y', 'width', 'height'] as const).every((side) => Math.abs(plot[side] - expected[side]) < 0.5);
    // After a resize Recharts first tells of the old place once more: its last word counts.
    setReported(asExpected ? null : { for: expected, plot });
  }, [expected]);
  return [reported !== null && reported.for === expected ? reported.plot : expected, onPlot];
}

/** Of charts, by the box that they fill: the next one in the same box need not lay out the page to know its own. */
const sizes = new WeakMap<Element, { readonly width: number; readonly height: number }>();

/** Opens the model once its size is known, keeps size and ticks flowing to it, and closes it. */
function useModelLife(model: ChartModel, root: React.RefObject<HTMLElement | null>, onTicks: IndexChartProps['onTicks']): void {
  useLayoutEffect(() => {
    const element = root.current;
    if (!element) return undefined;
    const box = element.parentElement ?? element;
    const measure = (): void => {
      const size = { width: element.clientWidth, height: element.clientHeight };
      sizes.set(box, size);
      model.resize(size.width, size.height);
    };
    const before = sizes.get(box);
    if (before === undefined) measure();
    else model.resize(before.width, before.height); // the observer tells, before anything is painted, if it is another now
    const close = model.open();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      observer.disconnect();
      close();
    };
  }, [model, root]);
  useEffect(() => onTicks(model.takeTicks), [model, onTicks]);
}

/** What happened while nothing came, or between two snapshots, is read from the store: the tail alone would leave it empty. */
function useRereading(model: ChartModel, stale: boolean, epoch: number): void {
  const was = useRef({ model, stale, epoch });
  useEffect(() => {
    const before = was.current;
    was.current = { model, stale, epoch };
    if (before.model === model && ((before.stale && !stale) || before.epoch !== epoch)) model.reload();
  }, [model, stale, epoch]);
}

/** Up or down against the base, on the figure's data-tone, where the theme's colours hang. */
function useTone(model: ChartModel, root: React.RefObject<HTMLElement | null>, base: number | null): void {
  useLayoutEffect(() => {
    let tone = '';
    return model.onPaint(({ last }) => {
      const value = last === null ? undefined : model.points.values[last.index];
      const next = value === undefined || base === null || value === base ? 'flat' : value > base ? 'up' : 'down';
      if (next === tone || !root.current) return;
      tone = next;
      root.current.dataset['tone'] = next;
    });
  }, [model, root, base]);
}

/** The polite live region: changes of state at once, the price itself at most once a minute. */
function useAnnouncements(model: ChartModel, info: IndexView, look: string, locale: string | undefined): [string, (text: string) => void] {
  const [spoken, setSpoken] = useState('');
  const first = useRef(true);
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    setSpoken(`${info.id} is ${look}`);
  }, [look, info.id]);
  useEffect(() => {
    if (look !== 'live') return undefined;
    const timer = setInterval(() => {
      const text = model.points.texts[model.points.length - 1];
      if (text !== undefined) setSpoken(`${info.id} ${exactPrice(text, info.decimals, locale)}`);
    }, SPEAK_EVERY);
    return () => clearInterval(timer);
  }, [model, info.id, info.decimals, look, locale]);
  return [spoken, setSpoken];
}
