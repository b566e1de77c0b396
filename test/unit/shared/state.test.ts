import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decide, type Decision, stallLimit, type StateInput } from '../../../shared/state.ts';
import { phaseAt } from '../../../shared/sessions.ts';
import { type EpochMicros, micros, parseTime } from '../../../shared/time.ts';

const t = parseTime;
/** New York on Wednesday 2019-11-06: open 14:30Z to 21:00Z; the instant is ours, the event `ago` milliseconds before it. */
const NOON = t('2019-11-06T17:00:00Z');
const base: StateInput = {
  now: NOON, skewMs: null, clock: 'wall', speed: 1, mic: 'XNYS', delayMs: 0, event: NOON, futureRow: false, everRead: true, failures: 0, failure: null, pollMs: 1000, expectedMs: 2000,
};
const before = (time: EpochMicros, ms: number): EpochMicros => micros(time - BigInt(Math.round(ms * 1000)));
const after = (time: EpochMicros, ms: number): EpochMicros => before(time, -ms);
const given = (input: Partial<StateInput>): Decision => decide({ ...base, ...input });
/** A decision by age at noon. */
const aged = (ms: number, input: Partial<StateInput> = {}): Decision => given({ event: before(input.now ?? NOON, ms), ...input });
const told = ({ state, reason }: Decision): string => (reason === null ? state : `${state} (${reason})`);

describe('row 1: disconnected', () => {
  test('after two failed reads, with the reason; one failure changes nothing', () => {
    expect(told(given({ failures: 1, failure: 'store' }))).toBe('live');
    for (const failure of ['store', 'credentials', 'network', 'host'] as const) expect(told(given({ failures: 2, failure }))).toBe(`disconnected (${failure})`);
    expect(told(given({ failures: 2 }))).toBe('disconnected (store)');
  });

  test('before every other row: closed, nothing read, no row, no calendar', () => {
    for (const input of [{ now: t('2019-11-09T17:00:00Z') }, { everRead: false, event: null }, { event: null }, { mic: null }, { halted: true }, { futureRow: true }]) {
      expect(given({ ...input, failures: 2, failure: 'network' }).state).toBe('disconnected');
    }
  });

  test('the age goes on', () => expect(aged(60_000, { failures: 3 }).ageMs).toBe(60_000));
});

describe('rows 2 and 3: nodata', () => {
  test('nothing read yet', () => expect(told(given({ everRead: false, event: null }))).toBe('nodata (connecting)'));
  test('no row at or before now + 5 s, closed markets too', () => {
    expect(given({ event: null })).toMatchObject({ state: 'nodata', reason: 'empty', ageMs: null });
    expect(told(given({ event: null, now: t('2019-11-09T17:00:00Z') }))).toBe('nodata (empty)');
    expect(given({ event: null, futureRow: true }).flags).toContain('future');
  });
});

describe('row 4: no calendar', () => {
  test.each([[0, 'live'], [2000, 'live'], [2000.001, 'quiet'], [6000, 'quiet'], [6000.001, 'stalled'], [86_400_000, 'stalled']])('by age alone: %d ms is %s', (ms, state) => {
    for (const now of [NOON, t('2019-11-09T17:00:00Z')]) expect(aged(ms, { mic: null, now })).toMatchObject({ state, reason: null, phase: 'unknown', flags: ['no-calendar'], nextOpen: null });
  });

  test('a date outside the calendar of a known exchange is no closed market', () => {
    const now = t('2027-01-02T12:00:00Z'); // a Saturday after Shanghai's last known date
    expect(aged(1000, { mic: 'XSHG', now })).toMatchObject({ state: 'live', phase: 'unknown', flags: ['no-calendar'] });
    expect(aged(60_000, { mic: 'XSHG', now }).state).toBe('stalled');
  });

  test('a session at unverified times neither', () => expect(aged(1000, { mic: 'XNSE', now: t('2026-11-08T13:00:00Z') }).state).toBe('live'));
});

describe('row 5: a print after the close or the start of lunch', () => {
  const close = t('2019-11-06T21:00:00Z');
  test('the close itself settles: a session ends before it', () => {
    expect(given({ now: after(close, 1000), event: close })).toMatchObject({ state: 'closed', reason: 'settling', flags: ['settling'], phase: 'closed' });
    expect(given({ now: after(close, 1000), event: before(close, 0.001) })).toMatchObject({ state: 'closed', reason: 'night', flags: [] });
  });

  test('settling up to 30 minutes after, out of session later', () => {
    const half = after(close, 30 * 60_000);
    expect(told(given({ now: half, event: half }))).toBe('closed (settling)');
    expect(given({ now: after(half, 0.001), event: after(half, 0.001) })).toMatchObject({ state: 'closed', reason: 'night', flags: ['out-of-session'] });
  });

  test('settling ends with the half hour, at the instant that was announced; the next morning nothing is left of it', () => {
    const event = after(close, 600_000);
    const last = after(close, 30 * 60_000);
    const settling = given({ now: last, event });
    expect(settling).toMatchObject({ state: 'closed', reason: 'settling', flags: ['settling'], nextChange: after(last, 0.001) });
    expect(given({ now: settling.nextChange ?? last, event })).toMatchObject({ state: 'closed', reason: 'night', flags: [] });
    expect(given({ now: t('2019-11-07T14:20:00Z'), event })).toMatchObject({ state: 'closed', flags: [] });
  });

  test('at lunch', () => {
    const lunch = t('2019-11-06T02:30:00Z');
    expect(given({ mic: 'XTKS', now: after(lunch, 300_000), event: after(lunch, 299_000) })).toMatchObject({ state: 'closed', reason: 'settling', phase: 'lunch', flags: ['settling'] });
    expect(given({ mic: 'XTKS', now: after(lunch, 2_400_000), event: after(lunch, 2_399_000) })).toMatchObject({ state: 'closed', reason: 'lunch', flags: ['out-of-session'] });
  });

  test('on a weekend', () => expect(aged(1000, { now: t('2019-11-09T17:00:00Z') })).toMatchObject({ state: 'closed', reason: 'weekend', flags: ['out-of-session'] }));
});

describe('row 6: a pre-open print', () => {
  test('NIFTY at 09:07', () => {
    const now = t('2019-01-02T03:38:00Z');
    expect(given({ mic: 'XNSE', now, event: t('2019-01-02T03:37:00Z') })).toMatchObject({ state: 'closed', reason: 'pre-open', phase: 'pre-open', flags: [] });
    expect(given({ mic: 'XNSE', now, event: t('2019-01-01T09:59:00Z') })).toMatchObject({ state: 'closed', reason: 'pre-open', phase: 'pre-open' });
  });

  test('another exchange within the hour before its first open, out of session earlier', () => {
    const now = t('2019-11-06T14:00:00Z');
    expect(given({ now, event: t('2019-11-06T13:30:00Z') })).toMatchObject({ state: 'closed', reason: 'pre-open', phase: 'pre-open', flags: [] });
    expect(given({ now, event: before(t('2019-11-06T13:30:00Z'), 0.001) })).toMatchObject({ state: 'closed', reason: 'night', flags: ['out-of-session'] });
  });

  test('never at lunch', () => {
    expect(given({ mic: 'XTKS', now: t('2019-11-06T03:29:00Z'), event: t('2019-11-06T03:28:00Z') })).toMatchObject({ reason: 'lunch', flags: ['out-of-session'] });
  });
});

describe('row 7: a scheduled auction', () => {
  test('is quiet however old the print', () => {
    for (const ms of [0, 100_000, 86_400_000]) expect(aged(ms, { mic: 'XLON', now: t('2026-11-30T12:01:00Z') })).toMatchObject({ state: 'quiet', reason: 'auction', phase: 'auction' });
    expect(aged(90_000, { mic: 'XLON', now: t('2026-11-30T11:59:59Z') }).state).toBe('stalled');
  });
});

describe('row 8: closed', () => {
  test.each([
    ['XNYS', '2019-11-09T17:00:00Z', 'weekend', '2019-11-11T14:30:00Z'], ['XNYS', '2019-11-28T17:00:00Z', 'holiday', '2019-11-29T14:30:00Z'],
    ['XTKS', '2019-11-06T03:00:00Z', 'lunch', '2019-11-06T03:30:00Z'], ['XNYS', '2019-11-29T18:00:00Z', 'early-close', '2019-12-02T14:30:00Z'],
    ['XKRX', '2026-11-19T00:30:00Z', 'late-open', '2026-11-19T01:00:00Z'], ['XCBO', '2019-11-06T14:20:00Z', 'between-sessions', '2019-11-06T14:30:00Z'],
    ['XNYS', '2019-11-06T14:29:59.999999Z', 'night', '2019-11-06T14:30:00Z'],
  ])('%s at %s: %s, next open %s', (mic, now, reason, nextOpen) => {
    const decision = given({ mic, now: t(now), event: t('2019-10-31T19:00:00Z') });
    expect(decision).toMatchObject({ state: 'closed', reason, flags: [], nextOpen: t(nextOpen) });
    expect(decision.phase).toBe(reason === 'lunch' ? 'lunch' : 'closed');
  });

  test('before a halt', () => expect(told(given({ halted: true, now: t('2019-11-09T17:00:00Z'), event: t('2019-11-08T20:59:59Z') }))).toBe('closed (weekend)'));
  test('an open market has no next open', () => expect(given({}).nextOpen).toBeNull());
});

describe('row 9: halted', () => {
  test('by a mark only; silence alone is stalled', () => {
    expect(told(aged(600_000, { halted: true }))).toBe('quiet (halted)');
    expect(told(aged(0, { halted: true }))).toBe('quiet (halted)');
    expect(told(aged(600_000))).toBe('stalled');
    expect(told(aged(600_000, { now: t('2015-07-08T16:00:00Z') }))).toBe('stalled'); // NYSE's known halt says nothing by itself
  });
});

describe('rows 10 to 12: open', () => {
  test.each([
    [-5000, 'live'], [0, 'live'], [2000, 'live'], [2000.001, 'quiet'], [6000, 'quiet'], [6000.001, 'stalled'], [3_600_000, 'stalled'],
  ])('an age of %d ms is %s', (ms, state) => expect(aged(ms)).toMatchObject({ state, reason: null, phase: 'open', flags: [], ageMs: ms === 2000.001 || ms === 6000.001 ? Math.floor(ms) : ms }));

  test('the first event makes it live at once, inside the grace too', () => {
    const open = t('2019-11-06T14:30:00Z');
    expect(told(given({ now: open, event: open }))).toBe('live');
    expect(told(given({ now: after(open, 29_000), event: after(open, 1000) }))).toBe('live');
  });

  test('the open grace: awaiting the first event, then stalled a limit later', () => {
    const open = t('2019-11-06T14:30:00Z');
    const event = t('2019-11-05T20:59:59Z');
    expect(told(given({ now: before(open, 0.001), event }))).toBe('closed (night)');
    for (const ms of [0, 30_000, 36_000]) expect(told(given({ now: after(open, ms), event }))).toBe('quiet (awaiting-open)');
    expect(told(given({ now: after(open, 36_000.001), event }))).toBe('stalled');
    expect(told(given({ now: after(open, 16_000.001), event, graceMs: 10_000 }))).toBe('stalled');
  });

  test('an event of the morning does not count after lunch', () => {
    expect(told(given({ mic: 'XTKS', now: t('2019-11-06T03:30:10Z'), event: t('2019-11-06T02:29:59Z') }))).toBe('quiet (awaiting-open)');
    expect(told(given({ mic: 'XTKS', now: t('2019-11-06T03:31:00Z'), event: t('2019-11-06T02:29:59Z') }))).toBe('stalled');
  });

  test('a pre-open print does not count as the first', () => {
    expect(told(given({ mic: 'XNSE', now: t('2019-01-02T03:45:10Z'), event: t('2019-01-02T03:37:00Z') }))).toBe('quiet (awaiting-open)');
  });
});

describe('the stall limit', () => {
  test.each([
    [{ pollMs: 1000, expectedMs: null }, 6000], [{ pollMs: 1000, expectedMs: 200 }, 5000], [{ pollMs: 10_000, expectedMs: 200 }, 30_000], [{ pollMs: 1000, expectedMs: 20_000 }, 60_000],
    [{ pollMs: 1000, expectedMs: 20_000, stallMs: 7000 }, 7000],
    [{ pollMs: 1000, expectedMs: 200, clock: 'replay', speed: 10 }, 30_000], [{ pollMs: 1000, expectedMs: 20_000, clock: 'replay', speed: 10 }, 60_000],
    [{ pollMs: 1000, expectedMs: 200, clock: 'replay', speed: 0 }, 180_000], [{ pollMs: 1000, expectedMs: 200, clock: 'wall', speed: 10 }, 5000],
    [{ pollMs: 1000, expectedMs: 200, stallMs: 7000, clock: 'replay', speed: 60 }, 180_000],
  ] as const)('of %j is %d ms', (input, limit) => {
    expect(stallLimit({ ...base, ...input })).toBe(limit);
    expect(given(input).stallMs).toBe(limit);
  });

  test('decides on the replay clock', () => {
    expect(aged(30_000, { clock: 'replay', speed: 10 }).state).toBe('quiet');
    expect(aged(30_000.001, { clock: 'replay', speed: 10 }).state).toBe('stalled');
  });

  test('the expected interval is 2 s until it is learned', () => expect([aged(2000, { expectedMs: null }).state, aged(2000.001, { expectedMs: null }).state]).toEqual(['live', 'quiet']));
});

describe('delayed feeds', () => {
  const delayMs = 900_000;
  test('age is judged less the delay, shown in full', () => {
    expect(aged(901_000, { delayMs })).toMatchObject({ state: 'live', ageMs: 901_000, flags: ['delayed'] });
    expect(aged(906_000, { delayMs }).state).toBe('quiet');
    expect(aged(906_000.001, { delayMs }).state).toBe('stalled');
  });

  test('sessions open and close later by it', () => {
    expect(told(given({ delayMs, now: t('2019-11-06T14:44:59Z'), event: t('2019-11-05T20:59:59Z') }))).toBe('closed (night)');
    expect(told(given({ delayMs, now: t('2019-11-06T14:45:00Z'), event: t('2019-11-05T20:59:59Z') }))).toBe('quiet (awaiting-open)');
    expect(told(given({ delayMs, now: t('2019-11-06T21:14:59Z'), event: t('2019-11-06T20:59:59Z') }))).toBe('live');
    expect(told(given({ delayMs, now: t('2019-11-06T21:15:30Z'), event: t('2019-11-06T20:59:59Z') }))).toBe('closed (night)');
    expect(told(given({ delayMs, now: t('2019-11-06T21:15:30Z'), event: t('2019-11-06T21:00:10Z') }))).toBe('closed (settling)');
  });
});

describe('skew and future rows', () => {
  test('a desk ten minutes off sees the same states', () => {
    for (const skewMs of [600_000, -600_000]) for (const ms of [0, 3000, 8000]) {
      const off = given({ now: after(NOON, skewMs), event: before(NOON, ms), skewMs });
      expect(off).toMatchObject({ state: aged(ms).state, ageMs: ms, flags: ['skew'] });
    }
    expect(given({ now: after(t('2019-11-06T20:55:00Z'), 600_000), event: t('2019-11-06T20:55:00Z'), skewMs: 600_000 }).state).toBe('live');
  });

  test('is flagged over 2 s either way, unknown corrects nothing', () => {
    expect([2000, -2000, 0].flatMap((skewMs) => given({ skewMs }).flags)).toEqual([]);
    expect([2000.5, -2000.5].flatMap((skewMs) => given({ skewMs }).flags)).toEqual(['skew', 'skew']);
    expect(aged(600_000, { skewMs: null }).flags).toEqual([]);
  });

  test('beside a future row nothing is live while the skew is unknown', () => {
    expect(aged(0, { futureRow: true })).toMatchObject({ state: 'quiet', reason: 'future', flags: ['future'] });
    expect(aged(0, { futureRow: true, skewMs: 100 })).toMatchObject({ state: 'live', flags: ['future'] });
    expect(aged(0, { futureRow: true, mic: null }).state).toBe('quiet');
  });
});

test('flags of clock, correction and deletion', () => {
  expect(given({ clock: 'replay', speed: 10, corrected: true, delayMs: 1 }).flags).toEqual(['delayed', 'replay', 'corrected']);
  expect(given({ clock: 'test', deleted: true }).flags).toEqual(['test-clock', 'deleted']);
  expect(given({ corrected: false, deleted: false, halted: false }).flags).toEqual([]);
});

describe('laws', () => {
  const mic = fc.constantFrom(null, 'XNYS', 'XTKS', 'XCBO', 'XNSE', 'XLON', 'BVMF', 'XSHG');
  const now = fc.bigInt({ min: t('2026-10-01'), max: t('2027-01-10') }).map(micros);
  const ageUs = fc.oneof(fc.bigInt({ min: -5_000_000n, max: 20_000_000n }), fc.bigInt({ min: 0n, max: 5n * 86_400_000_000n }));
  const input = fc.record({
    now, mic, ageUs,
    skewMs: fc.constantFrom(null, 0, 1500, -600_000, 600_000), clock: fc.constantFrom('wall', 'test', 'replay'), speed: fc.constantFrom(0, 1, 10), delayMs: fc.constantFrom(0, 900_000),
    hasEvent: fc.boolean(), futureRow: fc.boolean(), everRead: fc.boolean(), failures: fc.nat(3), failure: fc.constantFrom(null, 'store', 'network'),
    pollMs: fc.constantFrom(100, 1000, 60_000), expectedMs: fc.constantFrom(null, 200, 15_000), halted: fc.boolean(),
  } as const).map(({ ageUs: age, hasEvent, ...rest }): StateInput => ({ ...rest, event: hasEvent ? micros(rest.now - age) : null }));
  const sound = input.map((made): StateInput => ({ ...made, everRead: true, failures: 0, event: made.event ?? made.now }));
  const check = (run: (made: StateInput, decision: Decision) => void, from = input): void => {
    fc.assert(fc.property(from, (made) => {
      run(made, decide(made));
    }), { numRuns: 600 });
  };
  const trueNow = ({ now: desk, skewMs }: StateInput): EpochMicros => before(desk, skewMs ?? 0);

  test('nothing looks live after failed reads, without a read or without a row', () =>
    check((made, { state }) => {
      if (made.failures >= 2) expect(state).toBe('disconnected');
      else if (!made.everRead || made.event === null) expect(state).toBe('nodata');
      else expect(['live', 'quiet', 'stalled', 'closed']).toContain(state);
    }));

  test('live only in an open market (or without a calendar), not halted, not beside an unexplained future row', () =>
    check((made, { state }) => {
      if (state !== 'live') return;
      expect(['open', 'unknown']).toContain(phaseAt(made.mic, trueNow(made), made.delayMs).kind);
      expect(made.futureRow && made.skewMs === null).toBe(false);
      if (phaseAt(made.mic, trueNow(made), made.delayMs).kind === 'open') expect(made.halted).toBe(false);
    }, sound));

  test('closed exactly when the calendar says so; every closed value says why', () =>
    check((made, { state, reason }) => {
      const closed = ['closed', 'lunch', 'pre-open'].includes(phaseAt(made.mic, trueNow(made), made.delayMs).kind);
      expect(state === 'closed').toBe(closed);
      if (closed) expect(reason).not.toBeNull();
    }, sound));

  test('an older event is never fresher: live, quiet, stalled', () =>
    fc.assert(fc.property(sound, ageUs, ageUs, (made, a, b) => {
      const [younger, older] = a < b ? [a, b] : [b, a];
      const rank = ['live', 'quiet', 'stalled'];
      const of = (age: bigint): number => rank.indexOf(decide({ ...made, event: micros(trueNow(made) - age) }).state);
      expect(of(younger)).toBeLessThanOrEqual(of(older));
    }), { numRuns: 600 }));

  test('the age shown is desk time less skew less event time', () =>
    check((made, { ageMs }) => expect(ageMs).toBe(made.event === null ? null : Number(trueNow(made) - made.event - (((trueNow(made) - made.event) % 1000n) + 1000n) % 1000n) / 1000)));

  test('nothing changes by time alone before the instant it names', () =>
    fc.assert(fc.property(input, fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), (made, share) => {
      const decision = decide(made);
      const { nextChange } = decision;
      const span = nextChange === null ? 3_600_000_000n : nextChange - made.now;
      expect(span > 0n).toBe(true);
      for (const later of [made.now + BigInt(Math.floor(Number(span) * share)), made.now + span - 1n]) {
        const then = decide({ ...made, now: micros(later) });
        expect({ ...then, ageMs: null }).toEqual({ ...decision, ageMs: null });
      }
    }), { numRuns: 600 }));

  test('it names the instant of falling quiet and of stalling to the microsecond', () => {
    const live = given({});
    expect(live.nextChange).toBe(NOON + 2_000_001n);
    const quiet = given({ now: live.nextChange! });
    expect([quiet.state, quiet.nextChange]).toEqual(['quiet', NOON + 6_000_001n]);
    expect(given({ now: quiet.nextChange! }).state).toBe('stalled');
    expect(given({ now: after(NOON, 600_000), skewMs: 600_000 }).nextChange).toBe(NOON + 602_000_001n); // in desk time
  });
});
