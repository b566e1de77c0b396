/**
 * Path text of a line that grows at its right end: at most two points per pixel column, of which every column's lowest and
 * highest survive, in time order. The text comes in two parts, body and tail, so that a new point rewrites a short tail only:
 * parsing and painting a path costs by its length.
 */
import { createPathText } from './pathText.ts';

export interface LinePath {
  /** Adds a point, left to right, in pixels. `joined` false starts a new piece: nothing is drawn between it and the one before. */
  add(x: number, y: number, joined: boolean): void;
  /**
   * Finished columns, piece by piece from left to right, each a path of its own; the same array for many points at a time. Apart, since
   * a screen is painted tile by tile, and every tile walks all of a path that touches it.
   */
  body(): readonly string[];
  /** From the end of the body to the newest point, which is always its end. Empty for no points. */
  tail(): string;
}

/** Columns that gather in the tail before they move to the body. */
const TAIL_COLUMNS = 48;
/** Columns that a piece of the body grows to: about half a tile. */
const PIECE_COLUMNS = 120;

export function createLinePath(): LinePath {
  let body: readonly string[] = [];
  let pieceColumns = 0; // in the body's last piece
  const ink = createPathText(); // finished columns of the tail
  let columns = 0; // in `ink`
  let shown = false; // what comes before anything is shown goes to the body a piece at a time
  let fresh = true; // the open column starts a piece
  let count = 0, lowAt = 0, highAt = 0; // points of the open column, and where its extremes came: several can share an instant
  // The open column in pixels, none while its number is NaN; y grows downwards. Fields of one object, since each double put into a
  // variable of a closure is a new object on the heap: over 10,000 points that costs more than the line.
  const open = { column: Number.NaN, lowX: Number.NaN, lowY: Number.NaN, highX: Number.NaN, highY: Number.NaN, lastX: Number.NaN, lastY: Number.NaN };

  function step(first: boolean, x: number, y: number): void {
    if (first && fresh) ink.move(x, y);
    else ink.line(x, y);
  }

  /** Writes the open column: one or two points, and the newest one where the line ends in it. */
  function write(ending: boolean): void {
    if (Number.isNaN(open.column)) return;
    const lowFirst = lowAt <= highAt;
    step(true, lowFirst ? open.lowX : open.highX, lowFirst ? open.lowY : open.highY);
    if (lowAt !== highAt) step(false, lowFirst ? open.highX : open.lowX, lowFirst ? open.highY : open.lowY);
    if (ending && Math.max(lowAt, highAt) !== count) step(false, open.lastX, open.lastY);
  }

  /** Moves the tail's finished columns to the body; the next tail starts where they end. */
  function gather(): void {
    const whole = body.length === 0 || pieceColumns >= PIECE_COLUMNS;
    const text = ink.text();
    body = whole ? [...body, text] : [...body.slice(0, -1), (body.at(-1) ?? '') + text.slice(text.slice(1).search(/[ML]/) + 1)]; // goes on where the piece ends
    pieceColumns = (whole ? 0 : pieceColumns) + columns;
    ink.restart();
    columns = 0;
  }

  return {
    add(x, y, joined) {
      const here = Math.floor(x);
      if (here === open.column && joined) {
        count++;
        if (y < open.lowY) { open.lowX = x; open.lowY = y; lowAt = count; }
        if (y > open.highY) { open.highX = x; open.highY = y; highAt = count; }
      } else {
        write(!joined); // a piece ends in its own last point, not in an extreme before it
        if (!Number.isNaN(open.column) && ++columns > (shown ? TAIL_COLUMNS : PIECE_COLUMNS)) gather();
        fresh = !joined || ink.size() === 0;
        open.column = here;
        open.lowX = open.highX = x;
        open.lowY = open.highY = y;
        count = lowAt = highAt = 1;
      }
      open.lastX = x;
      open.lastY = y;
    },
    body: () => body,
    tail() {
      shown = true;
      const finished = ink.size();
      write(true);
      const text = ink.text();
      ink.cut(finished);
      return text;
    },
  };
}
