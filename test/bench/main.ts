/** `npm run -s bench [-- GROUP...] [--json] [--only TEXT]`: measured figures, ours against a peer in the same run; those whose name has TEXT. */
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

const { values, positionals } = parseArgs({ options: { json: { type: 'boolean' }, only: { type: 'string' } }, allowPositionals: true });
const unknown = positionals.filter((name) => !Object.hasOwn(groups, name));
if (unknown.length > 0) {
  process.stderr.write(`frontrow: BAD_INPUT: unknown bench group ${unknown.join(', ')}; use ${Object.keys(groups).join(', ')}\n`);
  process.exit(2);
}
const { only = '' } = values;
let missed = 0;
for (const [name, load] of Object.entries(groups)) {
  if (positionals.length > 0 ? !positionals.includes(name) : ON_REQUEST.includes(name)) continue;
  const { run } = await load();
  for await (const figure of run((part) => part.includes(only) || only.includes(part))) {
    if (!figure.name.includes(only)) continue;
    if (figure.ratio > figure.goal) missed++;
    if (values.json) process.stdout.write(`${JSON.stringify(figure)}\n`);
    else {
      const mark = figure.ratio <= figure.goal ? 'ok  ' : 'MISS';
      process.stdout.write(`${mark} ${figure.name}: ${figure.ours.toPrecision(3)} ${figure.unit} against ${figure.peer.toPrecision(3)} (${figure.peerName}): ratio ${figure.ratio.toPrecision(3)}, goal ${figure.goal}\n`);
    }
  }
}
if (missed > 0) process.stderr.write(`frontrow: ${missed} figure(s) over their goal\n`);
