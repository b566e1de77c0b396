/** The path of a sparkline: its past, drawn again only where its scale moves, and the last step to the newest price. */

export const SPARK = { width: 46, height: 18 } as const;
const tenths = (value: number): number => Math.round(value * 10) / 10;

const yOf = (value: number, low: number, high: number, height: number): number => (high === low ? height / 2 : height - 1 - (height - 2) * ((value - low) / (high - low)));

/** Path over the box, 1 px inside; empty with fewer than two points. */
export function sparkPath(points: readonly number[], { width, height }: { readonly width: number; readonly height: number } = SPARK): string {
  if (points.length < 2) return '';
  return steps(points, points.length, Math.min(...points), Math.max(...points), width, height);
}

function steps(points: readonly number[], places: number, low: number, high: number, width: number, height: number): string {
  const step = (width - 2) / (places - 1);
  let text = '';
  for (let at = 0; at < points.length; at += 1) {
    const value = points[at] ?? low;
    text += `${at === 0 ? 'M' : 'L'}${tenths(1 + at * step)} ${tenths(yOf(value, low, high, height))}`;
  }
  return text;
}

export interface SparkParts {
  readonly body: string;
  readonly tail: string;
}

/**
 * Makes the two paths of one sparkline; both texts stay the same objects while nothing moved. Its scale holds all prices it was asked for since
 * its points came.
 */
export function createSpark(): (points: readonly number[], last: number | null) => SparkParts {
  let known: readonly number[] | null = null;
  let [low, high, joint] = [0, 0, ''];
  let parts: SparkParts = { body: '', tail: '' };
  let shown: number | null = null;
  const { width, height } = SPARK;
  return (points, last) => {
    if (points === known && last === shown) return parts;
    const fresh = points !== known;
    if (fresh) [known, low, high] = [points, Math.min(...points), Math.max(...points)];
    shown = last;
    if (points.length === 0 || (points.length === 1 && last === null)) return (parts = { body: '', tail: '' });
    const wider = last !== null && (last < low || last > high);
    if (wider) [low, high] = [Math.min(low, last), Math.max(high, last)];
    let { body } = parts;
    if (fresh || wider) {
      body = steps(points, points.length + 1, low, high, width, height);
      joint = `M${body.slice(Math.max(body.lastIndexOf('L'), 0) + 1)}`;
    }
    return (parts = { body, tail: last === null ? '' : `${joint}L${width - 1} ${tenths(yOf(last, low, high, height))}` });
  };
}
