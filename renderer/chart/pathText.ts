/** Path data as bytes: a line of thousands of steps is one string in the end, not thousands of pieces of it for the collector. */

export interface PathText {
  /** Bytes written so far: a mark for `cut`. */
  size(): number;
  /** A new piece starts at a pixel. The zero-length stroke makes a lone point visible through its round cap. */
  move(x: number, y: number): void;
  line(x: number, y: number): void;
  /** Takes back what was written after `size`. */
  cut(size: number): void;
  /** Starts over with a move to the end of the last step. */
  restart(): void;
  text(): string;
}

const [MOVE, LINE, COMMA, POINT, MINUS, ZERO, FLAT] = [77, 76, 44, 46, 45, 48, 104]; // M L , . - 0 h
/** No screen is wider: what lies further out is clipped anyway, and every step fits the room kept for it. */
const FURTHEST = 10_000_000;
const STEP = 32; // bytes that one step takes at most
const decoder = new TextDecoder();
const NONE = new Uint8Array(0);

export function createPathText(): PathText {
  let bytes = NONE; // room comes with the first step: most charts have no earlier session
  let size = 0;
  let last = 0; // where the last step begins

  /** One decimal: a tenth of a pixel is finer than any screen. */
  function put(pixel: number): void {
    let tenths = Math.max(-FURTHEST, Math.min(FURTHEST, Math.round(pixel * 10))) | 0;
    if (tenths < 0) {
      bytes[size++] = MINUS;
      tenths = -tenths;
    }
    const rest = tenths % 10;
    let whole = (tenths - rest) / 10;
    let digits = 1;
    for (let power = 10; power <= whole; power *= 10) digits++;
    for (let at = size + digits - 1; at >= size; at--) {
      bytes[at] = ZERO + (whole % 10);
      whole = (whole / 10) | 0;
    }
    size += digits;
    if (rest === 0) return;
    bytes[size++] = POINT;
    bytes[size++] = ZERO + rest;
  }

  function step(kind: number, x: number, y: number): void {
    if (size + STEP > bytes.length) {
      const larger = new Uint8Array(Math.max(2048, bytes.length * 2));
      larger.set(bytes);
      bytes = larger;
    }
    last = size;
    bytes[size++] = kind;
    put(x);
    bytes[size++] = COMMA;
    put(y);
  }

  return {
    size: () => size,
    move(x, y) {
      step(MOVE, x, y);
      bytes[size++] = FLAT;
      bytes[size++] = ZERO;
    },
    line: (x, y) => step(LINE, x, y),
    cut(to) {
      size = to;
    },
    restart() {
      bytes.copyWithin(0, last, size);
      bytes[0] = MOVE;
      size -= last;
      last = 0;
    },
    text: () => (size === 0 ? '' : decoder.decode(bytes.subarray(0, size))),
  };
}
