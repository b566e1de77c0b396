import { describe, expect, test } from 'vitest';
import type { Condition, Conditional, Change } from '../../../../electron/bigtable/conditional.ts';
import { type BarLeases, createBarLeases } from '../../../../electron/ingest/bars/lease.ts';
import { failed, ok, problem } from '../../../../shared/result.ts';
import { indexIdOf } from '../../../../shared/rowKey.ts';
import { type BarTable, barTable } from './barTable.ts';

const SPX = indexIdOf('SPX');

interface Store {
  readonly table: BarTable;
  readonly conditional: Pick<Conditional, 'check'>;
  checks: number;
  /** The next check is done, and its answer lost. */
  lost: boolean;
}

function store(): Store {
  const table = barTable();
  const made: Store = {
    table, checks: 0, lost: false,
    conditional: {
      async check(key: string, { family, qualifier, from, to }: Condition, then: Change, otherwise: Change) {
        made.checks += 1;
        const value = table.rows.get(key)?.get(`${family}:${qualifier}`)?.value.toString();
        const holds = value !== undefined && (from === undefined || value >= from) && (to === undefined || value <= to);
        const change = holds ? then : otherwise;
        if (change) table.rows.delete(key);
        if (change?.kind === 'replace') await table.write([{ key, cells: change.cells }], change.version);
        if (!made.lost) return ok(holds);
        made.lost = false;
        return failed(problem('STORE_TIMEOUT', 'no answer', 'again', true));
      },
    },
  };
  return made;
}

describe('the lease of an index', () => {
  let now = 1_000_000;
  const maker = (at: Store, token: string): BarLeases => createBarLeases({ reader: at.table, conditional: at.conditional, token, machineMillis: () => now });
  const kind = async (leases: BarLeases): Promise<string> => {
    const held = await leases.hold(SPX);
    return held.ok ? (held.value.kind === 'held' ? 'held' : `taken by ${held.value.by}`) : held.error.code;
  };

  test('has one holder, who renews it without a request for each question', async () => {
    const at = store();
    const [a, b] = [maker(at, 'a'), maker(at, 'b')];
    expect([await kind(a), await kind(b)]).toEqual(['held', 'taken by a']);
    for (let n = 0; n < 40; n += 1) {
      now += 1000;
      expect([await kind(a), await kind(b)]).toEqual(['held', 'taken by a']);
    }
    expect(at.checks).toBeLessThan(12);
  });

  test('given back it is free at once, after a crash when it is over', async () => {
    const at = store();
    const [a, b, c] = [maker(at, 'a'), maker(at, 'b'), maker(at, 'c')];
    await kind(a);
    await a.release();
    expect(await kind(b)).toBe('held');
    now += 16_000;
    expect(await kind(c)).toBe('taken by b');
    now += 2000;
    expect([await kind(c), await kind(b)]).toEqual(['held', 'taken by c']);
    // what is another's by now is not given back by us
    await b.release();
    expect(await kind(maker(at, 'd'))).toBe('taken by c');
  });

  test('whoever does not hear of its own success finds it', async () => {
    const at = store();
    const a = maker(at, 'a');
    at.lost = true;
    expect([await kind(a), await kind(a)]).toEqual(['STORE_TIMEOUT', 'held']);
    now += 6000;
    at.lost = true;
    expect([await kind(a), await kind(a)]).toEqual(['STORE_TIMEOUT', 'held']);
  });

  test('a row that is no lease does not lock the index for ever', async () => {
    const at = store();
    await at.table.write([{ key: '!bars#SPX', cells: [{ family: 'm', qualifier: 'l', value: 'junk' }] }], 1000n);
    expect(await kind(maker(at, 'a'))).toBe('held');
  });
});
