/** Points to path text, step by step: an append costs one column, everything else draws the line anew. */
import { firstVisible } from './cursor.ts';
import type { Drawing, Drawn } from './drawing.ts';
import type { Frame, Plot } from './frame.ts';
import { type Joint, jointAt, learnSilence, type Silence } from './gaps.ts';
import { createLinePath, type LinePath } from './linePath.ts';
import type { Points } from './points.ts';
import { transformOf } from './priceScale.ts';
import { scaleOver } from './sessionScale.ts';
import type { TradingStretch } from './timeline.ts';

/** Points per pixel column from which a line is dense. */
const DENSE = 1.5;

/** Lists picked from one calendar: the same ones where they begin and end alike. */
const sameStretches = (a: readonly TradingStretch[], b: readonly TradingStretch[]): boolean => a === b || (a.length === b.length && a[0] === b[0] && a.at(-1) === b.at(-1));

export function createLineDrawing(points: Points): Drawing {
  let frame: Frame | null = null;
  let plot: Plot | null = null;
  let revision = -1;
  let next = 0;
  let added = 0; // points in both paths
  let past: LinePath = createLinePath();
  let current: LinePath = createLinePath();
  let pastText = '';
  let place = (time: number): number => time;
  let silence: Silence = { history: 0, tail: 0 };
  let learned: { readonly revision: number; readonly length: number; readonly stretches: readonly TradingStretch[] } | null = null;
  let last: Drawn['last'] = null;
  /** Where the walk stands: time of the point drawn last, close of its session, an instant with its pixel, pixels per millisecond of trading. */
  let walk = { before: Number.NEGATIVE_INFINITY, stretchEnd: Number.NEGATIVE_INFINITY, origin: 0, originX: 0, perTime: 0 };

  return {
    draw(nextFrame, nextPlot, limit) {
      const { times, values, length } = points;
      let joints = false;
      if (nextFrame !== frame || nextPlot !== plot || points.revision !== revision || (next > 0 && (times[next - 1] ?? 0) > limit)) {
        frame = nextFrame;
        plot = nextPlot;
        revision = points.revision;
        // Of the points left of the frame only the last can show, as the start of the line that enters it.
        next = Math.max(0, firstVisible(points, nextFrame.from - 1) - 1);
        while (next > 0 && (times[next] ?? 0) > limit) next--;
        added = 0;
        past = createLinePath();
        current = createLinePath();
        last = null;
        joints = true;
        const { stretches } = nextFrame.scale.timeline;
        // A view that only moves has learned it before.
        if (learned?.revision !== revision || learned.length !== length || !sameStretches(learned.stretches, stretches)) {
          learned = { revision, length, stretches };
          silence = learnSilence(points, nextFrame.scale.timeline);
        }
        place = scaleOver(nextFrame.scale, nextPlot.x, nextPlot.x + nextPlot.width);
        const perTime = nextPlot.width / (nextFrame.scale.timeline.toTrading(nextFrame.to) - nextFrame.scale.timeline.toTrading(nextFrame.from) || 1);
        walk = { before: Number.NEGATIVE_INFINITY, stretchEnd: Number.NEGATIVE_INFINITY, origin: 0, originX: 0, perTime };
      }
      const { timeline } = nextFrame.scale;
      const transform = transformOf(nextFrame.prices);
      const linear = nextFrame.prices.scale !== 'log';
      const low = transform(nextFrame.prices.low);
      const perValue = nextPlot.height / (transform(nextFrame.prices.high) - low);
      const rightEdge = nextFrame.to;
      const bottom = nextPlot.y + nextPlot.height;
      const sessionStart = nextFrame.sessionStart ?? Number.NEGATIVE_INFINITY;
      const shortest = Math.min(silence.history, silence.tail);
      let pastGrew = joints;
      // Locals for the loop: quicker than what the closure holds.
      let { before, stretchEnd, origin, originX } = walk;
      const { perTime } = walk;
      let [lastX, lastY, seen] = [0, 0, -1];
      let index = next;
      for (; index < length; index++) {
        const micros = times[index] ?? 0;
        if (micros > limit) break;
        const time = micros / 1000;
        // What lies right of a window that stands still: one point, so that the line leaves it.
        if (time > rightEdge && before > rightEdge) break;
        let joint: Joint = 'joined';
        // Nearly every point follows the one before closely, inside one session: that needs no second look.
        if (!(time < stretchEnd && time - before <= shortest)) {
          joint = index === 0 ? 'session' : jointAt(points, index, timeline, silence);
          if (joint !== 'joined') joints = true;
          // Inside one stretch the scale is a straight line: one look at it serves until the close.
          const stretch = timeline.stretches[timeline.stretchOf(time)];
          const inside = stretch === undefined || (time >= stretch.open && time < stretch.close);
          stretchEnd = inside ? (stretch?.close ?? Number.POSITIVE_INFINITY) : Number.NEGATIVE_INFINITY;
          [origin, originX] = [time, place(time)];
        }
        before = time;
        const x = originX + (time - origin) * perTime;
        const value = values[index] ?? 0;
        const y = bottom - ((linear ? value : transform(value)) - low) * perValue;
        const earlier = time < sessionStart;
        if (earlier) pastGrew = true;
        (earlier ? past : current).add(x, y, joint === 'joined');
        added++;
        if (time > rightEdge) continue;
        lastX = x;
        lastY = y;
        seen = index;
      }
      next = index;
      walk = { before, stretchEnd, origin, originX, perTime };
      if (seen >= 0) last = { index: seen, x: lastX, y: lastY };
      if (pastGrew) pastText = past.body().join('') + past.tail();
      return { ink: { kind: 'line', past: pastText, body: current.body(), tail: current.tail(), dense: added > nextPlot.width * DENSE }, last, count: next, joints, silence };
    },
  };
}
