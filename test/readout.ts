/** The crosshair's readout, line by line: the price, the time (on all but daily bars), the day with the change, and a bar's figures. */
function readoutPart(text: string, name: 'price' | 'time' | 'day' | 'figures'): string {
  const [price = '', ...rest] = text.split('\n');
  const timed = /\d:\d\d|^day$/.test(rest[0] ?? '') ? 1 : 0;
  if (name === 'price') return price;
  if (name === 'time') return timed === 1 ? (rest[0] ?? '') : '';
  return name === 'day' ? (rest[timed] ?? '') : rest.slice(timed + 1).join('\n');
}

const isReadoutPart = (name: string): name is Parameters<typeof readoutPart>[1] => ['price', 'time', 'day', 'figures'].includes(name);

/** Text of a named part of a chart's crosshair; `read`: the text of the element that has the name. */
export async function partOf(name: string, read: (element: string) => Promise<string>): Promise<string> {
  return isReadoutPart(name) ? readoutPart(await read('words'), name) : read(name);
}

/** The same in a page. */
export function partIn(root: Element, name: string): string {
  const read = (element: string): string => root.querySelector(`[data-part="${element}"]`)?.textContent ?? '';
  return isReadoutPart(name) ? readoutPart(read('words'), name) : read(name);
}
