/** SVG elements written straight to the DOM: what would be rendered anew by the dozen costs React more than the browser. */

const SVG = 'http://www.w3.org/2000/svg';

type Attributes = Readonly<Record<string, string | number>>;

/** Elements of one kind, kept from step to step: only what changes is written. */
export interface Pool {
  put(attributes: Attributes, text?: string): void;
  /** Takes out what this step did not put. */
  end(): void;
}

/** Of `name` with `className`, appended to `parent`. */
export function createPool(parent: SVGGElement, name: 'line' | 'rect' | 'text', className: string): Pool {
  const made: { readonly element: SVGElement; readonly held: Record<string, string | number>; text: string; shown: boolean }[] = [];
  let used = 0;
  return {
    put(attributes, text = '') {
      let one = made[used];
      if (one === undefined) {
        const element = document.createElementNS(SVG, name);
        element.setAttribute('class', className);
        one = { element, held: {}, text: '', shown: false };
        made.push(one);
      }
      used++;
      for (const key of Object.keys(attributes)) {
        const value = attributes[key] ?? '';
        if (one.held[key] === value) continue;
        one.held[key] = value;
        one.element.setAttribute(key, String(value));
      }
      if (text !== one.text) {
        one.text = text;
        if (one.element.firstChild instanceof Text) one.element.firstChild.data = text;
        else one.element.textContent = text;
      }
      if (one.shown) return;
      one.shown = true;
      parent.append(one.element);
    },
    end() {
      for (let at = used; at < made.length; at++) {
        const one = made[at];
        if (one?.shown !== true) break;
        one.shown = false;
        one.element.remove();
      }
      used = 0;
    },
  };
}
