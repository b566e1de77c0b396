/**
 * Path text of a line that grows at its right end: at most two points per pixel column, of which every column's lowest and
 * highest survive, in time order. The text comes in two parts, body and tail, so that a new point rewrites a short tail only:
 * parsing and painting a path costs by its length.
 */

export interface LinePath {
  /** Adds a point, left to right, in pixels. `joined` false starts a new piece: nothing is drawn between it and the one before. */
  add(x: number, y: number, joined: boolean): void;
  /** Finished columns; the same text for many points at a time. */
  body(): string;
  /** From the end of the body to the newest point, which is always its end. Empty for no points. */
  tail(): string;
}

/** Columns that gather in the tail before they move to the body. */
const TAIL_COLUMNS = 48;

/** One decimal: a tenth of a pixel is finer than any screen, and half the text. By whole numbers, whose text is made much quicker. */
function short(pixel: number): string {
  const tenths = Math.round(pixel * 10);
  const rest = tenths % 10;
  return rest === 0 ? String(tenths / 10) : tenths < 0 ? String(tenths / 10) : `${(tenths - rest) / 10}.${rest}`;
}

export function createLinePath(): LinePath {
  let body = '';
  let done = ''; // finished columns of the tail
  let columns = 0; // in `done`
  let column = Number.NaN; // no column is open
  let fresh = true; // the open column starts a piece
  let lowX = 0, lowY = 0, highX = 0, highY = 0, lastX = 0, lastY = 0; // of the open column; y grows downwards
  let count = 0, lowAt = 0, highAt = 0; // points of the open column, and where its extremes came: several can share an instant

  const step = (started: boolean, x: number, y: number): string =>
    // The zero-length stroke makes a lone point visible through its round cap.
    started ? `L${short(x)},${short(y)}` : `M${short(x)},${short(y)}h0`;

  /** Text of the open column: one or two points, and the newest one where the line ends in it. */
  function open(ending: boolean): string {
    if (Number.isNaN(column)) return '';
    let text: string;
    if (lowAt === highAt) text = step(!fresh, lowX, lowY);
    else if (lowAt < highAt) text = step(!fresh, lowX, lowY) + step(true, highX, highY);
    else text = step(!fresh, highX, highY) + step(true, lowX, lowY);
    const reached = Math.max(lowAt, highAt) === count;
    return ending && !reached ? text + step(true, lastX, lastY) : text;
  }

  /** Moves the tail's finished columns to the body; the next tail starts where they end. */
  function gather(): void {
    body += done;
    done = `M${done.slice(done.lastIndexOf('L') > done.lastIndexOf('M') ? done.lastIndexOf('L') + 1 : done.lastIndexOf('M') + 1)}`;
    columns = 0;
  }

  return {
    add(x, y, joined) {
      const here = Math.floor(x);
      if (here === column && joined) {
        count++;
        if (y < lowY) { lowX = x; lowY = y; lowAt = count; }
        if (y > highY) { highX = x; highY = y; highAt = count; }
      } else {
        done += open(!joined); // a piece ends in its own last point, not in an extreme before it
        if (!Number.isNaN(column) && ++columns > TAIL_COLUMNS) gather();
        fresh = !joined || done === '';
        column = here;
        lowX = highX = x;
        lowY = highY = y;
        count = lowAt = highAt = 1;
      }
      lastX = x;
      lastY = y;
    },
    body: () => body,
    tail: () => done + open(true),
  };
}
