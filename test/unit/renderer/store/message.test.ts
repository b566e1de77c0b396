import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDecimal } from '../../../../shared/decimal.ts';
import { isDecimalText, isInstantText } from '../../../../renderer/store/wireText.ts';
import { parseMessage } from '../../../../renderer/store/message.ts';

const quote = {
  index: 'SPX', price: '3074.62', eventTime: null, eventMicros: '1573050000000000', sequence: 0, ingestMicros: null, ageMs: 400, state: 'live', phase: 'open', reason: null, flags: [],
  change: null, changePercent: null, base: null, baseNote: null, nextOpen: null, delayMs: 0, skewMs: null, key: null, day: null,
};
const message = (changes: object) => ({ channel: 'quotes', sequence: 1, data: { kind: 'changes', quotes: [{ ...quote, ...changes }] } });

test('takes what the contract says', () => {
  expect(parseMessage(message({}))).toBeDefined();
  expect(parseMessage({ channel: 'heartbeat', sequence: 3, data: { kind: 'wall', nowMicros: '1', speed: 1, paused: false, note: null } })).toBeDefined();
});

test.each([
  ['a price that is a number', { price: 3074.62 }], ['a price that is no decimal', { price: '3e3' }], ['an unknown state', { state: 'fine' }],
  ['an instant that is none', { eventMicros: 'yesterday' }], ['a base without a price', { base: { date: '2019-11-05', kind: 'official' } }], ['a day that is half known', { day: { open: '1', high: '2' } }],
  ['a delay that is a word', { delayMs: 'long' }], ['a source that is a number', { source: 4 }], ['an age that is none', { ageMs: NaN }], ['a missing index', { index: undefined }], ['flags that are no list', { flags: 'replay' }],
])('refuses %s', (_, change) => expect(parseMessage(message(change))).toBeUndefined());

test('refuses other channels, broken sequences and a zone that would throw later', () => {
  expect(parseMessage({ ...message({}), channel: 'news' })).toBeUndefined();
  expect(parseMessage({ ...message({}), sequence: '1' })).toBeUndefined();
  const index = { id: 'X', name: 'X', mic: null, zone: 'Mars/Base', region: 'Other', currency: null, decimals: 2, delayMs: 0, label: null };
  expect(parseMessage({ channel: 'indices', sequence: 1, data: [index] })).toBeUndefined();
  expect(parseMessage({ channel: 'indices', sequence: 1, data: [{ ...index, zone: 'UTC' }] })).toBeDefined();
});

test('never throws', () => fc.assert(fc.property(fc.anything(), (value) => {
  parseMessage(value);
  parseMessage({ channel: 'quotes', sequence: 1, data: value });
})));

test('decimals and instants are the texts that their parsers take, and no other', () => {
  const nearly = fc.string({ unit: fc.constantFrom(...Array.from('0123456789.+- e')), maxLength: 8 });
  const long = fc.tuple(fc.constantFrom('', '-', '+'), fc.nat(42), fc.constantFrom('', '.'), fc.nat(42)).map(([sign, whole, dot, fraction]) => `${sign}${'9'.repeat(whole)}${dot}${'9'.repeat(fraction)}`);
  fc.assert(fc.property(fc.oneof(nearly, long), (text) => {
    expect(isDecimalText(text)).toBe(parseDecimal(text) !== undefined);
    expect(isInstantText(text)).toBe(/^-?\d{1,18}$/.test(text));
  }), { numRuns: 500 });
});
