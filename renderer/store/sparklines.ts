/** Recent shape of every index, asked for in groups and again as the desk's time goes on; the newest price is drawn at its end. */
import { createKeyed, type Keyed } from './cell.ts';
import type { PageDesk } from './pageDesk.ts';

export interface Sparklines {
  /** Doubles for pixels, oldest first. */
  readonly points: Keyed<readonly number[]>;
  close(): void;
}

const POINTS = 40;
const GROUP = 50;
const DESK_PERIOD_MS = 300_000;
const MIN_PERIOD_MS = 15_000;

/** `window` tells what is drawn now: asked for anew as soon as it is another one. */
export function openSparklines(desk: PageDesk, window: () => '1h' | '1D' | '1W' = () => '1D'): Sparklines {
  const points = createKeyed<readonly number[]>();
  let asking = false;
  let closed = false;
  let askedAt = -Infinity;
  let askedFor = '';

  async function ask(ids: readonly string[], span: ReturnType<typeof window>): Promise<void> {
    for (let at = 0; at < ids.length; at += GROUP) {
      const result = await desk.request('sparklines', { indices: ids.slice(at, at + GROUP), points: POINTS, ...(span === '1D' ? {} : { window: span }) });
      if (closed || window() !== span) return;
      if (!result.ok) {
        askedFor = '';
        return; // a picture beside the number: tried again with the next period
      }
      for (const { index, prices } of result.value) points.set(index, prices.slice(-POINTS).map(Number).filter(Number.isFinite));
    }
  }

  const look = (): void => {
    const indices = desk.indices.get();
    if (asking || indices === null || indices.length === 0 || desk.host.get().kind !== 'live') return;
    const span = window();
    const key = `${desk.epoch.get()} ${indices.length} ${span}`;
    const period = Math.max(MIN_PERIOD_MS, DESK_PERIOD_MS / Math.max(1, desk.beat.get()?.speed ?? 1));
    const since = desk.elapsed() - askedAt;
    if (since < (key === askedFor ? period : 2000)) return;
    [askedAt, askedFor, asking] = [desk.elapsed(), key, true];
    void ask(indices.map((index) => index.id), span).finally(() => {
      asking = false;
    });
  };
  const stop = desk.pulse.subscribe(look);
  return {
    points,
    close() {
      closed = true;
      stop();
    },
  };
}
