/** Reads protobuf's wire format from bytes that nobody vouches for. Texts are strings of one character per byte (latin1), as in wire.ts. */

/** Wire types. */
export const VARINT = 0;
export const LENGTH = 2;
/** What stands before a field's value. */
export const tag = (field: number, type: number): number => (field << 3) | type;

/** Families and most qualifiers are one character: no need to make that string again for each cell. */
const CHARACTERS = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));

/** A position in a message; every read checks the end, so that a cut or hostile message throws instead of reading on. */
export class Cursor {
  readonly #buffer: Buffer;
  #at: number;
  #end: number;

  constructor(buffer: Buffer, at: number, end: number) {
    this.#buffer = buffer;
    this.#at = at;
    this.#end = end;
  }

  more(): boolean {
    return this.#at < this.#end;
  }

  at(): number {
    return this.#at;
  }

  /** Leaves `size` bytes out. */
  pass(size: number): void {
    this.#forward(size);
  }

  /** A varint of at most 32 bits: tags and lengths. */
  length(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
      if (scale > 2 ** 35) throw new RangeError('a length has more than 32 bits');
    }
  }

  int64(): bigint {
    let value = 0;
    let scale = 1;
    for (let read = 0; read < 7; read++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return BigInt(value);
      scale *= 0x80;
    }
    let byte = this.#byte();
    // 53 bits are exact in a double: microseconds of all years until 2255, and one BigInt instead of five.
    if (byte < 0x10) return BigInt(value + byte * scale);
    let wide = BigInt(value) | (BigInt(byte & 0x7f) << 49n);
    for (let shift = 56n; byte >= 0x80 && shift < 70n; shift += 7n) {
      byte = this.#byte();
      wide |= BigInt(byte & 0x7f) << shift;
    }
    if (byte < 0x80) return BigInt.asIntN(64, wide);
    throw new RangeError('a number has more than 64 bits');
  }

  bytes(): Buffer {
    const to = this.#past();
    const from = this.#at;
    this.#at = to;
    return this.#buffer.subarray(from, to);
  }

  text(): string {
    const to = this.#past();
    const from = this.#at;
    this.#at = to;
    return to - from === 1 ? (CHARACTERS[this.#buffer[from] ?? 0] ?? '') : this.#buffer.toString('latin1', from, to);
  }

  /** The value of a StringValue or BytesValue message, which leaves an empty one out. */
  wrapped(): string {
    const to = this.#past();
    const end = this.#end;
    this.#end = to;
    let value = '';
    while (this.#at < to) {
      const key = this.length();
      if (key === tag(1, LENGTH)) value = this.text();
      else this.skip(key & 7);
    }
    this.#end = end;
    return value;
  }

  /** Reads the message that starts here; the cursor ends with it meanwhile. */
  within<T>(read: (cursor: this) => T): T {
    const to = this.#past();
    const end = this.#end;
    this.#end = to;
    const value = read(this);
    this.#at = to;
    this.#end = end;
    return value;
  }

  skip(type: number): void {
    if (type === VARINT) this.int64();
    else if (type === LENGTH) this.#at = this.#past();
    else if (type === 1) this.#forward(8);
    else if (type === 5) this.#forward(4);
    else throw new RangeError(`no such wire type: ${type}`);
  }

  #byte(): number {
    const byte = this.#at < this.#end ? this.#buffer[this.#at++] : undefined;
    if (byte === undefined) throw new RangeError('the message is cut off');
    return byte;
  }

  /** The end of what starts here, after its length. */
  #past(): number {
    const size = this.length();
    if (size > this.#end - this.#at) throw new RangeError('the message is cut off');
    return this.#at + size;
  }

  #forward(size: number): void {
    if (size > this.#end - this.#at) throw new RangeError('the message is cut off');
    this.#at += size;
  }
}
