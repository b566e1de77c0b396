/** `npm run -s bench [-- GROUP...] [--json]`: measured figures, ours against a peer in the same run. */
import { parseArgs } from 'node:util';
import type { Group } from './figure.ts';

const groups: Readonly<Record<string, () => Promise<{ run: Group }>>> = {
  read: () => import('./read.ts'),
  charts: () => import('./charts.ts'),
  store: () => import('./store.ts'),
  write: () => import('./write.ts'),
  watchlist: () => import('./watchlist.ts'),
  'store-large': () => import('./storeLarge.ts'),
};

// Takes minutes: only where it is named.
const ON_REQUEST: readonly string[] = ['store-large'];

const { values, positionals } = parseArgs({ options: { json: { type: 'boolean' } }, allowPositionals: true });
const unknown = positionals.filter((name) => !Object.hasOwn(groups, name));
if (unknown.length > 0) {
  process.stderr.write(`frontrow: BAD_INPUT: unknown bench group ${unknown.join(', ')}; use ${Object.keys(groups).join(', ')}\n`);
  process.exit(2);
}
let missed = 0;
for (const [name, load] of Object.entries(groups)) {
  if (positionals.length > 0 ? !positionals.includes(name) : ON_REQUEST.includes(name)) continue;
  const { run } = await load();
  for await (const figure of run()) {
    if (figure.ratio > figure.goal) missed++;
    if (values.json) process.stdout.write(`${JSON.stringify(figure)}\n`);
    else {
      const mark = figure.ratio <= figure.goal ? 'ok  ' : 'MISS';
      process.stdout.write(`${mark} ${figure.name}: ${figure.ours.toPrecision(3)} ${figure.unit} against ${figure.peer.toPrecision(3)} (${figure.peerName}): ratio ${figure.ratio.toPrecision(3)}, goal ${figure.goal}\n`);
    }
  }
}
if (missed > 0) process.stderr.write(`frontrow: ${missed} figure(s) over their goal\n`);
