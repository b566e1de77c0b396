/** SVG elements written straight to the DOM: what would be rendered anew by the dozen costs React more than the browser. */

const SVG = 'http://www.w3.org/2000/svg';

type Attributes = Readonly<Record<string, string | number>>;

/** Elements of one kind, kept from step to step: only what changes is written. */
export interface Pool {
  /** The same attributes each time. */
  put(attributes: Attributes, text?: string): void;
  /** Takes out what this step did not put. */
  end(): void;
}

/** Of `name` with `className`, appended to `parent`. */
export function createPool(parent: SVGGElement, name: 'path' | 'text', className: string): Pool {
  const made: { readonly element: SVGElement; readonly held: (string | number)[]; words: Text | null; text: string; shown: boolean }[] = [];
  let keys: readonly string[] | null = null;
  let used = 0;
  return {
    put(attributes, text = '') {
      // What stood before it is gone: those after it keep their words.
      if (made[used]?.text !== text && made[used + 1]?.text === text) made.push(...made.splice(used, 1));
      let one = made[used];
      if (one === undefined) {
        const element = document.createElementNS(SVG, name);
        element.setAttribute('class', className);
        one = { element, held: [], words: null, text: '', shown: false };
        made.push(one);
      }
      used++;
      keys ??= Object.keys(attributes);
      for (let at = 0; at < keys.length; at++) {
        const key = keys[at] ?? '';
        const value = attributes[key] ?? '';
        if (one.held[at] === value) continue;
        one.held[at] = value;
        one.element.setAttribute(key, String(value));
      }
      if (text !== one.text) {
        one.text = text;
        if (one.words !== null) one.words.data = text;
        else one.element.append((one.words = document.createTextNode(text)));
      }
      if (one.shown) return;
      one.shown = true;
      parent.append(one.element);
    },
    end() {
      for (let at = used; at < made.length; at++) {
        const one = made[at];
        if (one?.shown !== true) continue;
        one.shown = false;
        one.element.remove();
      }
      used = 0;
    },
  };
}
