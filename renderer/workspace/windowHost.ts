/** What the browser, or the desktop app, does for windows of panes: opens them, carries their messages, tells whose the desk is. */
import { isPaneId } from './pane.ts';
import type { PaneWindow } from './saved.ts';
import type { WindowMessage } from './windowMessages.ts';

export interface WindowHost {
  /** False where the browser refused, as it does without a press of the user. */
  open(window: PaneWindow): boolean;
  post(message: WindowMessage): void;
  subscribe(listener: (message: unknown) => void): () => void;
  /** Where this window is on the screen; null where nobody knows. */
  bounds(): PaneWindow['bounds'];
  closeSelf(): void;
  /** Calls `change(false)` while another page owns the desk, `change(true)` from when this one does. */
  own(change: (owner: boolean) => void): void;
}

/** `#w=ID`: this page is a window of panes. */
export function windowIdOf(hash: string): string | null {
  const id = /^#w=(.*)$/.exec(hash)?.[1];
  return isPaneId(id) ? id : null;
}

/** As long as it takes a page that reloads to let go of the lock. */
const LOCK_MS = 1000;

/** `desktop`: the app opens the window by itself and remembers its place; window.open answers nothing there. */
export function browserWindows(window: Window, desktop: boolean): WindowHost {
  const channel = new BroadcastChannel('frontrow');
  return {
    open({ id, bounds }) {
      const address = new URL(`#w=${id}`, window.location.href).href;
      const [x, y, width, height] = bounds ?? [window.screenX + 60, window.screenY + 60, 900, 700];
      return window.open(address, `frontrow-${id}`, `popup,left=${x},top=${y},width=${width},height=${height}`) !== null || desktop;
    },
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel is its origin's own
    post: (message) => channel.postMessage(message),
    subscribe(listener) {
      const onMessage = (event: MessageEvent<unknown>): void => listener(event.data);
      channel.addEventListener('message', onMessage);
      return () => channel.removeEventListener('message', onMessage);
    },
    bounds: () => (desktop ? null : [window.screenX, window.screenY, window.innerWidth, window.innerHeight]),
    closeSelf: () => window.close(),
    own(change) {
      // Only secure pages have locks; elsewhere two tabs of one desk keep what the last of them did.
      const locks = window.navigator.locks as LockManager | undefined;
      if (locks === undefined) return;
      const timer = setTimeout(() => change(false), LOCK_MS);
      void locks.request('frontrow.desk', () => {
        clearTimeout(timer);
        change(true);
        return new Promise<never>(() => {}); // held until the page is gone
      });
    },
  };
}

/** What a window of panes shows is the desk's to keep: its index and range are not the choice of the next visit. */
export const paneWindowStorage = (storage: Storage): Pick<Storage, 'getItem' | 'setItem'> => ({
  getItem: (key) => storage.getItem(key),
  setItem(key, value) {
    if (key !== 'frontrow.index' && key !== 'frontrow.range') storage.setItem(key, value);
  },
});
