import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_LOOK, type Look, parseLocale, parseLook, readLook } from '../../../../renderer/settings/look.ts';
import { scaledMedia } from '../../../../renderer/theme/textSize.ts';

const OTHER: Look = { contrast: 'high', palette: 'green-magenta', text: 150, locale: 'de-CH', hours: 'locale', motion: 'reduced' };

test('comes back as it was kept', () => expect(readLook(JSON.stringify(OTHER))).toEqual({ look: OTHER, wrong: [] }));

test('a first visit is no mistake', () => expect(readLook(null)).toEqual({ look: DEFAULT_LOOK, wrong: [] }));

test('a wrong field costs only itself and is named', () => {
  expect(parseLook({ ...OTHER, text: 400, locale: 'not a tag!' })).toEqual({ look: { ...OTHER, text: 100, locale: null }, wrong: ['locale', 'text'] });
});

test.each(['', '{', 'null', '[]', '7', `{"a":"${'x'.repeat(3000)}"}`])('kept text %j: as by default, and told', (text) => expect(readLook(text)).toEqual({ look: DEFAULT_LOOK, wrong: ['all'] }));

test('whatever was kept, a look comes out', () =>
  fc.assert(fc.property(fc.anything(), fc.string(), (value, text) => {
    expect(parseLook(parseLook(value).look).wrong).toEqual([]);
    expect(parseLook(readLook(text).look).wrong).toEqual([]);
  })));

test.each([['de-ch', 'de-CH'], [' pt-BR ', 'pt-BR'], ['', null], ['x', null], ['no such tag', null], ['en-'.repeat(30), null]])('the locale %j is %j', (text, tag) => expect(parseLocale(text)).toBe(tag));

test('width rules grow with the text', () => expect(scaledMedia('(max-width: 760px) and (min-height: 10.5px)', 2)).toBe('(max-width: 1520px) and (min-height: 21px)'));
