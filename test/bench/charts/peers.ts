/** The peers, each used the quick way its own documentation shows: no animation, thin line, nothing but the line and its axes. */
import { CandlestickSeries, createChart, LineSeries, type UTCTimestamp } from 'lightweight-charts';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { type Make, once } from './contender.ts';

export const uplot: Make = (place, history, { width, height }) => {
  const shown = history.times.length;
  const times = history.times.map((time) => Number(time) / 1e6);
  const values = history.prices.map(Number);
  const visible = (): [Float64Array, Float64Array] => [new Float64Array(times.slice(-shown)), new Float64Array(values.slice(-shown))];
  const chart = new UPlot({
    width, height, legend: { show: false }, series: [{}, { stroke: '#4af', width: 1, points: { show: false } }], axes: [{ stroke: '#aaa' }, { stroke: '#aaa', side: 1 }], cursor: { sync: { key: 'bench' } },
  }, visible(), place);
  const box = once(() => chart.over.getBoundingClientRect());
  return {
    push(time, price) {
      times.push(time / 1000);
      values.push(Number(price));
      chart.setData(visible());
    },
    drawn: () => true,
    pan(share) {
      const { min = 0, max = 1 } = chart.scales['x'] ?? {};
      chart.setScale('x', { min: min + share * (max - min), max: max + share * (max - min) });
    },
    zoom(factor) {
      const { min = 0, max = 1 } = chart.scales['x'] ?? {};
      const middle = (min + max) / 2;
      chart.setScale('x', { min: middle + (min - middle) * factor, max: middle + (max - middle) * factor });
    },
    hover(x, y) {
      chart.over.dispatchEvent(new MouseEvent('mousemove', { clientX: box().left + x, clientY: box().top + y, bubbles: true }));
    },
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

/** Minutes as candles; a tick updates the newest. */
export const lightweightCandles: Make = (place, history, { width, height }) => {
  const chart = createChart(place, { width, height, layout: { attributionLogo: false }, timeScale: { timeVisible: true, minBarSpacing: 0.5 } });
  const series = chart.addSeries(CandlestickSeries);
  const candles: { time: UTCTimestamp; open: number; high: number; low: number; close: number }[] = [];
  const take = (seconds: number, value: number): void => {
    const time = (Math.floor(seconds / 60) * 60) as UTCTimestamp;
    const last = candles.at(-1);
    if (last?.time === time) [last.high, last.low, last.close] = [Math.max(last.high, value), Math.min(last.low, value), value];
    else candles.push({ time, open: value, high: value, low: value, close: value });
  };
  history.times.forEach((time, index) => take(Number(time) / 1e6, Number(history.prices[index])));
  series.setData(candles);
  chart.timeScale().fitContent();
  return {
    push(time, price) {
      take(time / 1000, Number(price));
      const last = candles.at(-1);
      if (last) series.update({ ...last });
    },
    drawn: () => true,
    destroy: () => chart.remove(),
  };
};
