/** Names of columns. */

const columns = new Map<string, Map<string, string>>();
const MAX_COLUMNS = 256;

/** `family:qualifier`, the same string each time: a table has few columns, a desk reads them for weeks, and a map hashes every new string. */
export function columnOf(family: string, qualifier: string): string {
  let known = columns.get(family);
  if (known === undefined && columns.size < MAX_COLUMNS) columns.set(family, (known = new Map()));
  const kept = known?.get(qualifier);
  if (kept !== undefined) return kept;
  const column = `${family}:${qualifier}`;
  if (known !== undefined && known.size < MAX_COLUMNS) known.set(qualifier, column);
  return column;
}
