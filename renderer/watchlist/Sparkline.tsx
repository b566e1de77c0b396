/** An index's recent shape in a few pixels: one path, the newest price at its end. */
import { memo } from 'react';
import { useSparkline } from '../store/hooks.ts';

const WIDTH = 46;
const HEIGHT = 18;

/** Path over the box, 1 px inside; empty with fewer than two points. */
export function sparkPath(points: readonly number[], width = WIDTH, height = HEIGHT): string {
  if (points.length < 2) return '';
  const low = Math.min(...points);
  const span = Math.max(...points) - low;
  const step = (width - 2) / (points.length - 1);
  return points
    .map((value, at) => `${at === 0 ? 'M' : 'L'}${(1 + at * step).toFixed(1)} ${(span === 0 ? height / 2 : 1 + (height - 2) * (1 - (value - low) / span)).toFixed(1)}`)
    .join('');
}

export const Sparkline = memo(function Sparkline({ id, price }: { readonly id: string; readonly price: string | null }) {
  const points = useSparkline(id);
  if (!points || points.length === 0) return null;
  return (
    <svg className="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true" focusable="false">
      <path d={sparkPath(price === null ? points : [...points, Number(price)])} />
    </svg>
  );
});
