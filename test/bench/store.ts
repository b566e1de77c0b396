/**
 * The embedded store, in a process of its own and on disk with every write synced, against Google's emulator (in memory) and against the floor of
 * its transport. Raw calls with requests that are encoded beforehand and answers that are not decoded, so that the client costs both the same.
 */
import { figure, type Figure, median } from './figure.ts';
import { startFloor } from './floorProcess.ts';
import { BATCH, batch, besideScan, connect, createTable, EMULATOR, IN_FLIGHT, perCall, read, type Side, startStoreProcess, startTheirs, stream, timed } from './storeSides.ts';

// Rows of the deep prefix; a million of them, and memory, in storeLarge.ts.
const ROWS = 100_000;
const SHALLOW = 200;
// Of the batches of those rows: those that the compilers see first, and where those that are written one at a time end.
const WARM_UP = 20;
const ALONE = 60;
const WRITES_IN_FLIGHT = 4;

export async function* run(): AsyncIterable<Figure> {
  const theirs = await startTheirs();
  if ('skipped' in theirs) {
    process.stderr.write(`bench: store skipped: ${theirs.skipped}\n`);
    return;
  }
  const ours = await startStoreProcess();
  const floor = await startFloor();
  const bare = connect(floor.address);
  try {
    for (const { client } of [ours, theirs]) await createTable(client);
    const shallow = Array.from({ length: SHALLOW }, (_, n) => `IX${String(n).padStart(3, '0')}`);
    const times = { ours: [] as number[], theirs: [] as number[], floor: [] as number[] };
    const batches = Array.from({ length: ROWS / BATCH }, (_, at) => batch(Array.from({ length: BATCH }, (__, n) => `DEEP#${String(at * BATCH + n).padStart(19, '0')}#999999`)));
    const writeAll = (client: Side['client'], requests: readonly Buffer[]): Promise<number> => timed(() => Promise.all(requests.map((request) => stream(client, 'MutateRows', request))));
    for (const request of batches.slice(0, WARM_UP)) for (const { client } of [ours, theirs]) await writeAll(client, [request]);
    // One after the other as a script does it, and several at a time as our importer.
    const rounds = { 1: batches.slice(WARM_UP, ALONE), [WRITES_IN_FLIGHT]: batches.slice(ALONE) };
    for (const [inFlight, requests] of Object.entries(rounds)) {
      const size = Number(inFlight);
      for (const list of Object.values(times)) list.length = 0;
      for (let at = 0; at < requests.length; at += size) {
        const several = requests.slice(at, at + size);
        times.ours.push((await writeAll(ours.client, several)) / size);
        times.theirs.push((await writeAll(theirs.client, several)) / size);
      }
      yield figure(`store: batches of ${BATCH} rows of 5 cells written, ${inFlight} in flight, synced (the peer in memory)`, median(times.ours), median(times.theirs), EMULATOR, 'ms/batch', 0.5);
    }

    for (const { client } of [ours, theirs]) await stream(client, 'MutateRows', batch(shallow.map((id) => `${id}#${'9'.repeat(19)}#999999`)));
    const latest = shallow.map((id) => read(`${id}#`, `${id}$`, 1));
    for (const list of Object.values(times)) list.length = 0;
    for (let round = 0; round < 6; round++) {
      const [a, b, c] = [await perCall(ours.client, latest, 1500), await perCall(bare, latest, 1500), await perCall(theirs.client, latest, 1500)];
      if (round === 0) continue; // the compilers have seen it
      times.ours.push(a);
      times.floor.push(b);
      times.theirs.push(c);
    }
    process.stderr.write(`bench: limit-1 reads on shallow prefixes, ${IN_FLIGHT} in flight: ours ${(1000 / median(times.ours)).toFixed(0)}/s, floor ${(1000 / median(times.floor)).toFixed(0)}/s, emulator ${(1000 / median(times.theirs)).toFixed(0)}/s\n`);
    yield figure(`store: limit-1 on shallow prefixes, ${IN_FLIGHT} in flight`, median(times.ours), median(times.floor), 'an empty grpc-js stream server', 'ms/read', 1.25);

    const all = read('DEEP#', 'DEEP$', 0);
    for (const list of Object.values(times)) list.length = 0;
    for (let round = 0; round < 5; round++) {
      times.ours.push(await timed(() => stream(ours.client, 'ReadRows', all)));
      times.theirs.push(await timed(() => stream(theirs.client, 'ReadRows', all)));
    }
    yield figure(`store: range read of ${ROWS} rows of 5 columns`, (median(times.ours) / ROWS) * 1000, (median(times.theirs) / ROWS) * 1000, EMULATOR, 'us/row', 1 / 3);

    const newest = [read('DEEP#', 'DEEP$', 1)];
    yield figure(`store: limit-1 on a prefix of ${ROWS} rows, ${IN_FLIGHT} in flight`, await perCall(ours.client, newest, 1500), await perCall(theirs.client, newest, IN_FLIGHT), EMULATOR, 'ms/read', 0.01);
    yield figure('store: p99 of limit-1 reads beside a running scan', await besideScan(ours.client, latest, 4), await besideScan(theirs.client, latest, 4), EMULATOR, 'ms', 1);
  } finally {
    bare.close();
    await Promise.all([ours.stop(), theirs.stop(), floor.stop()]);
  }
}
