/** The peers, each used the quick way its own documentation shows: numbers ready, no animation, thin line. */
import { createChart, LineSeries, type UTCTimestamp } from 'lightweight-charts';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Make } from './contender.ts';

export const uplot: Make = (series) => {
  const shown = series.times.length;
  const times = series.times.map((time) => time / 1000);
  const values = [...series.values];
  const window = (): [Float64Array, Float64Array] => [new Float64Array(times.slice(-shown)), new Float64Array(values.slice(-shown))];
  const first = window();
  return (place, { width, height }) => {
    const chart = new UPlot({
      width, height, legend: { show: false }, series: [{}, { stroke: '#4af', width: 1, points: { show: false } }], axes: [{ stroke: '#aaa' }, { stroke: '#aaa', side: 1 }],
    }, first, place);
    return {
      push(time, value) {
        times.push(time / 1000);
        values.push(value);
        chart.setData(window());
      },
      drawn: () => true,
      destroy: () => chart.destroy(),
    };
  };
};

export const lightweight: Make = (series) => {
  const data = series.times.map((time, index) => ({ time: (time / 1000) as UTCTimestamp, value: series.values[index] ?? 0 }));
  return (place, { width, height }) => {
    const chart = createChart(place, { width, height, layout: { attributionLogo: false }, timeScale: { timeVisible: true, secondsVisible: true } });
    const line = chart.addSeries(LineSeries, { lineWidth: 1 });
    line.setData(data);
    chart.timeScale().fitContent();
    return {
      push: (time, value) => line.update({ time: (time / 1000) as UTCTimestamp, value }),
      drawn: () => true,
      destroy: () => chart.remove(),
    };
  };
};
