/** Points of one chart as parallel arrays in event order, (time, sequence): small, and quick to walk. */

export interface Columns {
  /** Event times, microseconds since 1970 as doubles: exact in the years 1685..2255. */
  readonly times: number[];
  readonly sequences: number[];
  /** Exact price text as its producer wrote it. */
  readonly texts: string[];
  /** The same prices as doubles, for pixels only. */
  readonly values: number[];
}

export const emptyColumns = (): Columns => ({ times: [], sequences: [], texts: [], values: [] });

/** First position whose (time, sequence) is at or after the given one. */
export function positionIn({ times, sequences }: Columns, time: number, sequence: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = times[middle] ?? 0;
    if (at < time || (at === time && (sequences[middle] ?? 0) < sequence)) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function isAt({ times, sequences }: Columns, position: number, time: number, sequence: number): boolean {
  return times[position] === time && sequences[position] === sequence;
}

export function pushTo({ times, sequences, texts, values }: Columns, time: number, sequence: number, text: string, value: number): void {
  times.push(time);
  sequences.push(sequence);
  texts.push(text);
  values.push(value);
}

export function insertAt({ times, sequences, texts, values }: Columns, position: number, time: number, sequence: number, text: string, value: number): void {
  times.splice(position, 0, time);
  sequences.splice(position, 0, sequence);
  texts.splice(position, 0, text);
  values.splice(position, 0, value);
}

export function cutFrom({ times, sequences, texts, values }: Columns, position: number, count: number): void {
  for (const array of [times, sequences, values]) array.splice(position, count);
  texts.splice(position, count);
}
