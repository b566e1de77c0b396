/** Bytes to lines, as they come: any line end, no last newline, a byte order mark, bounded memory. */

/** No vendor's row is near it; a longer one is not text of prices. */
export const MAX_LINE = 16_384;

/** Lines without their ends. A line over MAX_LINE comes cut to it, so that its parser rejects it with its number. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    let from = 0;
    for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n', from)) {
      yield tidy(rest.slice(from, end));
      from = end + 1;
    }
    rest = rest.slice(from);
    // What lies past the cut is dropped up to the next newline, and the cut line still reaches its parser.
    if (rest.length > 2 * MAX_LINE) rest = rest.slice(0, MAX_LINE + 1);
  }
  rest += decoder.decode();
  if (rest !== '') yield tidy(rest);
}

const tidy = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line).slice(0, MAX_LINE);
