import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EVENT_NAMES, type Message, REQUEST_NAMES, type RequestName } from '../../../shared/channels.ts';
import { LIMITS, parseAnswer, parseEvent, parseMessage, parseRequest, parseResult } from '../../../shared/schemas.ts';
import { calendarView, clock, fakeDesk, healthView, indexView, quoteView } from '../../fixtures/fakeDesk.ts';

const span = { fromMicros: '1573050000000000', toMicros: '1573053600000000' };
const good: { [K in RequestName]: unknown } = {
  history: { index: 'SPX', ...span, resolution: 'auto', pixels: 900 },
  sparklines: { indices: ['SPX', '^GSPC'], points: 60 },
  references: { indices: ['SPX', 'ES'] },
  tape: { index: 'SPX', limit: 50 },
  watch: { indices: ['SPX'] },
  sessions: { mic: 'XNYS', ...span },
  clock: { speed: 60, atMicros: '1573050000000000' },
  stored: { index: 'SPX' },
  correct: { mic: 'XNYS', date: '2026-12-24', to: { windows: [{ open: '09:30', close: '13:00' }], note: null } },
};

describe('requests', () => {
  test.each(REQUEST_NAMES)('%s passes as documented', (name) => {
    expect(parseRequest(name, good[name])).toEqual({ ok: true, value: { name, request: good[name] } });
  });
  test.each(REQUEST_NAMES)('%s with one more key is refused', (name) => {
    expect(parseRequest(name, { ...(good[name] as object), extra: 1 }).ok).toBe(false);
  });
  test.each([
    ['history', { ...(good.history as object), index: 'SPX#1' }, 'index'],
    ['history', { ...(good.history as object), fromMicros: '99999999999999999999' }, 'fromMicros'],
    ['history', { ...(good.history as object), toMicros: '999999999999999999' }, 'toMicros'], // 18 digits, after year 9999
    ['history', { ...(good.history as object), fromMicros: span.toMicros, toMicros: span.fromMicros }, 'after'],
    ['history', { ...(good.history as object), pixels: 0 }, 'pixels'],
    ['history', { ...(good.history as object), pixels: LIMITS.pixels + 1 }, 'pixels'],
    ['history', { ...(good.history as object), resolution: '2m' }, 'resolution'],
    ['sparklines', { indices: Array.from({ length: LIMITS.indices + 1 }, () => 'SPX'), points: 60 }, 'indices'],
    ['watch', { indices: Array.from({ length: LIMITS.watched + 1 }, () => 'SPX') }, 'indices'],
    ['tape', { index: 'SPX', limit: 1e9 }, 'limit'],
    ['tape', { index: 'X'.repeat(25), limit: 1 }, 'index'],
    ['sessions', { mic: '../etc', ...span }, 'mic'],
    ['sessions', { mic: 'XNYS', fromMicros: '0', toMicros: '1573053600000000' }, '40 years'],
    ['clock', { speed: 601 }, 'speed'],
    ['clock', { atMicros: '1573050000000000', live: true }, 'exclude'],
    ['clock', { atMicros: '999999999999999999' }, 'atMicros'],
    ['clock', { step: { by: 'hour', index: 'SPX', back: true } }, 'step'],
    ['clock', { speed: Number.NaN }, 'speed'],
    ['clock', { speed: undefined }, 'speed'],
    ['correct', { mic: 'XNYS', date: '2026-12-24' }, 'to'],
    ['correct', { mic: 'XNYS', date: '2026-12-24', to: { windows: Array.from({ length: 5 }, () => ({ open: '09:30', close: '13:00' })), note: null } }, 'windows'],
    ['nothing', {}, 'no such request'],
    ['__proto__', {}, 'no such request'],
    [7, {}, 'no such request'],
  ])('%s with %j is refused, by name', (name, request, word) => {
    const parsed = parseRequest(name, request);
    expect(parsed).toMatchObject({ ok: false, error: { code: 'BAD_INPUT', retryable: false } });
    expect(parsed.ok || parsed.error.what).toContain(word);
  });
  test('anything at all gives a Result, and a refusal stays short', () =>
    fc.assert(fc.property(fc.oneof(fc.constantFrom<unknown>(...REQUEST_NAMES), fc.string()), fc.anything(), (name, request) => {
      const parsed = parseRequest(name, request);
      expect(parsed.ok || parsed.error.what.length < 400).toBe(true);
    })));
});

describe('messages', () => {
  const messages: Message[] = [];
  fakeDesk().connect((message) => void messages.push(message));
  messages.push({ channel: 'ticks', sequence: 3, data: { index: 'SPX', ticks: [], removed: [{ eventMicros: '1', sequence: 2 }], backfill: true } });

  test('every channel passes as documented, unchanged', () => {
    expect(new Set(messages.map((message) => message.channel))).toEqual(new Set(EVENT_NAMES));
    for (const message of messages) expect(parseMessage(JSON.parse(JSON.stringify(message)))).toEqual({ ok: true, value: message });
  });
  test.each([
    ['a number as price', 'quotes', { kind: 'snapshot', quotes: [{ ...quoteView('SPX'), price: 3074.62 }] }],
    ['an exponent', 'quotes', { kind: 'snapshot', quotes: [quoteView('SPX', '3e3')] }],
    ['an unknown state', 'quotes', { kind: 'snapshot', quotes: [{ ...quoteView('SPX'), state: 'fine' }] }],
    ['an unknown flag', 'quotes', { kind: 'snapshot', quotes: [{ ...quoteView('SPX'), flags: ['odd'] }] }],
    ['a missing age', 'quotes', { kind: 'changes', quotes: [{ ...quoteView('SPX'), ageMs: undefined }] }],
    ['an infinite figure', 'health', healthView({ readsPerSecond: Number.POSITIVE_INFINITY })],
    ['an unknown region', 'indices', [{ ...indexView('SPX'), region: 'Moon' }]],
    ['a date that is none', 'calendar', { ...calendarView, dates: [{ mic: 'XNYS', date: '2026-02-30', windows: [], note: null }] }],
    ['a negative speed', 'heartbeat', { ...clock, speed: -1 }],
    ['a tick without sequence', 'ticks', { index: 'SPX', ticks: [{ eventMicros: '1', price: '1' }], removed: [], backfill: false }],
  ] as const)('%s is refused', (_what, channel, data) => {
    expect(parseEvent(channel, data)).toMatchObject({ ok: false, error: { code: 'BAD_DATA' } });
  });
  test.each([null, 'x', [], {}, { channel: 'quotes' }, { channel: 'nope', sequence: 0, data: {} }, { channel: 'heartbeat', sequence: -1, data: clock }, { channel: 'heartbeat', sequence: 1.5, data: clock }])('%j is no message', (message) => {
    expect(parseMessage(message).ok).toBe(false);
  });
});

describe('answers', () => {
  test('arrays that do not pair are refused', () => {
    expect(parseAnswer('history', { index: 'SPX', times: ['1', '2'], sequences: [0, 0], prices: ['1'], resolution: '1m', kind: 'own', rows: 2, truncated: false }).ok).toBe(false);
    expect(parseAnswer('history', { index: 'SPX', times: ['1', '2'], sequences: [0], prices: ['1', '2'], resolution: '1m', kind: 'own', rows: 2, truncated: false }).ok).toBe(false);
  });
  test('a failure crosses as it is', () => {
    const refusal = { ok: false, error: { code: 'NOT_FOUND', what: 'no such index', next: 'choose another', retryable: false } };
    expect(parseResult('history', refusal)).toEqual(refusal);
  });
  test.each([undefined, null, {}, { ok: true }, { ok: 'yes', value: null }, { ok: false, error: { code: 'WHAT' } }, { ok: false, error: new Error('secret') }])('%j is no result', (result) => {
    const parsed = parseResult('watch', result);
    expect(parsed).toMatchObject({ ok: false, error: { code: 'BAD_DATA' } });
    expect(JSON.stringify(parsed)).not.toContain('secret');
  });
});
