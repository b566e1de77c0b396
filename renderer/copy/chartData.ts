/** What a chart shows, as a table: the exact prices of its points or bars between the edges of the view. Pure. */
import { formatTime } from '../../shared/format.ts';
import { formatIso, fromMillis, micros } from '../../shared/time.ts';
import type { Candle } from '../chart/candles.ts';
import type { Points } from '../chart/points.ts';
import type { TableCell } from './table.ts';

export interface ChartData {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly TableCell[])[];
}

/** Edges in milliseconds; `zone` is that of the axis. Points stamped after the view's end are not on screen and not here. */
export interface ChartSight {
  readonly from: number;
  readonly to: number;
  readonly zone: string;
}

const text = (value: string): TableCell => ({ text: value, numeric: false });
const number = (value: string): TableCell => ({ text: value, numeric: true });

function instants(zone: string, time: bigint): readonly TableCell[] {
  const at = micros(time);
  return [text(formatIso(at)), text(formatTime(zone, at, 'date-second', { locale: 'en', hours: '24' }))];
}

export function pointData({ times, texts, length }: Pick<Points, 'times' | 'texts' | 'length'>, { from, to, zone }: ChartSight): ChartData {
  const rows: (readonly TableCell[])[] = [];
  for (let at = 0; at < length; at++) {
    const time = times[at] ?? 0;
    if (time >= from * 1000 && time <= to * 1000) rows.push([...instants(zone, BigInt(time)), number(texts[at] ?? '')]);
  }
  return { heads: ['time', `time in ${zone}`, 'price'], rows };
}

export function barData(bars: readonly Candle[], { from, to, zone }: ChartSight): ChartData {
  const seen = bars.filter(({ start, end }) => end > from && start <= to);
  return {
    heads: ['time', `time in ${zone}`, 'open', 'high', 'low', 'close', 'volume'],
    rows: seen.map(({ start, texts, volume }) => [...instants(zone, fromMillis(start)), number(texts.open), number(texts.high), number(texts.low), number(texts.close), number(volume ?? '')]),
  };
}
