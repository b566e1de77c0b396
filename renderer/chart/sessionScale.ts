/** The session scale: instants to pixels over trading time, in the shape that Recharts' `scale` takes. */
import type { CustomScaleDefinition } from 'recharts';
import type { Timeline } from './timeline.ts';

export interface SessionScale extends CustomScaleDefinition<number> {
  (time: number): number;
  copy(): SessionScale;
  /** The instant at a pixel. */
  invert(pixel: number): number;
  ticks(): number[];
  readonly timeline: Timeline;
}

/** A scale over `timeline` with domain [from, to] (milliseconds) and range [0, 1] until set. */
export function sessionScale(timeline: Timeline, from: number, to: number): SessionScale {
  return build(timeline, [from, to], [0, 1]);
}

/** By the scale: where it was laid out last. */
const laid = new WeakMap<SessionScale, { readonly left: number; readonly right: number; readonly scale: SessionScale }>();

/** `scale` over the pixels from `left` to `right`: the same one for all who ask in a step, so none may set its domain or range. */
export function scaleOver(scale: SessionScale, left: number, right: number): SessionScale {
  let held = laid.get(scale);
  if (held?.left !== left || held.right !== right) {
    held = { left, right, scale: scale.copy().range([left, right]) };
    laid.set(scale, held);
  }
  return held.scale;
}

type Pair = readonly [number, number];
const pair = (values: readonly number[], otherwise: Pair): Pair => [values[0] ?? otherwise[0], values[1] ?? otherwise[1]];

function build(timeline: Timeline, firstDomain: Pair, firstRange: Pair): SessionScale {
  let domain = firstDomain;
  let range = firstRange;
  let start = 0;
  let span = 1;
  let perTrading = 0;
  const settle = (): void => {
    start = timeline.toTrading(domain[0]);
    span = timeline.toTrading(domain[1]) - start || 1; // a domain wholly in closed time has no width: everything lands on its left edge
    perTrading = (range[1] - range[0]) / span;
  };
  settle();

  const map = (time: number): number => range[0] + (timeline.toTrading(time) - start) * perTrading;
  const scale = Object.assign(map, { timeline }) as SessionScale;
  // Recharts reads and sets through one name, as d3 does.
  scale.domain = ((next?: readonly number[]) => {
    if (next === undefined) return domain;
    domain = pair(next, domain);
    settle();
    return scale;
  }) as SessionScale['domain'];
  scale.range = ((next?: readonly number[]) => {
    if (next === undefined) return range;
    range = pair(next, range);
    settle();
    return scale;
  }) as SessionScale['range'];
  scale.copy = () => build(timeline, domain, range);
  scale.invert = (pixel) => timeline.fromTrading(start + (perTrading === 0 ? 0 : (pixel - range[0]) / perTrading));
  scale.ticks = () => timeline.stretches.map(({ open }) => open).filter((open) => open >= domain[0] && open <= domain[1]);
  return scale;
}
