/** The peers: AG Grid community with the same columns, and tiles of Recharts lines. */
import { AllCommunityModule, createGrid, type ColDef, type GridApi, ModuleRegistry } from 'ag-grid-community';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { Line, LineChart, YAxis } from 'recharts';
import type { QuoteView } from '../../../shared/channels.ts';
import type { Make } from './contender.ts';
import { lineOf } from './frontrow.tsx';

ModuleRegistry.registerModules([AllCommunityModule]);

const two = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const number = (field: keyof QuoteView, width: number): ColDef<QuoteView> => ({ field, width, enableCellChangeFlash: field === 'price', valueFormatter: ({ value }) => (value === null ? '' : two.format(value)), type: 'rightAligned' });

/** Updates come by asynchronous transactions, which it batches, as its guide for high frequencies says. */
export const agGrid: Make = (place, _indices, quotes) => {
  const columns: ColDef<QuoteView>[] = [
    { field: 'state', width: 60 }, { field: 'index', flex: 1 }, number('price', 90), number('changePercent', 70), number('change', 80),
    { headerName: 'range', width: 60, valueGetter: ({ data }) => (data?.day && data.price !== null ? Math.round(((Number(data.price) - Number(data.day.low)) / (Number(data.day.high) - Number(data.day.low))) * 100) : null) },
    { headerName: 'age', width: 70, valueGetter: ({ data }) => (data ? `${Math.max(0, (Date.now() - Number(data.eventMicros) / 1000) / 1000).toFixed(1)}s` : '') },
  ];
  const grid: GridApi<QuoteView> = createGrid(place, { columnDefs: columns, rowData: [...quotes], getRowId: ({ data }) => data.index, rowHeight: 28, headerHeight: 28, asyncTransactionWaitMillis: 16, animateRows: false });
  const ages = setInterval(() => grid.refreshCells({ columns: grid.getColumns()?.filter((column) => column.getColDef().headerName === 'age') ?? [] }), 250);
  return {
    push: (changed) => grid.applyTransactionAsync({ update: [...changed] }),
    destroy() {
      clearInterval(ages);
      grid.destroy();
    },
  };
};

/** One small LineChart each, as its guide draws tiny charts; a new price is a new array. */
export const rechartsTiles: Make = (place, indices) => {
  const lines = new Map(indices.map(({ id }) => [id, lineOf(id, 40).prices.map((price) => ({ price: Number(price) }))]));
  const root = createRoot(place);
  const draw = (): void => {
    flushSync(() => root.render(
      <div style={{ display: 'flex', flexWrap: 'wrap' }}>
        {indices.map(({ id }) => (
          <LineChart key={id} width={46} height={18} data={lines.get(id) ?? []} margin={{ top: 1, right: 1, bottom: 1, left: 1 }}>
            <YAxis hide domain={['dataMin', 'dataMax']} />
            <Line dataKey="price" dot={false} isAnimationActive={false} stroke="#888" />
          </LineChart>
        ))}
      </div>,
    ));
  };
  draw();
  return {
    push(changed) {
      for (const { index, price } of changed) lines.set(index, [...(lines.get(index) ?? []).slice(-40), { price: Number(price) }]);
      draw();
    },
    destroy: () => root.unmount(),
  };
};
