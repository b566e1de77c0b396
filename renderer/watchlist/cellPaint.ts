/** Cells as they are drawn: by their own text nodes, changed only where what they say changes. No layout is read. */
import { directionOf } from '../state/Change.tsx';
import { ARROWS } from '../state/shapes.ts';
import { showPercent, showPrice, showSigned } from '../state/shown.ts';
import type { Pulse } from '../store/pageDesk.ts';
import { ageText } from './ageText.ts';
import type { Column, RowValues } from './columns.ts';
import { createSpark, SPARK } from './sparkPath.ts';

const SVG = 'http://www.w3.org/2000/svg';
/** What stands where a value should be. */
const NONE = '–';

export interface CellPaint {
  /** The row's values are others. */
  readonly paint?: (row: RowValues) => void;
  /** A quarter second went by. */
  readonly tick?: (row: RowValues, pulse: Pulse) => void;
  /** A second went by: for what has nothing to say more often. */
  readonly second?: (row: RowValues) => void;
  /** Points of the trend line came. */
  readonly points?: (points: readonly number[] | undefined, row: RowValues) => void;
}

export function element<K extends keyof HTMLElementTagNameMap>(parent: Element, name: K, className: string): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  parent.append(made);
  return made;
}

export function drawing(parent: Element, className: string, width: number, height: number): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  for (const [name, value] of Object.entries({ class: className, viewBox: `0 0 ${width} ${height}`, width, height, 'aria-hidden': true, focusable: false })) svg.setAttribute(name, String(value));
  parent.append(svg);
  return svg;
}

export function path(svg: SVGSVGElement): SVGPathElement {
  const made = document.createElementNS(SVG, 'path');
  svg.append(made);
  return made;
}

/** A text that is set only where it is another one. */
export function textIn(parent: Element): (text: string) => void {
  const node = document.createTextNode('');
  parent.append(node);
  let shown = '';
  return (text) => {
    if (text === shown) return;
    shown = text;
    node.data = text;
  };
}

/** Sets an attribute only where it is another one; null takes it away. */
export function attributeOf(target: Element, name: string): (value: string | null) => void {
  let shown: string | null = null;
  return (value) => {
    if (value === shown) return;
    shown = value;
    if (value === null) target.removeAttribute(name);
    else target.setAttribute(name, value);
  };
}

/** Draws `column` into its empty cell. */
export function cellPaint(cell: HTMLElement, column: Column): CellPaint {
  switch (column.kind) {
    case 'price':
      return priceCell(cell, column);
    case 'signed':
      return signedCell(cell, column);
    case 'percent':
      return percentCell(cell, column);
    case 'bar':
      return barCell(cell, column);
    case 'trend':
      return trendCell(cell);
    case 'age': {
      const say = textIn(cell);
      const paint = (row: RowValues, pulse: Pulse): void => say(ageText(row.quote, row.info?.zone, pulse.now));
      return { tick: paint };
    }
    case 'text': {
      const say = textIn(cell);
      const tell = attributeOf(cell, 'title');
      return {
        paint(row) {
          const value = column.value(row);
          say(value ?? '');
          tell(value);
        },
      };
    }
  }
}

/** Draws a value at the index's decimals, again only where either is another one. */
function valuePaint(column: Column, draw: (value: string | null, decimals: number | null | undefined) => void): CellPaint {
  let [before, decimals]: [string | null | undefined, number | null | undefined] = [undefined, undefined];
  return {
    paint(row) {
      const value = column.value(row);
      const places = row.info?.decimals;
      if (value === before && places === decimals) return;
      [before, decimals] = [value, places];
      draw(value, places);
    },
  };
}

function priceCell(cell: HTMLElement, column: Column): CellPaint {
  const box = element(cell, 'span', 'price');
  const say = textIn(box);
  const classed = attributeOf(box, 'class');
  return valuePaint(column, (value, decimals) => {
    classed(value === null ? 'none' : 'price');
    say(value === null ? NONE : showPrice(value, decimals));
  });
}

function signedCell(cell: HTMLElement, column: Column): CellPaint {
  const say = textIn(cell);
  const direct = attributeOf(cell, 'data-direction');
  return valuePaint(column, (value, decimals) => {
    direct(directionOf(value));
    say(value === null ? '' : showSigned(value, decimals));
  });
}

function percentCell(cell: HTMLElement, column: Column): CellPaint {
  path(drawing(cell, 'arrow', 10, 8)).setAttribute('d', ARROWS.up); // the style sheet turns and hides it by the direction
  const say = textIn(cell);
  const why = textIn(element(cell, 'span', 'sr'));
  const direct = attributeOf(cell, 'data-direction');
  let before: string | null | undefined;
  return {
    paint(row) {
      const value = column.value(row);
      if (value === null) {
        const known = row.quote?.price != null;
        say(known ? NONE : '');
        why(known ? (column.id === 'percent' ? (row.quote?.baseNote ?? 'no change') : 'no price to measure from') : '');
        direct('flat');
      } else if (value !== before) {
        say(showPercent(value));
        why('');
        direct(directionOf(value));
      }
      before = value;
    },
  };
}

function barCell(cell: HTMLElement, column: Column): CellPaint {
  const bar = element(cell, 'span', 'bar');
  bar.setAttribute('role', 'img');
  bar.hidden = true;
  const mark = element(bar, 'span', 'mark');
  const label = attributeOf(bar, 'aria-label');
  const said = column.id === 'year' ? 'the range of 52 weeks' : 'the day\'s range';
  let before: string | null = null;
  let shown = -1;
  const tell = (): void => {
    if (before !== null) label(`at ${Math.round(Number(before))} % of ${said}`);
  };
  return {
    paint(row) {
      const value = column.value(row);
      if (value === before) return;
      if (value === null || before === null) bar.hidden = value === null;
      const first = before === null;
      before = value;
      if (value === null) return;
      if (first) tell();
      const place = Math.round((Number(value) / 100) * column.width);
      if (place === shown) return;
      shown = place;
      mark.style.transform = `translateX(${place}px)`; // moves it without a layout
    },
    second: tell,
  };
}

function trendCell(cell: HTMLElement): CellPaint {
  const svg = drawing(cell, 'spark', SPARK.width, SPARK.height);
  const [body, tail] = [attributeOf(path(svg), 'd'), attributeOf(path(svg), 'd')];
  const spark = createSpark();
  let known: readonly number[] | undefined;
  const draw = ({ quote }: RowValues): void => {
    if (known === undefined) return;
    const parts = spark(known, quote?.price == null ? null : Number(quote.price));
    body(parts.body);
    tail(parts.tail);
  };
  return {
    second: draw,
    points(points, row) {
      known = points;
      draw(row);
    },
  };
}
