/** Rows as a table for spreadsheets: tab-separated text and HTML, numbers as plain decimals whatever the reader's locale. Pure. */
import { formatIso, parseMicros } from '../../shared/time.ts';
import type { Column, RowValues } from './columns.ts';

export interface Copied {
  readonly text: string;
  readonly html: string;
}

interface Cell {
  readonly text: string;
  readonly numeric: boolean;
}

/** The exact value: decimals with a point, percentages in percent, an age as the instant of its event. */
export function copyValue(column: Column, row: RowValues): string {
  const value = column.value(row);
  if (value === null) return '';
  return column.kind === 'age' ? formatIso(parseMicros(value)) : value;
}

/** What would break a table, or run as a formula. */
const plain = (text: string): string => {
  const line = text.replaceAll(/[\t\r\n]+/g, ' ');
  return /^[=@]/.test(line) || (/^[+-]/.test(line) && !/^[+-]?\d/.test(line)) ? `'${line}` : line;
};
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

// Excel and LibreOffice take the number from the attribute, not from text that their locale may read otherwise.
const cellHtml = ({ text, numeric }: Cell): string =>
  numeric && text !== '' ? `<td x:num="${text}" sdval="${text}" sdnum="1033;">${text}</td>` : `<td>${escaped(text)}</td>`;

const shown = (columns: readonly Column[]): readonly Column[] => columns.filter(({ kind }) => kind !== 'trend');

/** A line of heads, then each row: id, name, and the columns that hold values. */
export function copyTable(rows: readonly RowValues[], columns: readonly Column[]): Copied {
  const kept = shown(columns);
  const heads = ['index', 'name', ...kept.map(({ name }) => name)];
  const body = rows.map((row): readonly Cell[] => [
    { text: plain(row.id), numeric: false }, { text: plain(row.info?.name ?? ''), numeric: false },
    ...kept.map((column): Cell => ({ text: column.numeric && column.kind !== 'age' ? copyValue(column, row) : plain(copyValue(column, row)), numeric: column.numeric && column.kind !== 'age' })),
  ]);
  const text = [heads, ...body.map((cells) => cells.map((cell) => cell.text))].map((cells) => `${cells.join('\t')}\n`).join('');
  const html = `<table xmlns:x="urn:schemas-microsoft-com:office:excel"><thead><tr>${heads.map((head) => `<th>${escaped(head)}</th>`).join('')}</tr></thead><tbody>${body.map((cells) => `<tr>${cells.map(cellHtml).join('')}</tr>`).join('')}</tbody></table>`;
  return { text, html };
}

export function copyOne(row: RowValues, column: Column): Copied {
  const text = copyValue(column, row);
  const numeric = column.numeric && column.kind !== 'age';
  return { text, html: `<table xmlns:x="urn:schemas-microsoft-com:office:excel"><tbody><tr>${cellHtml({ text: numeric ? text : plain(text), numeric })}</tr></tbody></table>` };
}
