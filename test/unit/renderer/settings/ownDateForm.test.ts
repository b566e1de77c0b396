import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exchangeMeant, hoursWords, readHours, readTyped } from '../../../../renderer/settings/ownDateForm.ts';
import { wrongOwnDate } from '../../../../shared/calendar/ownDate.ts';

const exchanges = ['XNYS', 'XTKS'].map((mic) => ({ mic, zone: 'UTC', from: '2000-01-01', to: '2030-12-31' }));
const indices = [{ id: 'NKY', mic: 'XTKS' }, { id: 'GOLD', mic: null }, { id: 'FAR', mic: 'XFAR' }];
const typed = { exchange: 'XNYS', date: '2026-12-24', closed: true, hours: '', note: '' };
const read = (change: Partial<typeof typed>) => readTyped({ ...typed, ...change }, exchanges, indices);

test.each([['xnys ', 'XNYS'], ['nky', 'XTKS'], ['GOLD', undefined], ['FAR', undefined], ['', undefined], ['toString', undefined]])('%j means %s', (text, mic) => expect(exchangeMeant(text, exchanges, indices)?.mic).toBe(mic));

test.each([
  ['9:30-13:00', '09:30–13:00'], ['09:00 – 11:30, 12:30-15:30', '09:00–11:30, 12:30–15:30'], ['', 'closed'], ['9-13', null], ['09:30', null], ['x'.repeat(101), null],
])('the hours %j are %s', (text, words) => {
  const hours = readHours(text);
  expect(hours && hoursWords(hours)).toBe(words);
});

test('what is wrong is said of its field', () => {
  expect(read({ note: ' storm ' })).toEqual({ own: { mic: 'XNYS', date: '2026-12-24', windows: [], note: 'storm' } });
  expect([read({ exchange: '?' }), read({ date: '' }), read({ closed: false }), read({ closed: false, hours: '13:00-09:30' }), read({ note: 'a\nb' })]).toEqual([
    expect.objectContaining({ field: 'exchange' }), { field: 'date', wrong: 'A date is YYYY-MM-DD.' }, expect.objectContaining({ field: 'hours' }),
    { field: 'hours', wrong: '13:00 to 09:30 ends before it begins.' }, { field: 'note', wrong: 'A note is one line of text.' },
  ]);
});

test('whatever is typed, what is asked for may be kept', () =>
  fc.assert(fc.property(fc.record({ exchange: fc.constantFrom('XNYS', 'nky', 'x'), date: fc.oneof(fc.string(), fc.constant('2026-12-24')), closed: fc.boolean(), hours: fc.oneof(fc.string(), fc.constantFrom('9:00-12:00 11:00-14:00', '25:00-26:00', '10:00-24:00')), note: fc.string() }), (any) => {
    const found = readTyped(any, exchanges, indices);
    if ('own' in found) expect(wrongOwnDate(found.own)).toBeNull();
    else expect(found.wrong).not.toBe('');
  })));
