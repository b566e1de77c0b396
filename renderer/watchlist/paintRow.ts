/** One row of the list, drawn without React: it wakes for its own quote alone, and a price costs the text of its cells. */
import type { IndexView, QuoteView } from '../../shared/channels.ts';
import { compare, parseDecimal } from '../../shared/decimal.ts';
import { chipsOf, type Note, notesOf } from '../state/notes.ts';
import { NOTE_SHAPES, STATE_SHAPES } from '../state/shapes.ts';
import { stateWords } from '../state/words.ts';
import type { Keyed } from '../store/cell.ts';
import type { PageDesk } from '../store/pageDesk.ts';
import type { References } from '../store/references.ts';
import { motionReduced } from '../theme/applyTheme.ts';
import { attributeOf, cellPaint, type CellPaint, drawing, element, path, textIn } from './cellPaint.ts';
import type { Column, RowValues } from './columns.ts';

export interface RowSources {
  readonly desk: Pick<PageDesk, 'quotes' | 'info' | 'pulse'>;
  readonly references: Pick<References, 'of'>;
  readonly sparklines: { readonly points: Keyed<readonly number[]> };
}

export interface RowOptions {
  readonly id: string;
  readonly domId: string;
  readonly columns: readonly Column[];
  /** The closed index that it stands under. */
  readonly of: string | null;
}

/** Milliseconds that a flash stands: in two steps, since a fade would be drawn again with every frame. */
const FLASH_MS = 400;
/** Of the pulse, which comes in quarters. */
const SECOND_MS = 950;

/** Fills `row` and keeps it up until the returned function is called. */
export function paintRow(row: HTMLElement, { desk, references, sparklines }: RowSources, { id, domId, columns, of }: RowOptions): () => void {
  row.replaceChildren();
  const stated = stateCell(row, domId);
  const named = indexCell(row, id, domId, of);
  const cells = columns.map((column): CellPaint & { readonly column: Column; readonly cell: HTMLElement } => {
    const cell = element(row, 'span', column.kind === 'percent' ? `${column.id} pct change` : column.kind === 'signed' ? `${column.id} change` : column.id);
    cell.setAttribute('role', 'gridcell');
    cell.dataset['kind'] = column.kind;
    cell.id = `${domId}-${column.id}`;
    return { column, cell, ...cellPaint(cell, column) };
  });
  const [painted, ticked, slow] = [cells.flatMap((cell) => cell.paint ?? []), cells.flatMap((cell) => cell.tick ?? []), cells.flatMap((cell) => cell.second ?? [])];
  const aged = cells.find(({ column }) => column.kind === 'age')?.tick;
  const flash = flashOf(cells.find(({ column }) => column.id === 'last')?.cell);
  const [state, title] = [attributeOf(row, 'data-state'), attributeOf(row, 'title')];

  const values = (): RowValues => ({ id, quote: desk.quotes.get(id), info: desk.info.get(id), reference: references.of.get(id) });
  let now = values();
  let told: { quote: QuoteView | undefined; info: IndexView | undefined } | null = null;
  const paint = (): void => {
    now = values();
    const { quote, info } = now;
    if (told === null || !saysTheSame(told.quote, quote) || told.info !== info) {
      const notes = quote ? notesOf(quote) : [];
      state(quote?.state ?? 'nodata');
      stated(quote, notes);
      named(info, notes);
      title([info?.name ?? id, info?.label, ...notes.map(({ words }) => words), quote?.baseNote].filter(Boolean).join('\n'));
    }
    told = now;
    for (const draw of painted) draw(now);
    flash.price(quote, desk.pulse.get().elapsed);
  };
  let secondAt = -Infinity;
  const tick = (): void => {
    const pulse = desk.pulse.get();
    for (const draw of ticked) draw(now, pulse);
    flash.tick(pulse.elapsed);
    if (pulse.elapsed - secondAt < SECOND_MS) return;
    secondAt = pulse.elapsed;
    for (const draw of slow) draw(now);
  };
  const points = (): void => {
    for (const { points: draw } of cells) draw?.(sparklines.points.get(id), now);
  };
  // An age starts anew with its price, not a quarter second later.
  const priced = (): void => {
    paint();
    aged?.(now, desk.pulse.get());
  };
  priced();
  points();
  const stops = [desk.quotes.subscribe(id, priced), desk.info.subscribe(id, paint), references.of.subscribe(id, paint), sparklines.points.subscribe(id, points), desk.pulse.subscribe(tick)];
  return () => {
    for (const stop of stops) stop();
  };
}

/** All but the numbers: a price alone changes nothing of its state, notes and words. */
const saysTheSame = (a: QuoteView | undefined, b: QuoteView | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && a.state === b.state && a.reason === b.reason && a.baseNote === b.baseNote && a.delayMs === b.delayMs && a.skewMs === b.skewMs && a.flags.length === b.flags.length && a.flags.every((flag, at) => flag === b.flags[at]));

function stateCell(row: HTMLElement, domId: string): (quote: QuoteView | undefined, notes: readonly Note[]) => void {
  const cell = element(row, 'span', 'state');
  cell.setAttribute('role', 'gridcell');
  cell.id = `${domId}-state`;
  const svg = drawing(cell, 'shape', 12, 12);
  const outline = path(svg);
  const [named, d, classed, dashed] = [attributeOf(svg, 'data-state'), attributeOf(outline, 'd'), attributeOf(outline, 'class'), attributeOf(outline, 'stroke-dasharray')];
  const say = textIn(element(cell, 'span', 'sr'));
  return (quote, notes) => {
    const state = quote?.state ?? 'nodata';
    const shape = STATE_SHAPES[state];
    named(state);
    d(shape.d);
    classed(shape.className);
    dashed(shape.dash ?? null);
    say([quote ? stateWords(quote) : 'no data', ...notes.map(({ words }) => words)].join(', '));
  };
}

function indexCell(row: HTMLElement, id: string, domId: string, of: string | null): (info: IndexView | undefined, notes: readonly Note[]) => void {
  const cell = element(row, 'span', 'index');
  cell.setAttribute('role', 'rowheader');
  cell.id = `${domId}-index`;
  if (of !== null) element(cell, 'span', 'under').setAttribute('aria-hidden', 'true');
  element(cell, 'span', 'id').textContent = id;
  if (of !== null) element(cell, 'span', 'sr').textContent = `while ${of} is closed`;
  const more = element(cell, 'span', 'marks');
  let shown = '';
  return (info, notes) => {
    const chips = info ? chipsOf(info) : [];
    const tone = notes.length === 0 ? '' : notes.some(({ bad }) => bad) ? 'bad' : 'plain';
    const next = `${tone} ${chips.join('\n')}`;
    if (next === shown) return;
    shown = next;
    more.replaceChildren();
    for (const chip of chips) element(more, 'i', 'label').textContent = chip;
    if (tone === '') return;
    const svg = drawing(more, 'note-mark', 10, 10);
    if (tone === 'bad') svg.dataset['tone'] = 'bad';
    const { d, className } = NOTE_SHAPES[tone];
    const outline = path(svg);
    outline.setAttribute('d', d);
    outline.setAttribute('class', className);
  };
}

/** Doubles tell most prices apart; those they don't are compared exactly. */
function rose(from: string, to: string): boolean {
  const [a, b] = [Number(from), Number(to)];
  if (a !== b) return a < b;
  const [x, y] = [parseDecimal(from), parseDecimal(to)];
  return x !== undefined && y !== undefined && compare(x, y) < 0;
}

/** Colour behind a price that moved; none for readers who asked for less motion. */
function flashOf(cell: HTMLElement | undefined): { price(quote: QuoteView | undefined, elapsed: number): void; tick(elapsed: number): void } {
  let before: string | null = null;
  let since: number | null = null;
  const show = cell ? attributeOf(cell, 'data-flash') : () => {};
  return {
    price(quote, elapsed) {
      const price = quote?.price ?? null;
      if (price === before) return;
      const from = before;
      before = price;
      if (from === null || price === null || motionReduced() || (quote?.state !== 'live' && quote?.state !== 'quiet')) return;
      show(rose(from, price) ? 'up' : 'down');
      since = elapsed;
    },
    tick(elapsed) {
      if (since === null || elapsed - since < FLASH_MS) return;
      since = null;
      show(null);
    },
  };
}
