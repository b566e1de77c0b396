/** The registry: rows `!index#ID` in family `m`, what an operator says about each index. Column by column it goes before the built-in table. */
import { infoFor } from '../../shared/indices.ts';
import { type IndexInfo, type Region, REGIONS } from '../../shared/quote.ts';
import { failed, ok, type Problem, problem, type Result } from '../../shared/result.ts';
import { decodeKey, isIndexId, metaKey, metaRange } from '../../shared/rowKey.ts';
import { isZone } from '../../shared/zone.ts';
import { formerlyOf } from './layout/layouts.ts';
import type { Reader, Row, WriteRow } from './reader.ts';

export const MAX_INDICES = 10_000;
const MAX_TEXT = 200;
const DAY_MILLIS = 86_400_000;

/** Every index of the registry, by id; one that has another name now is under that alone. A row that can't be used goes to `onBad` (which row, which column) and its neighbours stay. */
export async function readRegistry(reader: Reader, deadlineMs: number, onBad: (problem: Problem) => void = () => {}): Promise<Result<IndexInfo[]>> {
  const outcome = await reader.read({ ranges: [metaRange('index')], limit: MAX_INDICES + 1, deadlineMs, families: ['m'] });
  if (!outcome.ok) return failed(outcome.error);
  if (outcome.rows.length > MAX_INDICES) {
    return failed(problem('BAD_DATA', `the registry has more than ${MAX_INDICES} rows`, 'remove rows !index#ID that are no index'));
  }
  const left = new Set<string>(outcome.rows.flatMap((row) => formerlyOf(row)?.id ?? []));
  return ok(
    outcome.rows.flatMap((row) => {
      if ((left.size > 0 && left.has(row.key.slice(metaRange('index').start.length))) || isTakenBack(row)) return [];
      const info = decodeRegistryRow(row);
      if (info.ok) return [info.value];
      onBad(info.error);
      return [];
    }),
  );
}

/** All that was ever said of this id is a former name, and that was taken back: it is no index. */
const isTakenBack = ({ cells }: Row): boolean => cells.size === 1 && cells.get('m:formerly')?.value.length === 0;

/** All columns are written, an unknown as empty text: rewriting a row leaves no old value behind. */
export function registryRow(info: IndexInfo): WriteRow {
  const columns = {
    name: info.name, mic: info.mic ?? '', zone: info.zone, region: info.region, currency: info.currency ?? '',
    decimals: info.decimals === null ? '' : String(info.decimals), delayMs: String(info.delayMs), label: info.label ?? '', companion: info.companion ?? '',
  };
  return { key: metaKey('index', info.id), cells: Object.entries(columns).map(([qualifier, value]) => ({ family: 'm', qualifier, value })) };
}

/** Pure. An absent column takes the built-in value, an empty one says "none". */
export function decodeRegistryRow(row: Row): Result<IndexInfo> {
  const key = decodeKey(row.key);
  const id = key?.kind === 'index' ? key.name : '';
  if (!isIndexId(id)) return failed(bad(row, null, 'the id is not 1 to 24 of A-Z 0-9 ^ . _ -'));
  const known = infoFor(id);
  const text = (qualifier: string): string | undefined => row.cells.get(`m:${qualifier}`)?.value.toString('utf8');
  const columns = {
    name: text('name'), mic: text('mic'), zone: text('zone'), region: text('region'), currency: text('currency'),
    decimals: text('decimals'), delayMs: text('delayMs'), label: text('label'), companion: text('companion'),
  };
  for (const [column, value] of Object.entries(columns)) {
    if (value !== undefined && (value.length > MAX_TEXT || !isPlain(value))) return failed(bad(row, column, `is not plain text of at most ${MAX_TEXT} characters`));
  }
  const { mic, zone, region, currency, companion = '' } = columns;
  if (mic !== undefined && !/^([A-Z0-9]{4})?$/.test(mic)) return failed(bad(row, 'mic', `is not a market identifier code: ${JSON.stringify(mic)}`));
  if (zone !== undefined && !isZone(zone)) return failed(bad(row, 'zone', `is not an IANA zone: ${JSON.stringify(zone)}`));
  if (region !== undefined && !isRegion(region)) return failed(bad(row, 'region', `is none of ${REGIONS.join(', ')}: ${JSON.stringify(region)}`));
  if (currency !== undefined && !/^([A-Z]{3})?$/.test(currency)) return failed(bad(row, 'currency', `is not three letters: ${JSON.stringify(currency)}`));
  if (companion !== '' && !isIndexId(companion)) return failed(bad(row, 'companion', `is not an id: ${JSON.stringify(companion)}`));
  const decimals = columns.decimals === '' ? null : wholeNumber(columns.decimals, known.decimals, 8);
  if (decimals === undefined) return failed(bad(row, 'decimals', 'is not a whole number of 0 to 8'));
  const delayMs = wholeNumber(columns.delayMs, known.delayMs, DAY_MILLIS);
  if (delayMs === undefined) return failed(bad(row, 'delayMs', `is not milliseconds of 0 to ${DAY_MILLIS}`));
  return ok({
    id, name: columns.name === undefined || columns.name === '' ? known.name : columns.name,
    mic: orNone(mic, known.mic), zone: zone ?? known.zone, region: region ?? known.region, currency: orNone(currency, known.currency),
    decimals, delayMs, label: orNone(columns.label, known.label), ...(companion === '' ? {} : { companion }),
  });
}

const orNone = (value: string | undefined, known: string | null): string | null => (value === undefined ? known : value === '' ? null : value);

const isRegion = (text: string): text is Region => (REGIONS as readonly string[]).includes(text);

/** No control characters, nothing that was not UTF-8. */
const isPlain = (text: string): boolean => !/[\u0000-\u001F\u007F\uFFFD]/.test(text);

function wholeNumber<K extends number | null>(text: string | undefined, known: K, most: number): number | K | undefined {
  if (text === undefined) return known;
  return /^\d{1,9}$/.test(text) && Number(text) <= most ? Number(text) : undefined;
}

const bad = (row: Row, column: string | null, what: string): Problem =>
  problem('BAD_DATA', `registry row ${JSON.stringify(row.key.slice(0, 80))}${column === null ? ': ' : `, column m:${column} `}${what}`, 'correct or remove that row');
