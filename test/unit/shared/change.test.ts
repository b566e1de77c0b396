import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BaseInput, changeFrom, chooseBase } from '../../../shared/change.ts';
import { add, compare, decimal, fromScaled } from '../../../shared/decimal.ts';
import type { Bar } from '../../../shared/quote.ts';
import { barKey, indexIdOf } from '../../../shared/rowKey.ts';
import { parseTime } from '../../../shared/time.ts';
import { atLocalFirst } from '../../../shared/zone.ts';

const SPX = indexIdOf('SPX');
function daily(date: string, officialClose: string | null, close = officialClose ?? '1'): Bar {
  const start = atLocalFirst('America/New_York', date, 0n);
  const price = decimal(close);
  return {
    index: SPX, start, resolution: '1d', open: price, high: price, low: price, close: price, volume: null, ticks: null, kind: officialClose === null ? 'own' : 'vendor',
    officialClose: officialClose === null ? null : decimal(officialClose), sessionDate: date, key: barKey(SPX, '1d', start),
  };
}
/** Real closes of that week: the official close of 5 November is not the last minute's 3074.75. */
const WEEK = [daily('2019-11-07', '3085.18'), daily('2019-11-06', '3076.78'), daily('2019-11-05', '3074.62'), daily('2019-11-04', '3078.27')];
const choose = (now: string, dailyBars: readonly Bar[] = WEEK, rest: Partial<BaseInput> = {}) =>
  chooseBase({ mic: 'XNYS', now: parseTime(now), delayMs: 0, clock: 'wall', dailyBars, ...rest });

describe('the base', () => {
  test.each([
    ['2019-11-06T14:29:59Z', '2019-11-04'], // before the open the session of the 5th is current
    ['2019-11-06T14:30:00Z', '2019-11-05'],
    ['2019-11-06T20:59:59Z', '2019-11-05'],
    ['2019-11-06T21:00:00Z', '2019-11-05'], // after the close too, though the close of the 6th is there
    ['2019-11-07T04:00:00Z', '2019-11-05'],
    ['2019-11-07T14:30:00Z', '2019-11-06'],
    ['2019-11-09T17:00:00Z', '2019-11-07'], // Saturday: the session of the 8th
  ])('at %s is the official close of %s', (now, date) => {
    const bars = [daily('2019-11-08', '3093.08'), ...WEEK];
    expect(choose(now, bars)).toEqual({ base: { price: bars.find((bar) => bar.sessionDate === date)!.officialClose, date, kind: 'official' }, note: null });
  });

  test('over a holiday is the day before it', () => {
    const bars = [daily('2019-11-27', '3153.63')];
    expect(choose('2019-11-29T15:00:00Z', bars).base).toMatchObject({ date: '2019-11-27' });
  });

  test('is never an older close: none, with the date of what there is', () => {
    expect(choose('2019-11-06T15:00:00Z', [daily('2019-11-04', '3078.27')])).toEqual({ base: null, note: 'no official close since 2019-11-04' });
    expect(choose('2019-11-06T15:00:00Z', [])).toEqual({ base: null, note: 'no official close' });
    expect(choose('2019-11-06T15:00:00Z', [daily('2019-11-06', '3076.78')])).toEqual({ base: null, note: 'no official close' }); // its own close is no base
  });

  test('is never a bar without an official close', () => {
    const bars = [daily('2019-11-05', null, '3074.75'), daily('2019-11-04', '3078.27')];
    expect(choose('2019-11-06T15:00:00Z', bars)).toEqual({ base: null, note: 'no official close since 2019-11-04' });
    expect(choose('2019-11-06T15:00:00Z', bars, { clock: 'test' }).base).toBeNull();
  });

  test('on the replay clock may be the previous session\'s last bar, and says so', () => {
    const bars = [daily('2019-11-05', null, '3074.75'), daily('2019-11-04', '3078.27')];
    expect(choose('2019-11-06T15:00:00Z', bars, { clock: 'replay' })).toEqual({ base: { price: '3074.75', date: '2019-11-05', kind: 'last-bar' }, note: null });
    expect(choose('2019-11-06T15:00:00Z', WEEK, { clock: 'replay' }).base).toMatchObject({ date: '2019-11-05', kind: 'official' });
    expect(choose('2019-11-06T15:00:00Z', [daily('2019-11-01', null)], { clock: 'replay' })).toEqual({ base: null, note: 'no close' });
  });

  test('moves with a delayed feed\'s open', () => {
    expect(choose('2019-11-06T14:44:59Z', WEEK, { delayMs: 900_000 }).base).toMatchObject({ date: '2019-11-04' });
    expect(choose('2019-11-06T14:45:00Z', WEEK, { delayMs: 900_000 }).base).toMatchObject({ date: '2019-11-05' });
  });

  test('does not depend on the order of the bars, and ignores undated ones', () => {
    const bars = [...WEEK].reverse();
    bars.push({ ...daily('2019-11-05', '1'), sessionDate: null });
    expect(choose('2019-11-06T15:00:00Z', bars).base).toMatchObject({ date: '2019-11-05', price: '3074.62' });
  });

  test('without a calendar: no weekday may lie between', () => {
    const at = (now: string, bars: Bar[], zone = 'America/New_York') => choose(now, bars, { mic: null, zone });
    expect(at('2019-11-06T15:00:00Z', WEEK).base).toMatchObject({ date: '2019-11-05' });
    expect(at('2019-11-06T03:00:00Z', WEEK).base).toMatchObject({ date: '2019-11-04' }); // still the 5th in New York
    expect(at('2019-11-11T15:00:00Z', [daily('2019-11-08', '3093.08')]).base).toMatchObject({ date: '2019-11-08' }); // Monday after Friday
    expect(at('2019-11-11T15:00:00Z', WEEK)).toEqual({ base: null, note: 'no official close since 2019-11-07' });
    expect(choose('2027-01-05T03:00:00Z', [daily('2027-01-04', '4000')], { mic: 'XSHG' }).base).toMatchObject({ date: '2027-01-04' }); // past the calendar
  });

  test('after a session at unverified times is that session\'s close', () => {
    const now = '2026-11-09T05:00:00Z';
    expect(choose(now, [daily('2026-11-06', '25000')], { mic: 'XNSE' })).toEqual({ base: null, note: 'no official close since 2026-11-06' });
    expect(choose(now, [daily('2026-11-08', '25010'), daily('2026-11-06', '25000')], { mic: 'XNSE' }).base).toMatchObject({ date: '2026-11-08' });
  });
});

describe('the change', () => {
  test('is exact', () => {
    expect(changeFrom('3076.78', { price: '3074.62' })).toEqual({ change: '2.16', changePercent: '0.0703' });
    expect(changeFrom('0.3', { price: '0.1' })).toEqual({ change: '0.2', changePercent: '200' });
    expect(changeFrom('-37.63', { price: '10.01' })).toEqual({ change: '-47.64', changePercent: '-475.9241' });
  });

  test('has no percentage of zero, and is none without a base or a price', () => {
    expect(changeFrom('1', { price: '0' })).toEqual({ change: '1', changePercent: null });
    expect(changeFrom(null, { price: '1' })).toBeNull();
    expect(changeFrom('1', null)).toBeNull();
    expect(changeFrom('x', { price: '1' })).toBeNull();
  });

  test('added to its base gives the price, and points the same way as the percentage', () => {
    const price = fc.record({ units: fc.bigInt({ min: 1n, max: 10n ** 15n }), scale: fc.integer({ min: 0, max: 6 }) }).map(({ units, scale }) => fromScaled(units, scale));
    fc.assert(fc.property(price, price, (from, to) => {
      const { change, changePercent } = changeFrom(to, { price: from })!;
      expect(add(from, change)).toBe(to);
      expect([compare(change, decimal('0')), 0]).toContain(compare(changePercent!, decimal('0')));
    }));
  });
});
