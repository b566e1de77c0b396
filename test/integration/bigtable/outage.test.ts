/** A store that is frozen, killed and started again, as one process that the test can signal. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureTable } from '../../../electron/bigtable/admin.ts';
import { connect } from '../../../electron/bigtable/connect.ts';
import type { Reader, ReadOutcome, StoreAddress } from '../../../electron/bigtable/reader.ts';

let folder: string;
let store: ChildProcess;
let address: StoreAddress;
let reader: Reader;

async function start(port: string): Promise<string> {
  store = spawn(process.execPath, [new URL('storeProcess.ts', import.meta.url).pathname, folder, port], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await new Promise<string[]>((resolve) => {
    const lines: string[] = [];
    if (store.stdout) createInterface(store.stdout).once('line', (text) => resolve([...lines, text]));
  });
  expect(line).toMatch(/^127\.0\.0\.1:\d+$/);
  return line ?? '';
}

async function kill(): Promise<void> {
  const ended = new Promise((resolve) => store.once('exit', resolve));
  store.kill('SIGKILL');
  await ended;
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'frontrow-outage-'));
  address = { kind: 'embedded', project: 'p', instance: 'i', table: 't', appProfile: null, endpoint: await start('0') };
  expect(await ensureTable(address)).toMatchObject({ ok: true });
  reader = connect(address);
});
afterEach(async () => {
  await reader.close();
  store.kill('SIGCONT');
  await kill();
  rmSync(folder, { recursive: true });
});

const read = (deadlineMs: number): Promise<ReadOutcome> => reader.read({ ranges: [{ start: 'a', end: 'b' }], deadlineMs });
const codeOf = (outcome: ReadOutcome): string => (outcome.ok ? 'ok' : outcome.error.code);

/** As a desk polls: again at most 500 ms after a failure. */
async function untilOk(): Promise<void> {
  while (codeOf(await read(2000)) !== 'ok') await sleep(200);
}

test('a frozen store runs into the deadline, every time, and answers again once thawed', async () => {
  expect(codeOf(await read(5000))).toBe('ok');
  store.kill('SIGSTOP');
  for (let round = 0; round < 4; round++) expect(codeOf(await read(300))).toBe('STORE_TIMEOUT');
  store.kill('SIGCONT');
  await untilOk();
});

test('a frozen store does not hold up cancelling', async () => {
  store.kill('SIGSTOP');
  const stop = new AbortController();
  const outcome = reader.read({ ranges: [{ start: 'a', end: 'b' }], deadlineMs: 60_000, signal: stop.signal });
  await sleep(100);
  stop.abort();
  expect(codeOf(await outcome)).toBe('CANCELLED');
});

test('a killed store is unreachable at once, and found again by the same reader', async () => {
  expect(codeOf(await read(5000))).toBe('ok');
  await kill();
  for (let round = 0; round < 10; round++) {
    expect(codeOf(await read(2000))).toBe('STORE_UNREACHABLE');
    await sleep(100);
  }
  await start(address.endpoint?.split(':')[1] ?? '');
  await untilOk();
});

test('a store killed in the middle of a read breaks it off', async () => {
  store.kill('SIGSTOP');
  const outcome = read(20_000);
  await sleep(300);
  await kill();
  expect(codeOf(await outcome)).toBe('STORE_UNREACHABLE');
  await start(address.endpoint?.split(':')[1] ?? '');
  await untilOk();
});
