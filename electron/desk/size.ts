/** Size of a payload before anything walks all of it. */

/**
 * True while `value` costs at most `limit` bytes, counted roughly (a string its length, anything else 8): stops counting at the limit,
 * so that an enormous or endless payload costs no more than a small one. Cycles run into the limit too.
 */
export function withinSize(value: unknown, limit: number): boolean {
  const waiting: unknown[] = [value];
  let left = limit;
  while (waiting.length > 0) {
    const next = waiting.pop();
    left -= typeof next === 'string' ? next.length : 8;
    if (left < 0) return false;
    if (ArrayBuffer.isView(next) || next instanceof ArrayBuffer) left -= next.byteLength;
    else if (next instanceof Map || next instanceof Set) return false; // no request of ours holds one
    else if (Array.isArray(next)) {
      if (next.length * 8 > left) return false;
      for (const item of next) waiting.push(item);
    } else if (typeof next === 'object' && next !== null) {
      for (const [key, item] of Object.entries(next)) {
        left -= key.length;
        waiting.push(item);
      }
    }
  }
  return left >= 0;
}
