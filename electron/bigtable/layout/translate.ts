/** Stretches of canonical keys and where their rows lie: which requests read them, and what an answer of those requests means. */
import { keyAfter, type KeyRange } from '../../../shared/rowKey.ts';
import type { Reader, ReadOutcome, ReadRequest, Row } from '../reader.ts';
import type { Lane, LanePage } from './merge.ts';

const RANGES_PER_REQUEST = 100;

/** A stretch whose physical keys differ from the canonical ones by their beginning only, so that both sort alike. */
export interface Piece {
  readonly canonical: KeyRange;
  readonly physical: KeyRange;
  /** Every physical key of the stretch starts with `from`; with `to` in its place it is canonical. Both empty: the same keys. */
  readonly from: string;
  readonly to: string;
}

export const samePlace = (range: KeyRange): Piece => ({ canonical: range, physical: range, from: '', to: '' });

/** The stretch `range` of the canonical keys that start with `to`, where the physical ones start with `from` instead. */
export const movedPlace = (range: KeyRange, from: string, to: string): Piece => ({
  canonical: range, physical: { start: from + range.start.slice(to.length), end: endWith(range.end, from, to) }, from, to,
});

/** The end of a whole prefix, `ID$` after `ID#`, is no key of it: its last character stands for the separator's successor. */
function endWith(end: string, from: string, to: string): string {
  if (end.startsWith(to)) return from + end.slice(to.length);
  return from.slice(0, -1) + String.fromCharCode(from.charCodeAt(from.length - 1) + 1);
}

/**
 * Pieces in as few sequences as first fit gives, each in the order of both its canonical and its physical keys: one request reads a sequence, and the
 * first rows of its answer are the first rows of its stretch. Pieces in the order of their canonical start.
 */
export function packPieces(pieces: readonly Piece[]): Piece[][] {
  const packed: Piece[][] = [];
  for (const piece of pieces) {
    const fits = packed.find((sequence) => {
      const last = sequence.at(-1);
      return last !== undefined && sequence.length < RANGES_PER_REQUEST && last.canonical.end <= piece.canonical.start && last.physical.end <= piece.physical.start;
    });
    if (fits) fits.push(piece);
    else packed.push([piece]);
  }
  return packed;
}

/** Reads one sequence of `packPieces`. `home` names the physical key at which a canonical key belongs. */
export function pieceLane(reader: Reader, sequence: readonly Piece[], { signal, families }: Pick<ReadRequest, 'signal' | 'families'>, home: (key: string) => string): Lane {
  let rest = sequence;
  return {
    async page(most, deadlineMs) {
      const outcome = await reader.read({ ranges: rest.map(({ physical }) => physical), limit: most, deadlineMs, ...(signal ? { signal } : {}), ...(families ? { families } : {}) });
      const page = pageOf(rest, outcome, most);
      if (page.knownTo !== null) rest = restFrom(rest, outcome.rows.at(-1)?.key ?? '');
      return page;
    },
    owns(key) {
      const physical = home(key);
      return sequence.some((piece) => piece.physical.start <= physical && physical < piece.physical.end);
    },
  };
}

/** Pure: what one answer says of its pieces. */
function pageOf(pieces: readonly Piece[], outcome: ReadOutcome, most: number): LanePage {
  const rows: Row[] = [];
  let at = 0;
  for (const row of outcome.rows) {
    while ((pieces[at]?.physical.end ?? '\uffff') <= row.key) at += 1;
    const piece = pieces[at];
    if (piece) rows.push(piece.from === '' && piece.to === '' ? row : { ...row, key: piece.to + row.key.slice(piece.from.length) });
  }
  const last = rows.at(-1);
  const toLast = last === undefined ? '' : keyAfter(last.key);
  if (outcome.ok) return { rows, knownTo: most > 0 && outcome.rows.length >= most ? toLast : null, error: null };
  const scanned = outcome.scannedTo === null ? '' : knownTo(pieces, outcome.scannedTo);
  return scanned === null ? { rows, knownTo: null, error: null } : { rows, knownTo: scanned > toLast ? scanned : toLast, error: outcome.error };
}

/** The canonical key before which all is known, once everything before the physical key `scannedTo` is; null: all of it. */
function knownTo(pieces: readonly Piece[], scannedTo: string): string | null {
  const [first] = pieces;
  if (first && scannedTo <= first.physical.start) return '';
  const open = pieces.find((piece) => piece.physical.end > scannedTo);
  if (!open) return null;
  return open.physical.start < scannedTo && scannedTo.startsWith(open.from) ? open.to + scannedTo.slice(open.from.length) : open.canonical.start;
}

/** What of the pieces lies after a physical key. */
function restFrom(pieces: readonly Piece[], key: string): Piece[] {
  return pieces.flatMap((piece) => {
    if (piece.physical.end <= key) return [];
    if (piece.physical.start > key) return [piece];
    const start = keyAfter(key);
    if (start >= piece.physical.end) return [];
    return [{ ...piece, canonical: { start: piece.to + start.slice(piece.from.length), end: piece.canonical.end }, physical: { start, end: piece.physical.end } }];
  });
}
