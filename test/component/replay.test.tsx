import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { fieldInstant, fieldText, instantIn, secondsIn, spanOf } from '../../renderer/replay/replayTimes.ts';
import { parseTime } from '../../shared/time.ts';
import { mountPage } from './mountPage.tsx';
import { violations } from './violations.ts';

const bar = (): HTMLElement | null => document.querySelector('.replay-bar');
const find = (label: string): HTMLElement => bar()?.querySelector<HTMLElement>(`[aria-label="${label}"]`) ?? expect.fail(`no ${label}`);
const live = (): HTMLButtonElement => bar()?.querySelector<HTMLButtonElement>('.replay-live') ?? expect.fail('no way to live');
const clocks = (asked: readonly { readonly name: string; readonly request: unknown }[]): unknown[] => asked.filter(({ name }) => name === 'clock').map(({ request }) => request);

test('from a live desk: hidden until asked for; field, step, space, speed, and back to live, by keyboard', async () => {
  const { market, handles } = await mountPage({ clock: 'wall', stored: { index: 'SPX' } });
  await expect.poll(() => document.querySelector('[data-index="SPX"]') !== null).toBe(true);
  expect(bar()).toBeNull();
  expect(document.querySelector('.clock-mark')).toBeNull();
  await userEvent.keyboard('{Alt>}j{/Alt}');
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Date and time in America/New_York');
  expect(live().disabled).toBe(true);
  await userEvent.fill(find('Date and time in America/New_York'), '2019-11-05T10:59:14');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => clocks(market.asked)).toEqual([{ atMicros: String(parseTime('2019-11-05T15:59:14Z')) }]);
  await expect.poll(() => document.querySelector('.clock-mark')?.textContent).toContain('REPLAY');
  await expect.poll(() => document.title).toContain('REPLAY');
  expect(live().disabled).toBe(false);
  expect(find('Instant shown').getAttribute('aria-valuetext')).toMatch(/Nov.*2019.*10:59:14/);
  await expect.poll(() => bar()?.querySelector('output')?.textContent).toMatch(/paused at .*10:59:14/);
  // the field has let go of the keys
  await userEvent.keyboard('{Alt>}.{/Alt}');
  await userEvent.keyboard(' ');
  await expect.poll(() => handles.desk.beat.get()?.paused).toBe(false);
  await userEvent.selectOptions(find('Speed'), '600');
  await expect.poll(() => handles.desk.beat.get()?.speed).toBe(600);
  // on a button the space bar presses it, and nothing else
  find('One minute back').focus();
  await userEvent.keyboard(' ');
  await expect.poll(() => clocks(market.asked).at(-1)).toEqual({ step: { by: 'minute', index: 'SPX', back: true } });
  expect(clocks(market.asked).slice(1, 4)).toEqual([{ step: { by: 'tick', index: 'SPX', back: false } }, { paused: false }, { speed: 600 }]);
  await userEvent.keyboard('{Alt>}l{/Alt}');
  await expect.poll(() => document.querySelector('.clock-mark')).toBeNull();
  await userEvent.keyboard('{Alt>}r{/Alt}');
  expect(bar()).toBeNull();
});

test('the scrubber asks for the instant where it comes to rest; what another page does is told; refusals are shown', async () => {
  const { market, handles } = await mountPage({ clock: 'wall', stored: { index: 'SPX' } });
  handles.replay.open.set(true);
  await expect.poll(() => bar() !== null && (handles.desk.beat.get() !== null)).toBe(true);
  find('Instant shown').focus();
  await userEvent.keyboard('{PageDown}{ArrowLeft}{ArrowLeft}');
  await expect.poll(() => clocks(market.asked).length, { timeout: 3000 }).toBe(1);
  const [{ atMicros }] = clocks(market.asked) as [{ atMicros: string }];
  const back = Number(parseTime('2019-11-06T14:41:07Z') - BigInt(atMicros)) / 1e6;
  expect([back >= 3715, back <= 3725]).toEqual([true, true]);
  await expect.poll(() => handles.desk.beat.get()?.live?.kind).toBe('wall');
  expect(document.querySelector('.notice')).toBeNull();
  market.beat({ turn: 9, paused: false, speed: 5, chosenSpeed: 5 });
  await expect.poll(() => document.querySelector('.notice')?.textContent).toContain('Another page');
  market.refuse('clock', { code: 'BAD_INPUT', what: 'this host keeps its clock', next: 'ask who runs it', retryable: false });
  find('One tick back').click();
  await expect.poll(() => bar()?.querySelector('.replay-note')?.textContent).toContain('keeps its clock');
});

for (const theme of ['dark', 'light']) {
  for (const size of ['wide', 'narrow'] as const) {
    test(`open, ${theme}, ${size}: no violations, nothing beyond the window`, async () => {
      const { handles } = await mountPage({ stored: { theme, index: 'SPX' }, size });
      await expect.poll(() => document.querySelector('[data-index="SPX"]') !== null).toBe(true);
      handles.replay.open.set(true);
      await expect.poll(() => bar() !== null).toBe(true);
      await handles.replay.ask({ atMicros: String(parseTime('2019-11-05T15:59:14Z')) });
      await expect.poll(() => live().disabled).toBe(false);
      expect(await violations()).toEqual([]);
      expect([document.documentElement.scrollWidth <= innerWidth, document.documentElement.scrollHeight <= innerHeight]).toEqual([true, true]);
    });
  }
}

test('instants: the field and the slider count as the zone does, also where its clock jumps', () => {
  const zone = 'America/New_York';
  for (const [text, iso] of [['2019-11-06T10:59:14', '2019-11-06T15:59:14Z'], ['2019-11-03T01:30:00', '2019-11-03T05:30:00Z'], ['2019-03-10T02:30:00', '2019-03-10T07:00:00Z']] as const) expect(fieldInstant(zone, text)).toBe(parseTime(iso));
  for (const text of ['', '2019-02-30T10:00', '2019-11-06T24:00', 'x']) expect(fieldInstant(zone, text)).toBeNull();
  const now = parseTime('2019-11-06T15:59:14Z');
  expect(fieldText(zone, now)).toBe('2019-11-06T10:59:14');
  const span = spanOf('day', now, parseTime('2026-01-01T00:00:00Z'), zone, null);
  expect([span.from, span.to]).toEqual([parseTime('2019-11-06T05:00:00Z'), parseTime('2019-11-07T05:00:00Z')]);
  expect(instantIn(span, secondsIn(span, now))).toBe(now);
  expect(spanOf('day', now, now, zone, null).to).toBe(now);
});
