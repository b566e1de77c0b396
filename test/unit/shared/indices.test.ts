import { expect, test } from 'vitest';
import { builtInIndices, infoFor, regionOf } from '../../../shared/indices.ts';
import { indexIdOf } from '../../../shared/rowKey.ts';
import { calendarRange } from '../../../shared/sessions.ts';
import { indices } from './calendar/tables.ts';

test('the built-in indices are those of the table, each with its calendar', () => {
  expect([...builtInIndices.values()].map(({ id, name, mic, zone, currency, decimals }) => ({ id, name, mic, zone, currency, decimals }))).toEqual(indices);
  expect(builtInIndices.size).toBe(25);
  for (const { mic } of builtInIndices.values()) expect(calendarRange(mic)).not.toBeNull();
});

test('regions follow the exchange', () => {
  expect(['SPX', 'IBOV', 'IPC', 'UKX', 'SX5E', 'OMXS30', 'NKY', 'NIFTY', 'XJO'].map((id) => infoFor(indexIdOf(id)).region))
    .toEqual(['Americas', 'Americas', 'Americas', 'Europe', 'Europe', 'Europe', 'Asia Pacific', 'Asia Pacific', 'Asia Pacific']);
  expect([regionOf(null), regionOf('XXXX'), regionOf('constructor')]).toEqual(['Other', 'Other', 'Other']);
});

test('an id that nobody described has no calendar', () => {
  expect(infoFor(indexIdOf('ACME.IDX'))).toEqual({ id: 'ACME.IDX', name: 'ACME.IDX', mic: null, zone: 'UTC', region: 'Other', currency: null, decimals: null, delayMs: 0, label: null });
});
