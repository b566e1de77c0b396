/**
 * `ingest` of a file of bars and of one of ticks, from the start of the process to its end, parsing and reads before writing included, against the
 * time that the official client's `table.insert` takes alone for the same rows in batches of 1000, made beforehand; and `history` of ticks
 * to CSV against Google's `cbt read` of the same rows. One embedded store on disk for all, in a process of its own.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bigtable } from '@google-cloud/bigtable';
import { ensureTable } from '../../electron/bigtable/admin.ts';
import type { StoreAddress } from '../../electron/bigtable/reader.ts';
import { barKey, indexIdOf, tickKey } from '../../shared/rowKey.ts';
import { formatIso, type EpochMicros, micros, MINUTE, SECOND } from '../../shared/time.ts';
import { figure, type Figure, median } from './figure.ts';

const BARS = 60_000;
const TICKS = 100_000;
const HISTORY_ROWS = 200_000;
const BATCH = 1000;
const ROUNDS = 3;
const CBT = 'cbt';
const CLI = join(import.meta.dirname, '../../dist/electron/cli.js');
const START = micros(1_704_153_600_000_000n); // 2024-01-02
const SPAN = ['--from', '2024-01-01T00:00:00Z', '--to', '2025-01-01T00:00:00Z'];

interface Line { readonly time: EpochMicros; readonly values: readonly string[] }

/** The same prices each run: a walk by a fixed generator. */
function walk(count: number, step: bigint, columns: 'bars' | 'ticks'): Line[] {
  let [price, seed] = [500_000, 12_345];
  const random = (): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  const text = (cents: number): string => (cents / 100).toFixed(2);
  return Array.from({ length: count }, (_, n) => {
    const open = price;
    price += Math.floor(random() * 100 - 50);
    const [high, low, volume] = [Math.max(open, price) + 7, Math.min(open, price) - 9, String(1 + Math.floor(random() * 1000))];
    return { time: micros(START + BigInt(n) * step), values: columns === 'bars' ? [text(open), text(high), text(low), text(price), volume] : [text(price), volume] };
  });
}
const csvOf = (lines: readonly Line[], header: string): string => `${header}\n${lines.map(({ time, values }) => `${formatIso(time)},${values.join(',')}\n`).join('')}`;

/** Milliseconds until the process ends; its output goes to a file, as a user's would. */
async function timed(command: string, words: readonly string[], env: NodeJS.ProcessEnv, out: string): Promise<number> {
  const file = openSync(out, 'w');
  const start = performance.now();
  const child = spawn(command, words, { stdio: ['ignore', file, 'pipe'], env });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  const elapsed = performance.now() - start;
  closeSync(file);
  if (code !== 0) throw new Error(`${command} ${words.slice(0, 3).join(' ')} ended with ${String(code)}: ${said.slice(0, 400)}`);
  return elapsed;
}

async function startStore(folder: string): Promise<{ address: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../integration/embedded/writingStore.ts'), folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    address: (JSON.parse(line.toString()) as { address: string }).address,
    async stop() {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

function hasCbt(): boolean {
  try {
    execFileSync(CBT, ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export async function* run(): AsyncIterable<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'frontrow-bench-'));
  const store = await startStore(join(folder, 'data'));
  const env = { ...process.env, BIGTABLE_EMULATOR_HOST: store.address, METADATA_SERVER_DETECTION: 'none', XDG_DATA_HOME: folder };
  const address: StoreAddress = { kind: 'emulator', project: 'frontrow', instance: 'frontrow', table: 'quotes', appProfile: null, endpoint: store.address };
  const official = new Bigtable({ projectId: 'frontrow', apiEndpoint: store.address, metricsEnabled: false });
  const table = official.instance('frontrow').table('quotes');
  const frontrow = (words: readonly string[], out = join(folder, 'out')): Promise<number> => timed(process.execPath, [CLI, ...words], env, out);
  const insert = async (rows: readonly object[]): Promise<number> => {
    const start = performance.now();
    for (let at = 0; at < rows.length; at += BATCH) await table.insert(rows.slice(at, at + BATCH) as Parameters<typeof table.insert>[0]);
    return performance.now() - start;
  };
  try {
    const ensured = await ensureTable(address);
    if (!ensured.ok) throw new Error(ensured.error.what);
    const kinds = [
      { kind: 'bars', lines: walk(BARS, MINUTE, 'bars'), header: 'timestamp,open,high,low,close,volume', row: (id: string, { time, values: [o, h, l, c, v] }: Line) => ({ key: barKey(indexIdOf(id), '1m', time), data: { v: { o, h, l, c, v } } }) },
      { kind: 'ticks', lines: walk(TICKS, SECOND / 4n, 'ticks'), header: 'timestamp,price,volume', row: (id: string, { time, values: [p, v] }: Line) => ({ key: tickKey(indexIdOf(id), time), data: { h: { p, i: String(time), s: 'generic', v } } }) },
    ] as const;
    for (const { kind, lines, header, row } of kinds) {
      const file = join(folder, `${kind}.csv`);
      writeFileSync(file, csvOf(lines, header));
      await insert(lines.slice(0, 5 * BATCH).map((line) => row('WARM', line)));
      const [ours, theirs] = [[] as number[], [] as number[]];
      for (let round = 0; round < ROUNDS; round += 1) {
        ours.push(await frontrow(['ingest', file, '--index', `O${kind.toUpperCase()}${round}`, '--keep']));
        theirs.push(await insert(lines.map((line) => row(`P${kind.toUpperCase()}${round}`, line))));
      }
      yield figure(`write: ingest of ${lines.length} ${kind}, process, parsing and reads included`, median(ours), median(theirs), `table.insert of the same rows, ${BATCH} a batch`, 'ms', 1 / 1.5);
    }
    if (!hasCbt()) {
      process.stderr.write('bench: history against cbt skipped: no cbt (gcloud SDK, or apt-get install google-cloud-cli-cbt) on this machine\n');
      return;
    }
    await insert(walk(HISTORY_ROWS, SECOND / 4n, 'ticks').map(({ time, values: [p, v] }) => ({ key: tickKey(indexIdOf('HIST'), time), data: { h: { p, i: String(time), s: 'generic', v } } })));
    const [ours, theirs] = [[] as number[], [] as number[]];
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(await frontrow(['history', 'HIST', ...SPAN, '--resolution', 'tick', '--csv']));
      theirs.push(await timed(CBT, ['-project', 'frontrow', '-instance', 'frontrow', 'read', 'quotes', 'prefix=HIST#'], env, join(folder, 'out')));
    }
    yield figure(`write: history of ${HISTORY_ROWS} rows to CSV`, median(ours), median(theirs), "Google's cbt read", 'ms', 0.5);
  } finally {
    await official.close();
    await store.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
