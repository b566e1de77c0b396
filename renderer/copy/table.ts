/** Tables for spreadsheets: numbers as plain decimals with a point, whatever the reader's locale. Pure. */
import type { Copyable } from './clipboard.ts';

export interface TableCell {
  readonly text: string;
  readonly numeric: boolean;
}

/** More rows than this go as text alone: a spreadsheet reads that as well, and the page does not stand still. */
const MOST_HTML_ROWS = 5000;

/** What would break a table, or run as a formula. */
export const plainText = (text: string): string => {
  const line = text.replaceAll(/[\t\r\n]+/g, ' ');
  return /^[=@]/.test(line) || (/^[+-]/.test(line) && !/^[+-]?\d/.test(line)) ? `'${line}` : line;
};
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

// Excel and LibreOffice take the number from the attribute, not from text that their locale may read otherwise.
export const cellHtml = ({ text, numeric }: TableCell): string =>
  numeric && text !== '' ? `<td x:num="${text}" sdval="${text}" sdnum="1033;">${text}</td>` : `<td>${escaped(plainText(text))}</td>`;

/** Tab-separated text and HTML. */
export function tableCopy(heads: readonly string[], rows: readonly (readonly TableCell[])[]): Copyable {
  const lines = [heads, ...rows.map((cells) => cells.map(({ text, numeric }) => (numeric ? text : plainText(text))))];
  const text = lines.map((cells) => `${cells.join('\t')}\n`).join('');
  const html = rows.length > MOST_HTML_ROWS ? '' : `<table xmlns:x="urn:schemas-microsoft-com:office:excel"><thead><tr>${heads.map((head) => `<th>${escaped(head)}</th>`).join('')}</tr></thead><tbody>${rows.map((cells) => `<tr>${cells.map(cellHtml).join('')}</tr>`).join('')}</tbody></table>`;
  return { text, html };
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** RFC 4180, commas and CRLF. */
export const tableCsv = (heads: readonly string[], rows: readonly (readonly TableCell[])[]): string =>
  [heads, ...rows.map((cells) => cells.map(({ text, numeric }) => (numeric ? text : plainText(text))))].map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
