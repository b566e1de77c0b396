import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inLanes } from '../../../shared/lanes.ts';
import { failed, ok, problem } from '../../../shared/result.ts';

const turns = async (count: number): Promise<void> => { for (let turn = 0; turn < count; turn += 1) await Promise.resolve(); };

test('all is done once, never more at a time than allowed, answers in order', () =>
  fc.assert(fc.asyncProperty(fc.array(fc.nat(6), { maxLength: 20 }), fc.integer({ min: 1, max: 5 }), async (waits, most) => {
    let [running, busiest] = [0, 0];
    const result = await inLanes([...waits.entries()], most, async ([at, wait]) => {
      running += 1;
      busiest = Math.max(busiest, running);
      await turns(wait);
      running -= 1;
      return ok(at);
    });
    expect(result).toEqual(ok(waits.map((_, at) => at)));
    expect(busiest).toBe(Math.min(most, waits.length));
  })));

test('the first failure is the answer, and nothing begins after it', async () => {
  const begun: number[] = [];
  const result = await inLanes([0, 1, 2, 3, 4, 5], 2, async (item) => {
    begun.push(item);
    await turns(item === 0 ? 9 : 1);
    return item === 2 ? failed(problem('INTERNAL', 'two', 'no')) : ok(item);
  });
  expect(result).toMatchObject({ ok: false, error: { what: 'two' } });
  expect(begun).toEqual([0, 1, 2]);
});
