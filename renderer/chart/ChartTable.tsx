/** The chart for those who don't see it: a sentence and a short table, renewed slowly, made when the page has nothing better to do. */
import { memo, useEffect, useState } from 'react';
import { firstCandle } from './barDrawing.ts';
import type { ChartModel } from './chartModel.ts';
import { firstVisible } from './cursor.ts';
import type { Frame } from './frame.ts';
import { exactPrice } from './priceText.ts';
import { barRows, type SummaryRow, summaryRows } from './summary.ts';
import { clockLabel, lengthLabel, momentLabel } from './timeLabels.ts';

interface Props {
  readonly id: string;
  readonly model: ChartModel;
  readonly title: string;
  readonly zone: string;
  readonly decimals: number | null;
  readonly locale: string | undefined;
}

const ROWS = 24;
const RENEW = 20_000;
const SETTLE = 400; // after the first paint

interface Summary {
  readonly rows: readonly SummaryRow[];
  readonly gaps: readonly string[];
}

function rowsOf(model: ChartModel, frame: Frame): readonly SummaryRow[] {
  const bars = model.bars();
  if (!bars) return summaryRows(model.points, firstVisible(model.points, frame.from), firstVisible(model.points, frame.to + 0.001), ROWS);
  let end = bars.length;
  while (end > 0 && (bars[end - 1]?.start ?? 0) > frame.to) end--;
  return barRows(bars, firstCandle(bars, frame.from), end, ROWS);
}

export const ChartTable = memo(function ChartTable({ id, model, title, zone, decimals, locale }: Props) {
  const [{ rows, gaps }, setSummary] = useState<Summary>({ rows: [], gaps: [] });

  useEffect(() => {
    const renew = (): void => {
      const view = model.view();
      if (view.status !== 'ready' || !view.frame) return;
      setSummary({
        rows: rowsOf(model, view.frame),
        gaps: view.gaps.map((gap) => `no data for ${lengthLabel(gap.to - gap.from)} from ${clockLabel(zone, gap.from)}`),
      });
    };
    let first: ReturnType<typeof setTimeout> | undefined;
    let told: Frame | null = null;
    // Another frame is another view; a gap that grows by the second can wait.
    const soon = (): void => {
      const { status, frame } = model.view();
      if (first !== undefined || status !== 'ready' || frame === told) return;
      first = setTimeout(() => {
        first = undefined;
        told = model.view().frame;
        renew();
      }, SETTLE);
    };
    soon();
    const unsubscribe = model.subscribe(soon);
    const timer = setInterval(renew, RENEW);
    return () => {
      unsubscribe();
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [model, zone]);

  const volumes = rows.some(({ volume }) => volume !== null);
  const price = (text: string): string => exactPrice(text, decimals, locale);
  const when = (time: number): string => momentLabel(zone, time / 1000);
  return (
    <div className="chart-hidden">
      <p id={id}>{`${rows.length === 0 ? 'No points yet.' : `${rows.reduce((sum, row) => sum + row.points, 0)} points.`} ${gaps.length > 0 ? `${gaps.slice(0, 5).join('; ')}.` : ''} Arrow keys, Home, End and Page keys move along the points, with Shift the view, plus and minus zoom, Enter measures, Escape returns to live.`}</p>
      {rows.length > 0 && (
        <table>
          <caption>{title}</caption>
          <thead><tr><th scope="col">from</th><th scope="col">first</th><th scope="col">high</th><th scope="col">low</th><th scope="col">last</th>{volumes && <th scope="col">volume</th>}</tr></thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.time}>
                <th scope="row">{when(row.time)}</th><td>{price(row.first)}</td><td>{price(row.high)}</td><td>{price(row.low)}</td><td>{price(row.last)}</td>{volumes && <td>{row.volume === null ? '' : exactPrice(row.volume, 0, locale)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
});
