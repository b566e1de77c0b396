/** Rows as a table for spreadsheets: tab-separated text and HTML, numbers as plain decimals whatever the reader's locale. Pure. */
import { formatIso, parseMicros } from '../../shared/time.ts';
import type { Copyable } from '../copy/clipboard.ts';
import { cellHtml, plainText, type TableCell, tableCopy } from '../copy/table.ts';
import type { Column, RowValues } from './columns.ts';

/** The exact value: decimals with a point, percentages in percent, an age as the instant of its event. */
export function copyValue(column: Column, row: RowValues): string {
  const value = column.value(row);
  if (value === null) return '';
  return column.kind === 'age' ? formatIso(parseMicros(value)) : value;
}

const shown = (columns: readonly Column[]): readonly Column[] => columns.filter(({ kind }) => kind !== 'trend');

const cellOf = (column: Column, row: RowValues): TableCell => ({ text: copyValue(column, row), numeric: column.numeric && column.kind !== 'age' });

/** A line of heads, then each row: id, name, and the columns that hold values. */
export function copyTable(rows: readonly RowValues[], columns: readonly Column[]): Copyable {
  const kept = shown(columns);
  const named = (text: string): TableCell => ({ text, numeric: false });
  return tableCopy(['index', 'name', ...kept.map(({ name }) => name)], rows.map((row) => [named(row.id), named(row.info?.name ?? ''), ...kept.map((column) => cellOf(column, row))]));
}

export function copyOne(row: RowValues, column: Column): Copyable {
  const cell = cellOf(column, row);
  return { text: cell.numeric ? cell.text : plainText(cell.text), html: `<table xmlns:x="urn:schemas-microsoft-com:office:excel"><tbody><tr>${cellHtml(cell)}</tr></tbody></table>` };
}
