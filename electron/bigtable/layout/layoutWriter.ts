/** A Writer of canonical rows: each goes to the place that the registry names for its identity, and nowhere while the registry is not known. */
import { problem } from '../../../shared/result.ts';
import type { WriteOutcome, WriteRow } from '../reader.ts';
import type { ClosableWriter } from '../writer.ts';
import { type CurrentLayouts, MAX_AGE_MS } from './current.ts';
import { homeOf, placesOf } from './places.ts';

const REGISTRY_DEADLINE_MS = 10_000;

/** Rows with keys of an index whose layout can't be read fail alone; all fail where the registry can't be read. Keys in the outcome are canonical. */
export function layoutWriter(plain: ClosableWriter, current: CurrentLayouts): ClosableWriter {
  return {
    async write(rows, version) {
      const layouts = current.now() ?? (await current.fresh(REGISTRY_DEADLINE_MS));
      if ('ok' in layouts && !layouts.ok) {
        const { code, what, next } = layouts.error;
        const error = problem(code, `nothing is written without a registry of the last ${MAX_AGE_MS / 1000} s, since shards may have changed: ${what}`, next, true);
        return { written: 0, failed: rows.map(({ key }) => ({ key, error })) };
      }
      const known = 'ok' in layouts ? layouts.value : layouts;
      if (known.byId.size === 0) return plain.write(rows, version);
      const canonical = new Map<string, string>();
      const refused: WriteOutcome['failed'][number][] = [];
      const place = (row: WriteRow, key: string): WriteRow => {
        if (key === row.key) return row;
        canonical.set(key, row.key);
        return { ...row, key };
      };
      const placed = rows.flatMap((row): WriteRow[] => {
        // A row that only loses columns is a deletion: of every copy that a read would find.
        if (row.cells.length === 0) return placesOf(known, row.key).map((key) => place(row, key));
        const home = homeOf(known, row.key);
        if (home.ok) return [place(row, home.value)];
        refused.push({ key: row.key, error: home.error });
        return [];
      });
      const outcome: WriteOutcome = placed.length === 0 ? { written: 0, failed: [] } : await plain.write(placed, version);
      const failed = new Map([...refused, ...outcome.failed.map(({ key, error }) => ({ key: canonical.get(key) ?? key, error }))].map((one) => [one.key, one]));
      return { written: rows.length - failed.size, failed: [...failed.values()] };
    },
    close: () => plain.close(),
  };
}
