/** Indices whose ticks this page wants: all that its panes show, told to the host in one list whenever it changes. */
import { failed, problem, type Result } from '../../shared/result.ts';
import type { PageDesk } from './pageDesk.ts';

/** As many as a host accepts from one page. */
const MOST = 64;

export interface Watched {
  /**
   * Wants ticks of `index` until `release`. `told` settles once the host has it: what is read after that misses no tick.
   * Indices that several panes show are told once; of more than 64 the latest are.
   */
  hold(index: string): { readonly told: Promise<Result<null>>; readonly release: () => void };
  close(): void;
}

export function openWatched(desk: Pick<PageDesk, 'request' | 'epoch'>): Watched {
  const holders = new Map<string, number>();
  let asking: Promise<Result<null>> | null = null;
  let closed = false;

  /** What is held and let go in one turn makes one request. */
  const tell = (): Promise<Result<null>> => {
    asking ??= Promise.resolve().then(async () => {
      asking = null;
      if (closed) return failed(problem('INTERNAL', 'the page closes', 'open it again'));
      return desk.request('watch', { indices: [...holders.keys()].slice(-MOST) });
    });
    return asking;
  };
  // A new connection of the host knows nothing of the old one's list.
  const stop = desk.epoch.subscribe(() => {
    if (holders.size > 0) void tell();
  });

  return {
    hold(index) {
      holders.set(index, (holders.get(index) ?? 0) + 1);
      let held = true;
      return {
        told: tell(),
        release() {
          if (!held) return;
          held = false;
          const left = (holders.get(index) ?? 1) - 1;
          if (left > 0) holders.set(index, left);
          else {
            holders.delete(index);
            if (!closed) void tell();
          }
        },
      };
    },
    close() {
      closed = true;
      stop();
    },
  };
}
