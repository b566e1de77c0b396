/** Averages, compared indices, day's and range's extremes and the user's levels over the series, with a legend. A chunk of its own: loaded when first used. */
import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { QuoteView } from '../../shared/channels.ts';
import { formatPercent, formatPrice } from '../../shared/format.ts';
import type { ChartModel } from './chartModel.ts';
import { type CompanionSource, createCompanions } from './companions.ts';
import { baseAt } from './cursor.ts';
import type { Frame, Plot } from './frame.ts';
import { averageLines, comparedLines, type OverlayLine } from './overlayLines.ts';
import { yOf } from './priceScale.ts';
import type { ChartSettings } from './settings.ts';
import './overlays.css';

export interface OverlaysProps {
  readonly model: ChartModel;
  readonly frame: Frame;
  readonly plot: Plot;
  readonly id: string;
  readonly settings: Pick<ChartSettings, 'overlays' | 'compare' | 'levels' | 'rebase'>;
  readonly source: CompanionSource;
  readonly day: QuoteView['day'];
  readonly decimals: number | null;
  readonly locale: string | undefined;
}

/** Lines follow prices so often, milliseconds. */
const RENEW = 250;

interface Flat {
  readonly key: string;
  readonly price: string;
  readonly label: string;
  readonly kind: 'day' | 'range' | 'level';
}

export const Overlays = memo(function Overlays({ model, frame: laid, plot, id, settings, source, day, decimals, locale }: OverlaysProps) {
  const { overlays, compare, levels, rebase } = settings;
  const [lines, setLines] = useState<readonly OverlayLine[]>([]);
  // While the view moves it is ahead of the frame that the rest is laid out for.
  const [ahead, setAhead] = useState<Frame | null>(null);
  const frame = ahead ?? laid;
  const [own, setOwn] = useState<number | null>(null);
  const [range, setRange] = useState<{ readonly low: number; readonly high: number } | null>(null);
  const renew = useRef(() => {});
  const compared = useMemo(() => compare.filter((other) => other !== id), [compare, id]);
  const companions = useMemo(() => createCompanions(compared, source, () => renew.current()), [compared, source]);
  useEffect(() => () => companions.close(), [companions]);

  useLayoutEffect(() => {
    const draw = (): void => {
      const base = model.percentBase();
      const since = rebase ?? frame.from;
      const averages = averageLines({ frame, plot, points: model.points, bars: model.bars(), overlays });
      setLines([...averages, ...comparedLines({ frame, plot }, companions.all(), since, base)]);
      if (compared.length > 0) setOwn(base === null ? null : ((model.points.values.at(-1) ?? base) / base - 1) * 100);
      if (overlays.includes('range')) setRange(extremesIn(model, frame));
    };
    renew.current = draw;
    if (compared.length > 0 && ahead === null) companions.show(Math.min(frame.from, rebase ?? frame.from), frame.to, Math.round(plot.width));
    companions.take();
    draw();
    let due: ReturnType<typeof setTimeout> | undefined;
    const stop = model.onPaint((_, __, seen) => {
      const next = seen === laid ? null : seen;
      if (next !== ahead) setAhead(next);
      due ??= setTimeout(() => {
        due = undefined;
        companions.take();
        draw();
      }, RENEW);
    });
    return () => {
      stop();
      clearTimeout(due);
    };
  }, [model, frame, laid, ahead, plot, overlays, compared, companions, rebase]);

  // The axis has room for what is compared.
  useEffect(() => {
    if (compared.length === 0) return undefined;
    model.widen(() => {
      const base = model.percentBase();
      const shown = model.seen().frame;
      if (!shown || base === null) return null;
      let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (const { points } of companions.all()) {
        const start = baseAt(points, rebase ?? shown.from);
        if (start === null || start <= 0) continue;
        for (let at = 0; at < points.length; at++) {
          const time = (points.times[at] ?? 0) / 1000;
          if (time < shown.from || time > shown.to) continue;
          const value = ((points.values[at] ?? 0) / start) * base;
          [low, high] = [Math.min(low, value), Math.max(high, value)];
        }
      }
      return low <= high ? { low, high } : null;
    });
    return () => model.widen(null);
  }, [model, companions, compared, rebase]);

  const flats: Flat[] = [
    ...(overlays.includes('day') && day ? [{ key: 'day high', price: day.high, label: 'day high', kind: 'day' as const }, { key: 'day low', price: day.low, label: 'day low', kind: 'day' as const }] : []),
    ...(range ? [{ key: 'range high', price: range.high.toFixed(decimals ?? 2), label: 'range high', kind: 'range' as const }, { key: 'range low', price: range.low.toFixed(decimals ?? 2), label: 'range low', kind: 'range' as const }] : []),
    ...levels.filter(({ index }) => index === id).map(({ price, note }, at) => ({ key: `level ${at} ${price}`, price, label: note === '' ? 'level' : note, kind: 'level' as const })),
  ].filter(({ price }) => {
    const y = yOf(frame.prices, plot, Number(price));
    return y >= plot.y && y <= plot.y + plot.height;
  });
  const percent = (value: number): string => formatPercent(value.toFixed(4), locale);
  return (
    <>
      <svg className="chart-overlays" width={frame.width} height={frame.height} aria-hidden="true">
        {flats.map(({ key, price, label, kind }) => {
          const y = Math.round(yOf(frame.prices, plot, Number(price))) + 0.5;
          return (
            <g key={key} className="chart-flat" data-kind={kind}>
              <line x1={plot.x} x2={plot.x + plot.width} y1={y} y2={y} />
              <text x={plot.x + 6} y={y - 4}>{`${label} ${formatPrice(price, decimals, locale)}`}</text>
            </g>
          );
        })}
        <svg x={plot.x} y={plot.y} width={plot.width} height={plot.height} viewBox={`${plot.x} ${plot.y} ${plot.width} ${plot.height}`}>
          {lines.map(({ name, path }, at) => <path key={name} className="chart-overlay" data-nth={at % 8} d={path} />)}
        </svg>
      </svg>
      {lines.length > 0 && (
        <ul className="chart-legend" aria-label="Lines over the price">
          {compared.length > 0 && own !== null && <li><i className="chart-swatch-own" aria-hidden="true" />{id} <b>{percent(own)}</b></li>}
          {lines.map(({ name, value, percent: change, problem }, at) => (
            <li key={name}>
              <svg width="20" height="6" aria-hidden="true"><line className="chart-overlay" data-nth={at % 8} x1="0" x2="20" y1="3" y2="3" /></svg>
              {name} <b>{problem !== null && value === null ? problem : change !== null ? percent(change) : value === null ? '' : formatPrice(value.toFixed(decimals ?? 2), decimals, locale)}</b>
            </li>
          ))}
        </ul>
      )}
    </>
  );
});

function extremesIn(model: ChartModel, frame: Frame): { readonly low: number; readonly high: number } | null {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const bars = model.bars();
  if (bars) {
    for (const bar of bars) if (bar.end > frame.from && bar.start <= frame.to) [low, high] = [Math.min(low, bar.low), Math.max(high, bar.high)];
  } else {
    const { times, values } = model.points;
    for (let at = 0; at < times.length; at++) {
      const time = (times[at] ?? 0) / 1000;
      if (time >= frame.from && time <= frame.to) [low, high] = [Math.min(low, values[at] ?? low), Math.max(high, values[at] ?? high)];
    }
  }
  return low <= high ? { low, high } : null;
}
