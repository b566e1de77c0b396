/** `frontrow ingest --delete`: lists of busted trades, each row of the table that has such an identity goes. */
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { failed, ok, problem, type Result } from '../../shared/result.ts';
import { createConditional } from '../bigtable/conditional.ts';
import type { Parsed } from '../config/options.ts';
import { deskClock } from '../desk/deskClock.ts';
import { linesOf } from '../ingest/lines.ts';
import { deleteTicks, identityText, MAX_DELETIONS, parseIdentity } from '../ingest/live/deletions.ts';
import type { TickIdentity } from '../ingest/live/liveTick.ts';
import { sleep } from '../ingest/sleep.ts';
import type { Streams } from './command.ts';
import { withStore } from './withStore.ts';

const SHOWN = 20;

/** A list with one bad line deletes nothing. Ends with NOT_FOUND where none of the ticks is there. */
export async function deleteListed(parsed: Parsed, streams: Streams, signal: AbortSignal): Promise<Result<number>> {
  const given = ['index', 'format', 'zone', 'period', 'date-order', 'decimal', 'stamp', 'day', 'outside', 'keep', 'reject-file'].find((name) => parsed.values[name] !== undefined && parsed.values[name] !== false);
  if (given !== undefined) return failed(problem('BAD_INPUT', `--delete reads lists of identities, and --${given} is for vendors' files`, 'leave one of them out'));
  const lists: { file: string; identities: TickIdentity[] }[] = [];
  for (const path of parsed.positionals) {
    const list = await readList(path);
    if (!list.ok) return list;
    lists.push({ file: basename(path), identities: list.value });
  }
  const dry = parsed.values['dry-run'] === true;
  return withStore(parsed, async (store, settings) => {
    const clock = deskClock(settings.testNow);
    const writer = dry ? null : await store.writer();
    const conditional = createConditional(store.address);
    let found = 0;
    try {
      for (const { file, identities } of lists) {
        let hidden = 0;
        const done = await deleteTicks({
          identities, reader: store.reader, conditional, writer, now: () => clock.now(), machineMillis: () => Date.now(), elapsed: () => performance.now(), sleep, signal,
          onAbsent: (one) => { if ((hidden += 1) <= SHOWN) streams.err(`${file}: no tick ${identityText(one)}`); },
          onProgress: (count) => { if (streams.terminal) process.stderr.write(`\r${file}: ${count} of ${identities.length}\u001B[K${count === identities.length ? '\n' : ''}`); },
          onProblem: (trouble) => { if (trouble) streams.err(`frontrow: ${trouble.code}: ${trouble.what}; trying again until it works`); },
        });
        if (!done.ok) return failed({ ...done.error, what: `${file}: ${done.error.what}` });
        const { deleted, absent } = done.value;
        found += deleted;
        const counts = { listed: identities.length, [dry ? 'present' : 'deleted']: deleted, absent };
        await streams.out(parsed.values['json'] === true ? JSON.stringify({ summary: { file, ...counts } }) : `${file}: ${deleted} ticks ${dry ? 'are there and would be deleted' : 'deleted'}, ${absent} not there${dry || deleted === 0 ? '' : '; importing their file again brings them back: keep this list, and give it again after that'}`);
      }
    } finally {
      await conditional.close();
    }
    return found > 0 ? ok(0) : failed(problem('NOT_FOUND', 'none of the listed ticks is in the table', 'check the identities: `frontrow history ID --resolution tick --json` prints times and sequences'));
  }, { mustExist: true });
}

async function readList(path: string): Promise<Result<TickIdentity[]>> {
  const identities: TickIdentity[] = [];
  const refuse = (what: string): Result<never> => failed(problem('BAD_INPUT', `${basename(path)}: ${what}`, 'write one tick a line: its row key, or ID TIME SEQUENCE'));
  let line = 0;
  try {
    for await (const text of linesOf(createReadStream(path))) {
      line += 1;
      if (text.trim() === '' || text.startsWith('//')) continue;
      const one = parseIdentity(text);
      if (typeof one === 'string') return refuse(`line ${line}: ${one}; nothing was deleted`);
      if (identities.push(one) > MAX_DELETIONS) return refuse(`more than ${MAX_DELETIONS} ticks`);
    }
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
  return identities.length === 0 ? refuse('no identity in it') : ok(identities);
}
