/**
 * The least that crosshairs of DOM on React's page take: an event to one of them, and what changes from point to point: two transforms and three
 * texts in it, a transform and a text in each other. No search, no scale, no figures.
 */
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { type Make, once } from './contender.ts';

const TEXTS = 64;
const moves = new Set<(x: number, y: number, at: number, own: boolean) => void>();
let steps = 0;

function mover(area: Element): (x: number, y: number, at: number, own: boolean) => void {
  const find = (part: string): HTMLElement | null => area.querySelector<HTMLElement>(`[data-part="${part}"]`);
  const lines = [find('vertical')?.style, find('horizontal')?.style] as const;
  const nodes = ['words', 'price-tag', 'time-tag'].map((part) => {
    const node = document.createTextNode('');
    find(part)?.replaceChildren(node);
    return node;
  });
  const texts = nodes.map((_, part) => Array.from({ length: TEXTS }, (__, at) => `1${part}:0${at % 10}:${10 + (at % 50)}.${100 + at}${part === 0 ? '\n10:02:03.123 -05:00\nWed, Nov 6   +0.12' : ''}`));
  return (x, y, at, own) => {
    if (lines[0]) lines[0].transform = `translate(${x}px, 10px)`;
    if (own && lines[1]) lines[1].transform = `translate(10px, ${y}px)`;
    for (let part = 0; part < (own ? nodes.length : 1); part++) {
      const node = nodes[part];
      if (node) node.data = texts[part]?.[at % TEXTS] ?? '';
    }
  };
}

export const cursorFloor: Make = (place, _, { width, height }) => {
  place.style.width = `${width}px`;
  place.style.height = `${height}px`;
  const container = document.createElement('div');
  container.style.height = '100%';
  const root = createRoot(container);
  place.append(container);
  flushSync(() => root.render(
    <figure className="chart">
      <div className="chart-cursor" data-cursor="on">
        <div data-part="horizontal" className="chart-cursor-y"><div data-part="price-tag" className="chart-tag chart-tag-cursor" /></div>
        <div data-part="vertical" className="chart-cursor-x">
          <div data-part="time-tag" className="chart-cursor-time" />
          <div className="chart-readout" data-side="after" data-half="upper"><div data-part="words" className="chart-readout-words" /></div>
        </div>
      </div>
    </figure>,
  ));
  const area = container.querySelector('.chart-cursor');
  const box = once(() => place.getBoundingClientRect());
  const move = mover(container);
  moves.add(move);
  area?.addEventListener('pointermove', (event) => {
    if (!(event instanceof PointerEvent)) return;
    steps++;
    for (const each of moves) each(event.clientX - box().left, event.clientY - box().top, steps, each === move);
  });
  return {
    push() {},
    drawn: () => true,
    hover: (x, y) => area?.dispatchEvent(new PointerEvent('pointermove', { clientX: box().left + x, clientY: box().top + y, bubbles: true })),
    destroy() {
      moves.delete(move);
      flushSync(() => root.unmount());
    },
  };
};
