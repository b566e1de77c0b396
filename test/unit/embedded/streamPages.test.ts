import { expect, test } from 'vitest';
import { streamPages } from '../../../electron/embedded/streamPages.ts';

/** A call's stream that takes `room` messages before it is full. */
class Call {
  cancelled = false;
  ended = false;
  written = 0;
  room: number;
  constructor(room = Infinity) {
    this.room = room;
  }
  go: () => void = () => {};
  async drained(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.go = resolve;
    });
  }
  write(): boolean {
    this.written++;
    return --this.room > 0;
  }
  end(): void {
    this.ended = true;
  }
}
const pages = (count: number): { next: () => { messages: Buffer[]; done: boolean }; made: () => number } => {
  let made = 0;
  return { next: () => ({ messages: [Buffer.from('x')], done: ++made >= count }), made: () => made };
};
const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
};
const stream = (call: Call, next: () => { messages: Buffer[]; done: boolean }): Promise<void> => streamPages(call, next);

test('all pages, then the end', async () => {
  const call = new Call();
  await stream(call, pages(5).next);
  expect([call.written, call.ended]).toEqual([5, true]);
});

test('cancelling stops the scan', async () => {
  const call = new Call();
  const { next, made } = pages(1000);
  const done = stream(call, next);
  await turns(3);
  call.cancelled = true;
  await done;
  const before = made();
  await turns(10);
  expect(made()).toBe(before);
  expect(before).toBeLessThan(20);
  expect(call.ended).toBe(false);
});

test('a full stream holds the scan up until it drains, or is cancelled', async () => {
  const call = new Call(3);
  const { next, made } = pages(1000);
  const done = stream(call, next);
  await turns(20);
  expect(made()).toBe(3);
  call.room = 4;
  call.go();
  await turns(20);
  expect(made()).toBe(7);
  call.cancelled = true;
  call.go();
  await done;
  expect(made()).toBe(7);
});
