/** What only many rows show, against Google's emulator: the latest row of a prefix of a million, reads beside a scan of them, memory with 2.5 million. Takes minutes. */
import { figure, type Figure, median } from './figure.ts';
import { BATCH, batch, besideScan, createTable, EMULATOR, IN_FLIGHT, perCall, read, startStoreProcess, startTheirs, stream, timed } from './storeSides.ts';

const DEEP = Number(process.env['FRONTROW_BENCH_DEEP'] ?? 1_000_000);
const ALL = 2.5 * DEEP;
const SECONDS = 15;

export async function* run(): AsyncIterable<Figure> {
  const theirs = await startTheirs();
  if ('skipped' in theirs) {
    process.stderr.write(`bench: store-large skipped: ${theirs.skipped}\n`);
    return;
  }
  const ours = await startStoreProcess();
  try {
    for (const { client } of [ours, theirs]) await createTable(client);
    const times = { ours: [] as number[], theirs: [] as number[] };
    const fill = async (prefix: string, rows: number): Promise<void> => {
      for (let from = 0; from < rows; from += BATCH) {
        const request = batch(Array.from({ length: BATCH }, (_, n) => `${prefix}#${String(from + n).padStart(19, '0')}#999999`));
        times.ours.push(await timed(() => stream(ours.client, 'MutateRows', request)));
        times.theirs.push(await timed(() => stream(theirs.client, 'MutateRows', request)));
      }
    };
    await fill('DEEP', DEEP);
    yield figure(`store: ${DEEP} rows of 5 cells written in batches of ${BATCH}, synced (the peer in memory)`, median(times.ours), median(times.theirs), EMULATOR, 'ms/batch', 0.5);

    const latest = read('DEEP#', 'DEEP$', 1);
    for (const list of Object.values(times)) list.length = 0;
    await perCall(ours.client, [latest], 2000);
    for (let i = 0; i < 200; i++) times.ours.push(await timed(() => stream(ours.client, 'ReadRows', latest)));
    for (let i = 0; i < 3; i++) times.theirs.push(await timed(() => stream(theirs.client, 'ReadRows', latest)));
    yield figure(`store: limit-1 on a prefix of ${DEEP} rows, one after the other`, median(times.ours), median(times.theirs), EMULATOR, 'ms/read', 0.01);
    yield figure(`store: limit-1 on a prefix of ${DEEP} rows, ${IN_FLIGHT} in flight`, await perCall(ours.client, [latest], 2000), await perCall(theirs.client, [latest], 4), EMULATOR, 'ms/read', 0.01);

    const near = Array.from({ length: 100 }, (_, n) => read(`DEEP#${String(n).padStart(19, '0')}`, `DEEP#${String(n + 1).padStart(19, '0')}`, 1));
    const [mine, other] = [await besideScan(ours.client, near, SECONDS), await besideScan(theirs.client, near, SECONDS)];
    yield figure(`store: p99 of limit-1 reads beside a running scan of ${DEEP} rows`, mine, other, EMULATOR, 'ms', 1);

    await fill('MORE', ALL - DEEP);
    yield figure(`store: memory with ${ALL} rows of 5 cells`, ours.memory(), theirs.memory(), EMULATOR, 'MB', 0.1);
  } finally {
    await Promise.all([ours.stop(), theirs.stop()]);
  }
}
