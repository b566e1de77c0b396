import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseSlot, isWriterName, leaseText, LONGEST_LEASE, parseLease, type SlotRow } from '../../../../electron/ingest/live/slotChoice.ts';

const held = (name: string, count = 0): string => leaseText({ kind: 'held', name, token: 't', count, leaseMs: 30_000 });
const row = (slot: number, text: string | null, seenMs = 0, changed = false): SlotRow => ({ slot, text, seenMs, changed });

describe('which slot', () => {
  test('its own, given back, before one that nobody had', () => {
    expect(chooseSlot('a', [row(1, null), row(2, 'free b'), row(3, 'free a')])).toEqual({ kind: 'take', slot: 3, text: 'free a' });
  });
  test('one that nobody had before another\'s, and another\'s before one that was left', () => {
    expect(chooseSlot('a', [row(1, held('b'), 30_000), row(2, 'free b'), row(3, null)])).toEqual({ kind: 'take', slot: 3, text: null });
    expect(chooseSlot('a', [row(1, held('b'), 30_000), row(2, 'free b')])).toEqual({ kind: 'take', slot: 2, text: 'free b' });
    expect(chooseSlot('a', [row(1, held('b'), 29_999), row(2, held('c'), 30_000)])).toEqual({ kind: 'take', slot: 2, text: held('c') });
  });
  test('its own lease that may live is waited for, though others are free; one that renews is another process\'s', () => {
    expect(chooseSlot('a', [row(1, null), row(2, held('a'), 10_000)])).toEqual({ kind: 'wait', ms: 20_000 });
    expect(chooseSlot('a', [row(1, null), row(2, held('a'), 30_000)])).toEqual({ kind: 'take', slot: 2, text: held('a') });
    expect(chooseSlot('a', [row(1, null), row(2, held('a', 8), 10, true)])).toEqual({ kind: 'take', slot: 1, text: null });
  });
  test('none: as long as the first could be over', () => {
    expect(chooseSlot('a', [row(1, held('b'), 10_000), row(2, held('c'), 29_000), row(3, 'what?', 1)])).toEqual({ kind: 'wait', ms: 1000 });
  });
  test('text that is no lease is left alone for as long as any lease may last', () => {
    expect(chooseSlot('a', [row(1, 'what?', LONGEST_LEASE - 1)])).toEqual({ kind: 'wait', ms: 1 });
    expect(chooseSlot('a', [row(1, 'what?', LONGEST_LEASE)])).toEqual({ kind: 'take', slot: 1, text: 'what?' });
  });
});

test('a lease comes back from its text; anything else is none', () => {
  fc.assert(fc.property(fc.stringMatching(/^[!-~]{1,64}$/), fc.stringMatching(/^[!-~]{1,64}$/), fc.nat(), fc.nat(LONGEST_LEASE), (name, token, count, leaseMs) => {
    expect(isWriterName(name)).toBe(true);
    for (const state of [{ kind: 'held', name, token, count, leaseMs }, { kind: 'free', name }] as const) expect(parseLease(leaseText(state))).toEqual(state);
  }));
  for (const text of ['', 'free', 'free a b', 'held a b', 'held a b -1 3', 'held a b 1 99999999', 'free \u0007', `free ${'x'.repeat(65)}`]) expect(parseLease(text)).toBe(undefined);
  // a lease for ever can't be claimed
  expect(parseLease('held a b 1 9999999')).toMatchObject({ leaseMs: LONGEST_LEASE });
});
