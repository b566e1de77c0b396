import fc from 'fast-check';
import { expect, test } from 'vitest';
import { absent, groups, MAX_ROWS, percentAt, place, ribbonSpan } from '../../../../renderer/ribbon/lanes.ts';
import { HOUR, micros, parseTime } from '../../../../shared/time.ts';

const now = parseTime('2019-11-06T14:41:07Z');
const at = (hour: number) => micros(parseTime('2019-11-06T00:00:00Z') + BigInt(Math.round(hour * 60)) * (HOUR / 60n));
const window = (open: number, close: number, note: string | null = null) => ({ date: '2019-11-06', open: at(open), close: at(close), note });
const span = ribbonSpan(now);
const city = (name: string) => ({ mic: name, city: name });

test('24 hours around now in whole hours', () => {
  expect(span.to - span.from).toBe(24n * HOUR);
  expect(span.from % HOUR).toBe(0n);
  expect(percentAt(span, now)).toBeGreaterThan(37);
  expect(percentAt(span, now)).toBeLessThan(42);
});

test('exchanges with the same hours share a group; a lunch break is two boxes; boxes stay inside', () => {
  const exchanges = [{ mic: 'XETR', city: 'Frankfurt' }, { mic: 'XPAR', city: 'Paris' }, { mic: 'XEUR', city: 'Frankfurt' }, { mic: 'XTKS', city: 'Tokyo' }, { mic: 'XHKG', city: 'Hong Kong' }];
  const book = new Map([
    ['XETR', [window(8, 16.5)]], ['XEUR', [window(8, 16.5)]], ['XPAR', [window(8, 16.5, 'half day')]], ['XTKS', [window(0, 2.5), window(3.5, 6)]], ['XHKG', [window(25.5, 28), window(29, 32)]],
  ]);
  const made = groups(exchanges, book, span);
  expect(made.map(({ cities }) => cities)).toEqual([['Frankfurt', 'Paris'], ['Tokyo'], ['Hong Kong']]);
  expect(made[0]).toMatchObject({ mics: ['XETR', 'XPAR', 'XEUR'], notes: ['half day'] });
  expect(made[1]?.boxes).toHaveLength(1); // Tokyo's morning lies before the span
  expect(made[2]?.boxes).toHaveLength(1); // Hong Kong's afternoon after it
  for (const box of made.flatMap((group) => group.boxes)) {
    expect(box.left).toBeGreaterThanOrEqual(0);
    expect(box.left + box.width).toBeLessThanOrEqual(100.0001);
  }
});

test('names shorten to the room of their box, with what is special about the day', () => {
  const exchanges = ['Frankfurt', 'London', 'Lisbon'].map(city);
  const book = new Map(exchanges.map(({ mic }) => [mic, [window(8, 16, 'half day')]]));
  const name = (charPercent: number) => place(groups(exchanges, book, span), charPercent)[0]?.names[0]?.text;
  expect(name(0.1)).toBe('Frankfurt, London, Lisbon (half day)');
  expect(name(1)).toBe('Frankfurt, London +1 (half day)');
  expect(name(1.3)).toBe('Frankfurt +2 (half day)');
  expect(name(5)).toBe('Frankfurt (half day)');
});

test('a session of another day is named again where it has the room, the afternoon of the same day is not', () => {
  const [tokyo] = place(groups([city('Tokyo')], new Map([['Tokyo', [window(5, 8.5), window(9.5, 12), window(24, 29)]]]), span), 0.5);
  expect(tokyo?.names.map(({ left }) => Math.round(left))).toEqual([0, 79]); // not again at 19, after lunch
});

test('no name runs into another group, a box or the edge, whatever the hours', () => {
  const hours = fc.tuple(fc.integer({ min: 0, max: 27 }), fc.integer({ min: 1, max: 10 })).map(([open, length]) => [open, open + length] as const);
  fc.assert(fc.property(fc.array(hours, { minLength: 1, maxLength: 8 }), fc.double({ min: 0.2, max: 2, noNaN: true }), (days, charPercent) => {
    const exchanges = days.map((_, index) => city(`City ${index}`));
    const made = place(groups(exchanges, new Map(days.map(([open, close], index) => [`City ${index}`, [window(open, close)]])), span), charPercent);
    const texts = made.flatMap((group) => group.names.map(({ text, left }) => ({ group, left, end: left + (text.length + 1.5) * charPercent })));
    for (const { left, end } of texts) expect(left >= 0 && end <= 100.0001).toBe(true);
    for (const a of texts) {
      for (const b of made) {
        if (a.group.key === b.key || a.group.row !== b.row || b.names.length === 0) continue;
        for (const box of b.boxes) expect(box.left >= a.end || box.left + box.width <= a.left).toBe(true);
      }
      for (const b of texts) if (a !== b && a.group.row === b.group.row) expect(b.left >= a.end || b.end <= a.left).toBe(true);
    }
    for (const group of made) expect(group.row).toBeLessThan(MAX_ROWS);
  }));
});

test('who has no session in these hours is named, with its next open', () => {
  const exchanges = ['Tokyo', 'London', 'Sydney'].map(city);
  const book = new Map([['Tokyo', [window(48, 54)]], ['London', [window(8, 16)]]]);
  expect(absent(exchanges, book, span)).toEqual([{ city: 'Tokyo', opens: at(48), own: false }]); // Sydney's hours are not known yet
  const next = window(48, 54);
  expect(absent(exchanges, new Map([['Tokyo', [{ ...next, own: ['2019-11-06'] }]]]), span)).toEqual([{ city: 'Tokyo', opens: at(48), own: true }]);
  expect(absent(exchanges, new Map([['Tokyo', [{ ...next, unknownBefore: true }]]]), span)).toEqual([{ city: 'Tokyo', opens: null, own: false }]);
});
