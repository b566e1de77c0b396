/** Points to path text, step by step: an append costs one column, a pan moves the paths, everything else draws the line anew. */
import { firstVisible } from './cursor.ts';
import type { Drawing, Drawn } from './drawing.ts';
import type { Frame, Plot } from './frame.ts';
import { type Joint, jointAt, learnSilence, type Silence } from './gaps.ts';
import { createLinePath, type LinePath } from './linePath.ts';
import { type LineReach, lineReach, sameStretches, shiftIn } from './lineReach.ts';
import type { Points } from './points.ts';
import { transformOf, yOf } from './priceScale.ts';
import { scaleOver } from './sessionScale.ts';
import type { TradingStretch } from './timeline.ts';

/** Points per pixel column from which a line is dense. */
const DENSE = 1.5;

export function createLineDrawing(points: Points): Drawing {
  let frame: Frame | null = null;
  let plot: Plot | null = null;
  let reach: LineReach | null = null;
  let shift = 0;
  let revision = -1;
  let first = 0; // point that the paths begin with
  let next = 0;
  let added = 0; // points in both paths
  let past: LinePath = createLinePath();
  let current: LinePath = createLinePath();
  let pastText = '';
  let place = (time: number): number => time;
  let silence: Silence = { history: 0, tail: 0 };
  let learned: { readonly revision: number; readonly length: number; readonly stretches: readonly TradingStretch[] } | null = null;
  let last: Drawn['last'] = null;
  /** Where the walk stands: time of the point drawn last, close of its session, an instant with its pixel. */
  let walk = { before: Number.NEGATIVE_INFINITY, stretchEnd: Number.NEGATIVE_INFINITY, origin: 0, originX: 0 };

  return {
    draw(nextFrame, nextPlot, limit, moving = false) {
      const { times, values, length } = points;
      let [joints, pastGrew] = [false, false];
      const stale = points.revision !== revision || (next > 0 && (times[next - 1] ?? 0) > limit);
      const shifted = stale || reach === null || (nextFrame === frame && nextPlot === plot) ? null : shiftIn(reach, (times[first] ?? 0) / 1000, nextFrame, nextPlot);
      if (reach !== null && shifted !== null) {
        frame = nextFrame;
        shift = shifted;
        joints = true;
        last = null; // searched for below
      } else if (reach === null || stale || nextFrame !== frame || nextPlot !== plot) {
        frame = nextFrame;
        plot = nextPlot;
        reach = lineReach(nextFrame, nextPlot, moving);
        shift = 0;
        revision = points.revision;
        // Of the points left of the line's reach only the last can show, as the start of the line that enters it.
        next = Math.max(0, firstVisible(points, reach.begin - 1) - 1);
        while (next > 0 && (times[next] ?? 0) > limit) next--;
        first = next;
        added = 0;
        past = createLinePath();
        current = createLinePath();
        last = null;
        joints = true;
        pastGrew = true;
        const { stretches } = nextFrame.scale.timeline;
        // A view that only moves has learned it before.
        if (learned?.revision !== revision || learned.length !== length || !sameStretches(learned.stretches, stretches)) {
          learned = { revision, length, stretches };
          silence = learnSilence(points, nextFrame.scale.timeline);
        }
        place = scaleOver(nextFrame.scale, nextPlot.x, nextPlot.x + nextPlot.width);
        walk = { before: Number.NEGATIVE_INFINITY, stretchEnd: Number.NEGATIVE_INFINITY, origin: 0, originX: 0 };
      }
      const { timeline } = nextFrame.scale;
      const transform = transformOf(nextFrame.prices);
      const linear = nextFrame.prices.scale !== 'log';
      const low = transform(nextFrame.prices.low);
      const perValue = nextPlot.height / (transform(nextFrame.prices.high) - low);
      const bottom = nextPlot.y + nextPlot.height;
      const { perTime, end } = reach;
      const sessionStart = nextFrame.sessionStart ?? Number.NEGATIVE_INFINITY;
      const shortest = Math.min(silence.history, silence.tail);
      // Locals for the loop: quicker than what the closure holds.
      let { before, stretchEnd, origin, originX } = walk;
      let [lastX, lastY, seen] = [0, 0, -1];
      let index = next;
      for (; index < length; index++) {
        const micros = times[index] ?? 0;
        if (micros > limit) break;
        const time = micros / 1000;
        // What lies right of a window that stands still: one point, so that the line leaves it.
        if (time > end && before > end) break;
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
        if (time > nextFrame.to) continue;
        lastX = x;
        lastY = y;
        seen = index;
      }
      next = index;
      walk = { before, stretchEnd, origin, originX };
      if (seen >= 0) last = { index: seen, x: lastX + shift, y: lastY };
      else if (shifted !== null) {
        const newest = Math.min(next, firstVisible(points, nextFrame.to + 0.001)) - 1; // times are in thousandths
        if (newest >= first) last = { index: newest, x: place((times[newest] ?? 0) / 1000) + shift, y: yOf(nextFrame.prices, nextPlot, values[newest] ?? 0) };
      }
      if (pastGrew) pastText = past.body().join('') + past.tail();
      return { ink: { kind: 'line', shift, past: pastText, body: current.body(), tail: current.tail(), dense: added > (reach.most - reach.least) * perTime * DENSE }, last, count: next, joints, silence };
    },
  };
}
