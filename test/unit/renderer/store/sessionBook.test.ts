import { expect, test } from 'vitest';
import { nextEdge, readWindows } from '../../../../renderer/store/sessionBook.ts';
import { micros } from '../../../../shared/time.ts';

const raw = (open: string, close: string) => ({ date: '2019-11-06', openMicros: open, closeMicros: close, note: null });

test('windows that do not parse or end before they start are left out', () => {
  expect(readWindows([raw('10', '20'), raw('x', '20'), raw('20', '10')]).map(({ open }) => open)).toEqual([10n]);
});

test('open, before, between and after', () => {
  const windows = readWindows([raw('10', '20'), raw('30', '40')]);
  expect(nextEdge(windows, micros(9n))).toEqual({ kind: 'opens', at: 10n });
  expect(nextEdge(windows, micros(10n))).toEqual({ kind: 'closes', at: 20n });
  expect(nextEdge(windows, micros(20n))).toEqual({ kind: 'opens', at: 30n });
  expect(nextEdge(windows, micros(40n))).toBeUndefined();
});

test('dates that are not known lie before the next window: it is not told as the next', () => {
  const windows = readWindows([{ ...raw('10', '20'), own: ['2019-11-06'], unknownBefore: true }]);
  expect([windows[0], nextEdge(windows, micros(9n)), nextEdge(windows, micros(10n))]).toEqual([expect.objectContaining({ own: ['2019-11-06'] }), undefined, { kind: 'closes', at: 20n }]);
});
