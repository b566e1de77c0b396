import { expect, test, vi } from 'vitest';
import type { Message } from '../../../shared/channels.ts';
import { createOutgoing, faultLog } from '../../../electron/desk/outgoing.ts';
import { quoteView } from '../../fixtures/fakeDesk.ts';

const data = { kind: 'changes', quotes: [quoteView('SPX')] } as const;
const message = (sequence: number, given: unknown = data): Message => ({ channel: 'quotes', sequence, data: given }) as Message;

test('the wire text is the message, whoever it goes to', () => {
  const outgoing = createOutgoing(() => {});
  for (const sequence of [0, 7]) expect(JSON.parse(outgoing.text(message(sequence)))).toEqual(message(sequence));
});

test('one data object is checked and written out once for all viewers', () => {
  const outgoing = createOutgoing(() => {});
  const stringify = vi.spyOn(JSON, 'stringify');
  for (let viewer = 0; viewer < 5; viewer++) outgoing.text(message(viewer));
  expect(stringify).toHaveBeenCalledOnce();
  stringify.mockRestore();
});

test('a malformed one is held back each time and reported once', () => {
  const faults: string[] = [];
  const outgoing = createOutgoing((fault) => void faults.push(fault.what));
  const bad = { kind: 'changes', quotes: [{ ...quoteView('SPX'), price: 'NaN' }] };
  expect([outgoing.passes(message(0, bad)), outgoing.passes(message(1, bad)), outgoing.passes(message(2))]).toEqual([false, false, true]);
  expect(faults).toEqual([expect.stringContaining('quotes.0.price')]);
});

test('the log tells each different fault once', () => {
  const lines: string[] = [];
  const log = faultLog((line) => void lines.push(line));
  for (const what of ['a', 'b', 'a']) log({ code: 'BAD_DATA', what, next: 'report it', retryable: false });
  expect(lines).toEqual(['frontrow: BAD_DATA: a; report it', 'frontrow: BAD_DATA: b; report it']);
});
