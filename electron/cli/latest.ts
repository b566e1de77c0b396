/** `frontrow latest`: price, state, age and change of each index, read once. */
import type { QuoteView } from '../../shared/channels.ts';
import { failed, ok, problem } from '../../shared/result.ts';
import { isIndexId } from '../../shared/rowKey.ts';
import { readRegistry } from '../bigtable/registry.ts';
import { resolveSettings } from '../config/settings.ts';
import { deskClock } from '../desk/deskClock.ts';
import type { OpenStore } from '../desk/openStore.ts';
import { latestOnce, listIndices } from '../feed/latestOnce.ts';
import { closestId } from './closestId.ts';
import type { Command } from './command.ts';
import { errorLine } from './exit.ts';
import { withStore } from './withStore.ts';

export const latest: Command = {
  summary: 'the latest price of each index with its state and age',
  usage: 'latest [ID...] [--json]',
  options: {},
  positionals: { min: 0, max: 5000 },
  async run(parsed, streams) {
    const wrong = parsed.positionals.find((id) => !isIndexId(id));
    const refusal = (next = 'use 1 to 24 of A-Z 0-9 ^ . _ -') => failed(problem('BAD_INPUT', `not an index id: ${JSON.stringify((wrong ?? '').slice(0, 40))}`, next));
    if (wrong !== undefined) {
      const settings = await resolveSettings(parsed);
      if (!settings.ok || settings.value.layoutPath === null) return refusal();
    }
    return withStore(parsed, async (store, settings) => {
      const clock = deskClock(settings.testNow);
      if (wrong !== undefined) return refusal(await meant(wrong, store) ?? undefined);
      const found = await latestOnce({
        reader: store.reader, clock, registry: readRegistry,
        ids: parsed.positionals.length > 0 ? parsed.positionals : settings.indices,
        config: { intervalMs: settings.poll.intervalMs, retentionDays: settings.retentionDays, storeKind: store.address.kind },
      });
      if (!found.ok) return found;
      const { quotes, missing, unreadable, note } = found.value;
      if (note !== null) streams.err(note);
      const [bad] = unreadable;
      if (quotes.length === 0 && bad) return failed(unreadableRow(bad));
      if (quotes.length === 0) {
        const what = missing.length > 0 ? `no rows of ${missing.slice(0, 10).join(', ')}` : `no index has rows in table ${store.address.table}`;
        const [first] = missing;
        const other = first === undefined ? null : await meant(first, store);
        return failed(problem('NOT_FOUND', what, other ?? (store.layout ? 'check the ids; `frontrow latest` without any lists those of the table' : 'write some, for example with `frontrow replay FILE`')));
      }
      for (const one of unreadable) streams.err(errorLine(unreadableRow(one)).trimEnd());
      for (const id of missing.filter((one) => !unreadable.some((other) => other.id === one))) streams.err(errorLine(problem('NOT_FOUND', `no rows of ${id}`, 'check the id')).trimEnd());
      const json = parsed.values['json'] === true;
      for (const quote of quotes) await streams.out(json ? JSON.stringify(contractOf(quote)) : line(quote));
      return ok(0);
    }, { mustExist: true });
  },
};

const LISTING_DEADLINE = 20_000;

/** Of a table of a foreign layout, whose ids are escaped on screen: the one that a word may stand for, as advice. Null: none, or it can't be read. */
async function meant(word: string, { reader, layout }: OpenStore): Promise<string | null> {
  if (layout === null) return null;
  const listed = await listIndices({ reader, ids: null, registry: readRegistry }, LISTING_DEADLINE, new AbortController().signal);
  const id = listed.ok ? closestId(word, listed.value.infos.map((info) => info.id)) : null;
  return id === null ? null : `the table has ${id}: write it so, in quotes`;
}

const unreadableRow = ({ id, key }: { readonly id: string; readonly key: string }) => problem('BAD_DATA', `no row of ${id} can be read; the newest is ${JSON.stringify(key.slice(0, 80))}`, 'write the price as plain decimal text in q:p');

/** The day's figures are the desk's: one read does not know them. */
function contractOf({ day: _day, ...quote }: QuoteView): Omit<QuoteView, 'day'> {
  return quote;
}

function line(quote: QuoteView): string {
  const change = quote.changePercent === null ? '' : `${quote.changePercent.startsWith('-') ? '' : '+'}${quote.changePercent} %`;
  const age = quote.ageMs === null ? '' : `${(quote.ageMs / 1000).toFixed(1)} s`;
  return [quote.index.padEnd(12), (quote.price ?? '-').padStart(14), change.padStart(12), age.padStart(14), ` ${quote.state}${quote.reason === null ? '' : ` (${quote.reason})`}`, quote.flags.join(' ')].join(' ').trimEnd();
}
