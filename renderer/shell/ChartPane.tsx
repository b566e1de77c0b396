/** Ranges on their own line, the chart below, loaded after the numbers are up. */
import { lazy, Suspense, useCallback } from 'react';
import { micros } from '../../shared/time.ts';
import { useCell, useInfo, usePage, useQuote } from '../store/hooks.ts';
import { RANGES } from './view.ts';

const IndexChart = lazy(async () => ({ default: (await import('../chart/IndexChart.tsx')).IndexChart }));

export function ChartPane({ id }: { readonly id: string }) {
  const { desk, view } = usePage();
  const range = useCell(view.range);
  const drawer = useCell(view.drawer);
  const epoch = useCell(desk.epoch);
  const info = useInfo(id);
  const quote = useQuote(id);
  const load = useCallback((request: Parameters<typeof desk.request<'history'>>[1]) => desk.request('history', request), [desk]);
  const sessions = useCallback((request: Parameters<typeof desk.request<'sessions'>>[1]) => desk.request('sessions', request), [desk]);
  const now = useCallback(() => desk.clock.now() ?? micros(0n), [desk]);
  const clockKnown = useCell(desk.beat) !== null;
  const stale = quote === undefined || (quote.state !== 'live' && quote.state !== 'quiet' && quote.state !== 'closed');
  return (
    <section className="chart-pane" aria-label={`Chart of ${id}`}>
      <div className="ranges">
        <div role="group" aria-label="Range" className="tabs">
          {RANGES.map((name, at) => <button key={name} type="button" className="tab" aria-pressed={range === name} aria-keyshortcuts={String(at + 1)} title={`${name} (key ${at + 1})`} onClick={() => view.range.set(name)}>{name}</button>)}
        </div>
        <button type="button" className="tab drawer-button" aria-expanded={drawer} onClick={() => view.drawer.set(!drawer)}>Tape and health</button>
      </div>
      <div className="chart-box" data-stale={stale || undefined}>
        <Suspense fallback={<output className="skeleton" aria-label="Loading the chart" />}>
          {info && clockKnown ? (
            <IndexChart
              key={id} info={info} quote={quote} load={load} sessions={sessions} onTicks={desk.onTicks} now={now} zone={info.zone} range={range}
              stale={stale} epoch={epoch}
            />
          ) : <output className="skeleton" aria-label="Loading the chart" />}
        </Suspense>
      </div>
    </section>
  );
}
