/** A lease on two clocks that the test sets, over one row in memory. Real stores: test/integration/bigtable/conditional.test.ts. */
import { expect, test } from 'vitest';
import type { Conditional } from '../../../../electron/bigtable/conditional.ts';
import type { Reader, Row } from '../../../../electron/bigtable/reader.ts';
import { type Lease, takeLease } from '../../../../electron/ingest/live/lease.ts';
import { failed, ok, problem } from '../../../../shared/result.ts';

function scene() {
  const rows = new Map<string, string>();
  let [elapsed, wall, away] = [1000, 1_700_000_000_000, false];
  const sleepers: { at: number; wake: () => void }[] = [];
  const gone = problem('STORE_UNREACHABLE', 'gone', 'wait', true);
  const reader: Reader = {
    read: ({ ranges }) => Promise.resolve(away ? { ok: false, error: gone, rows: [], scannedTo: null, elapsedMs: 0 } : { ok: true, elapsedMs: 0, rows: ranges.flatMap(({ start }): Row[] => {
      const text = rows.get(start);
      return text === undefined ? [] : [{ key: start, cells: new Map([['m:l', { value: Buffer.from(text), version: 0n }]]) }];
    }) }),
    renew() {},
    close: () => Promise.resolve(),
  };
  const conditional: Conditional = {
    check(key, { from }, then, otherwise) {
      if (away) return Promise.resolve(failed(gone));
      const held = from === undefined ? rows.has(key) : rows.get(key) === from;
      const change = held ? then : otherwise;
      if (change && change.kind !== 'delete') rows.set(key, change.cells[0]?.value ?? '');
      return Promise.resolve(ok(held));
    },
    close: () => Promise.resolve(),
  };
  const settle = async (): Promise<void> => { for (let i = 0; i < 30; i += 1) await Promise.resolve(); };
  return {
    rows,
    take: (name: string, token: string) => takeLease({
      reader, conditional, name, token, elapsed: () => elapsed, machineMillis: () => wall,
      sleep: (ms, signal) => new Promise((resolve) => {
        signal?.addEventListener('abort', () => resolve(), { once: true });
        sleepers.push({ at: elapsed + ms, wake: resolve });
      }),
    }),
    away: (is: boolean): void => { away = is; },
    jump: (ms: number): void => { wall += ms; },
    /** Both clocks go on in small steps; whoever's time has come wakes. */
    async pass(ms: number): Promise<void> {
      await settle();
      for (const end = elapsed + ms; elapsed < end;) {
        elapsed += 50;
        wall += 50;
        for (const sleeper of sleepers.filter(({ at }) => at <= elapsed)) {
          sleepers.splice(sleepers.indexOf(sleeper), 1);
          sleeper.wake();
        }
        await settle();
      }
    },
  };
}

async function settled(promise: Promise<unknown>): Promise<boolean> {
  let done = false;
  void promise.finally(() => { done = true; });
  for (let i = 0; i < 30; i += 1) await Promise.resolve();
  return done;
}
const got = (lease: Awaited<ReturnType<typeof takeLease>>): Lease => (lease.ok ? lease.value : expect.fail(lease.error.what));

test('renewed, it stands; while the store is away writes wait before it could be over, and go on if nobody took it', async () => {
  const { take, pass, away, rows } = scene();
  const lease = got(await take('w', 't'));
  await pass(100_000);
  expect(await lease.standing()).toEqual({ ok: true, value: null });
  away(true);
  await pass(4000);
  expect(await settled(lease.standing())).toBe(true);
  await pass(6000); // 30 s less the 21 s that a write may take, from the last renewal on
  const waiting = lease.standing();
  expect(await settled(waiting)).toBe(false);
  await pass(60_000);
  expect(await settled(waiting)).toBe(false);
  expect(lease.stands()).toBe(false);
  const limit = new AbortController();
  const impatient = lease.standing(limit.signal);
  limit.abort();
  expect(await impatient).toMatchObject({ ok: false, error: { code: 'STORE_TIMEOUT', retryable: true } });
  expect(await settled(waiting)).toBe(false);
  away(false);
  await pass(1000);
  expect(await waiting).toEqual({ ok: true, value: null });
  await lease.release();
  expect([...rows]).toEqual([['!writer#1', 'free w']]);
});

test.each([['forward by an hour', 3_600_000, false], ['back by an hour', -3_600_000, true]])('after a wall clock\'s step %s, as after a machine\'s sleep, the store is asked first where time may have passed', async (_, ms, stands) => {
  const { take, pass, jump } = scene();
  const lease = got(await take('w', 't'));
  await pass(5000);
  jump(ms);
  const asked = lease.standing();
  expect(await settled(asked)).toBe(stands);
  await pass(4000);
  expect(await asked).toEqual({ ok: true, value: null });
});

test('a second of the same name waits out a lease that is dead, and takes another where it lives', async () => {
  const { take, pass, rows } = scene();
  rows.set('!writer#4', 'held w dead 7 30000');
  const heir = take('w', 't');
  await pass(29_000);
  expect(await settled(heir)).toBe(false);
  await pass(2000);
  const lease = got(await heir);
  expect(lease.slot).toBe(4);
  const twin = take('w', 'u');
  await pass(5000);
  expect(got(await twin).slot).toBe(1);
});
