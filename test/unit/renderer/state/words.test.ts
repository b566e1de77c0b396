import { expect, test } from 'vitest';
import { baseWords, stateDetails } from '../../../../renderer/headline/captions.ts';
import { countWords } from '../../../../renderer/health/counts.ts';
import { ageMs } from '../../../../renderer/state/age.ts';
import { directionOf } from '../../../../renderer/state/Change.tsx';
import { durationWords } from '../../../../renderer/state/duration.ts';
import { chipsOf, notesOf } from '../../../../renderer/state/notes.ts';
import { cityOf } from '../../../../renderer/state/places.ts';
import { showEventTime, showShare } from '../../../../renderer/state/shown.ts';
import { linkWords, stateWords } from '../../../../renderer/state/words.ts';
import { micros, parseTime } from '../../../../shared/time.ts';

test('states carry their reason', () => {
  expect(stateWords({ state: 'closed', reason: 'lunch' })).toBe('closed · lunch');
  expect(stateWords({ state: 'nodata', reason: 'empty' })).toBe('no data · no rows');
  expect(stateWords({ state: 'live', reason: null })).toBe('live');
});

test('a silent host outranks whatever the link last said', () => {
  expect(linkWords({ kind: 'lost', since: 0 }, 'live').tone).toBe('bad');
  expect(linkWords({ kind: 'live' }, 'broken').tone).toBe('bad');
  expect(linkWords({ kind: 'live' }, 'live')).toEqual({ tone: 'good', text: 'connected' });
  expect(linkWords({ kind: 'connecting' }, undefined).tone).toBe('busy');
});

test('an age is desk time less event less skew, never negative', () => {
  const quote = { eventMicros: '1000000', skewMs: 200, ageMs: 7 };
  expect(ageMs(quote, micros(2_000_000n))).toBe(800);
  expect(ageMs(quote, micros(1_000_000n))).toBe(0);
  expect(ageMs(quote, undefined)).toBe(7);
  expect(ageMs({ ...quote, eventMicros: null }, micros(1n))).toBeNull();
});

test('directions by the exact text', () => {
  expect(['0.01', '-0.01', '0', '-0.00', null].map(directionOf)).toEqual(['up', 'down', 'flat', 'flat', 'flat']);
});

test('the base is named by kind, price and date; without one it says so', () => {
  expect(baseWords({ base: { price: '3074.62', date: '2019-11-05', kind: 'official' }, baseNote: null }, 2)).toMatch(/^from official close 3,074.62 · .*5/);
  expect(baseWords({ base: { price: '3074.62', date: '2019-11-05', kind: 'last-bar' }, baseNote: null }, 2)).toMatch(/^vs last bar /);
  expect(baseWords({ base: null, baseNote: 'no official close since 2019-11-04' }, 2)).toBe('no official close since Mon, Nov 4');
  expect(baseWords({ base: null, baseNote: null }, 2)).toBe('no official close');
});

test('flags become words; the clock marks do not, they stand in the top line', () => {
  expect(notesOf({ flags: ['replay', 'delayed', 'future'], delayMs: 900_000, skewMs: null })).toEqual([{ words: 'delayed 15 min', bad: false }, { words: 'future row passed over', bad: true }]);
  expect(notesOf({ flags: ['test-clock'], delayMs: 0, skewMs: 0 })).toEqual([]);
  expect(notesOf({ flags: ['skew'], delayMs: 0, skewMs: -2400 })).toEqual([{ words: 'clock skew −2.4 s, corrected', bad: true }]);
});

test('a chip says what makes the number another thing, and nothing else of a label', () => {
  const chips = (label: string | null, delayMs = 0) => chipsOf({ label, delayMs });
  expect(chips('CFD mid (OANDA), not the index; prices of 2019-02-21')).toEqual(['CFD']);
  expect(chips('prices of 2024-07-30')).toEqual([]);
  expect(chips('E-mini futures', 900_000)).toEqual(['futures', '15 min']);
  expect(chips('broker quote, not the index')).toEqual(['not the index']);
  expect(chips(null)).toEqual([]);
});

test('a closed market tells its next open, and its reason unless that is only the night', () => {
  const closed = (reason: string | null, nextOpen: string | null) => stateDetails({ state: 'closed', reason, nextOpen }, 'Asia/Tokyo');
  expect(closed('night', '2019-11-07T00:00:00Z')).toMatch(/^opens .*7.* 09:00$/);
  expect(closed('holiday', '2019-11-07T00:00:00Z')).toMatch(/^holiday · opens /);
  expect(closed('settling', null)).toBe('settling');
  expect(stateDetails({ state: 'live', reason: null, nextOpen: null }, 'UTC')).toBeNull();
});

test('counts, spans, shares, cities', () => {
  expect(countWords(18, { live: 12, quiet: 1, stalled: 1, closed: 4, disconnected: 0, nodata: 0 })).toBe('18 indices: 12 live, 1 quiet, 1 stalled, 4 closed');
  expect(countWords(1, { live: 1, quiet: 0, stalled: 0, closed: 0, disconnected: 0, nodata: 0 })).toBe('1 index: 1 live');
  expect(durationWords(17_220_000_000n)).toBe('4 h 47 m');
  expect(durationWords(-1n)).toBe('0 s');
  expect(showShare(0.001)).toBe('0.1 %');
  expect(cityOf('XNYS', 'America/New_York')).toBe('New York');
  expect(cityOf(null, 'America/Sao_Paulo')).toBe('Sao Paulo');
});

test('the last print of a closed market: its time today, its date before', () => {
  const now = parseTime('2019-11-06T14:41:07Z');
  expect(showEventTime('Asia/Tokyo', String(parseTime('2019-11-06T06:00:00Z')), now)).toBe('15:00');
  expect(showEventTime('Asia/Tokyo', String(parseTime('2019-11-05T06:00:00Z')), now)).toContain('5');
});
