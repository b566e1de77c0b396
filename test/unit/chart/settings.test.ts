import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS, MOST_COMPARED, parseChartSettings, readChartSettings } from '../../../renderer/chart/settings.ts';

test('what it wrote it reads', () => {
  const settings = { ...DEFAULT_SETTINGS, range: { from: 1, to: 2 }, kind: 'candles' as const, overlays: ['sma20', 'vwap'] as const, compare: ['NDX'], rebase: 5, levels: [{ index: 'SPX', price: '6500.25', note: 'old high' }] };
  expect(readChartSettings(JSON.stringify(settings))).toEqual(settings);
});

test('a field that is wrong costs only itself', () => {
  expect(parseChartSettings({ range: { from: 2, to: 1 }, kind: 'pie', scale: 'log', zone: 3, collapse: 'no', overlays: ['sma20', 'sma1', 'sma501', {}], compare: ['NDX', 'ndx', 'NDX'], levels: [{ index: 'SPX', price: '1e5' }, { index: 'SPX', price: '5' }] }))
    .toEqual({ ...DEFAULT_SETTINGS, scale: 'log', overlays: ['sma20'], compare: ['NDX'], levels: [{ index: 'SPX', price: '5', note: '' }] });
});

test('anything at all gives settings within limits', () => {
  fc.assert(fc.property(fc.anything(), (value) => {
    const settings = parseChartSettings(value);
    expect(settings.compare.length).toBeLessThanOrEqual(MOST_COMPARED);
  }));
  fc.assert(fc.property(fc.string(), (text) => void readChartSettings(text)));
  expect(parseChartSettings({ compare: Array.from({ length: 100 }, (_, at) => `X${at}`) }).compare.length).toBe(MOST_COMPARED);
  expect(readChartSettings('x'.repeat(200_000))).toBe(DEFAULT_SETTINGS);
});
