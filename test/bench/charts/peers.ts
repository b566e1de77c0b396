/** The peers, each used the quick way its own documentation shows: no animation, thin line, nothing but the line and its axes. */
import { createChart, LineSeries, type UTCTimestamp } from 'lightweight-charts';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Make } from './contender.ts';

export const uplot: Make = (place, history, { width, height }) => {
  const shown = history.times.length;
  const times = history.times.map((time) => Number(time) / 1e6);
  const values = history.prices.map(Number);
  const visible = (): [Float64Array, Float64Array] => [new Float64Array(times.slice(-shown)), new Float64Array(values.slice(-shown))];
  const chart = new UPlot({
    width, height, legend: { show: false }, series: [{}, { stroke: '#4af', width: 1, points: { show: false } }], axes: [{ stroke: '#aaa' }, { stroke: '#aaa', side: 1 }],
  }, visible(), place);
  return {
    push(time, price) {
      times.push(time / 1000);
      values.push(Number(price));
      chart.setData(visible());
    },
    drawn: () => true,
    destroy: () => chart.destroy(),
  };
};

export const lightweight: Make = (place, history, { width, height }) => {
  const chart = createChart(place, { width, height, layout: { attributionLogo: false }, timeScale: { timeVisible: true, secondsVisible: true } });
  const line = chart.addSeries(LineSeries, { lineWidth: 1 });
  line.setData(history.times.map((time, index) => ({ time: (Number(time) / 1e6) as UTCTimestamp, value: Number(history.prices[index]) })));
  chart.timeScale().fitContent();
  return {
    push: (time, price) => line.update({ time: (time / 1000) as UTCTimestamp, value: Number(price) }),
    drawn: () => true,
    destroy: () => chart.remove(),
  };
};
