/** The channel map types everything that crosses: names, payloads, answers, events. */
import { assertType, expectTypeOf, test } from 'vitest';
import type { EventName, Events, HistoryAnswer, Market, Message, RequestName, Requests } from '../../shared/channels.ts';
import { EVENT_NAMES, REQUEST_NAMES } from '../../shared/channels.ts';
import type { Problem, Result } from '../../shared/result.ts';
import { type Asked, parseAnswer, parseEvent, parseMessage, parseRequest } from '../../shared/schemas.ts';

declare const market: Market;

test('the lists of names are the maps\' keys, no more and no less', () => {
  expectTypeOf<(typeof EVENT_NAMES)[number]>().toEqualTypeOf<EventName>();
  expectTypeOf<(typeof REQUEST_NAMES)[number]>().toEqualTypeOf<RequestName>();
  expectTypeOf<keyof Market>().toEqualTypeOf<'host' | 'request' | 'subscribe'>();
});

test('a request knows its payload and its answer', () => {
  expectTypeOf(market.request<'history'>).returns.toEqualTypeOf<Promise<Result<HistoryAnswer>>>();
  expectTypeOf(market.request<'watch'>).parameter(1).toEqualTypeOf<{ readonly indices: readonly string[] }>();
  // @ts-expect-error no such request
  void market.request('quote', {});
  // @ts-expect-error a tape needs a limit
  void market.request('tape', { index: 'SPX' });
  // @ts-expect-error prices and instants are text, never numbers
  void market.request('history', { index: 'SPX', fromMicros: 1, toMicros: '2', resolution: 'auto', pixels: 900 });
});

test('a message\'s channel decides its data', () => {
  market.subscribe((message) => {
    if (message.channel === 'heartbeat') expectTypeOf(message.data).toEqualTypeOf<Events['heartbeat']>();
    if (message.channel === 'quotes') expectTypeOf(message.data).toEqualTypeOf<Events['quotes']>();
    // @ts-expect-error Electron's event is never part of a message
    void message.sender;
  });
});

test('parsers give exactly the types of the map', () => {
  expectTypeOf(parseRequest).returns.toEqualTypeOf<Result<Asked>>();
  expectTypeOf(parseMessage).returns.toEqualTypeOf<Result<Message>>();
  expectTypeOf(parseEvent<'ticks'>).returns.toEqualTypeOf<Result<Events['ticks']>>();
  expectTypeOf(parseAnswer<'sessions'>).returns.toEqualTypeOf<Result<Requests['sessions']['answer']>>();
  const asked = {} as Asked;
  if (asked.name === 'clock') expectTypeOf(asked.request).toEqualTypeOf<Requests['clock']['request']>();
});

test('a result is narrowed before it is used', () => {
  const result = {} as Result<number>;
  // @ts-expect-error not before `ok` was asked
  void result.value;
  if (result.ok) assertType<number>(result.value);
  else assertType<Problem>(result.error);
});
