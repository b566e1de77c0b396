/** A window of our page: opened where it was, its place kept as it moves. */
import { BrowserWindow, screen } from 'electron';
import { pagePreferences } from '../security/sandbox.ts';
import { type Bounds, MINIMUM_SIZE, restoredBounds } from './bounds.ts';
import type { Remembered } from './remembered.ts';

/** Between the last move and the write: dragging makes hundreds of moves. */
const SETTLE_MS = 500;

export interface Placed {
  readonly preload: string;
  readonly kept: Remembered | null;
  /** Where none is kept; absent: the dashboard's. */
  readonly size?: Pick<Bounds, 'width' | 'height'>;
  readonly keep: (place: Remembered) => void;
}

/** Opens the window and shows it as soon as it can paint; the page is loaded by the caller. */
export function openPlaced({ preload, kept, size, keep }: Placed): BrowserWindow {
  const window = new BrowserWindow({
    ...restoredBounds(kept?.bounds ?? null, workAreas(), size),
    minWidth: MINIMUM_SIZE.width, minHeight: MINIMUM_SIZE.height,
    title: 'Frontrow', show: false, backgroundColor: '#0b0e13', autoHideMenuBar: true,
    webPreferences: { ...pagePreferences, preload },
  });
  if (kept?.maximized === true) window.maximize();
  // Not before the first paint (a white flash), but also when that never comes: a broken page must be seen.
  const show = (): void => {
    if (!window.isDestroyed() && !window.isVisible()) window.show();
  };
  window.once('ready-to-show', show);
  setTimeout(show, 3_000).unref();
  keepPlace(window, keep);
  return window;
}

function workAreas(): [Bounds, ...Bounds[]] {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter((display) => display.id !== primary.id);
  return [primary.workArea, ...others.map((display) => display.workArea)];
}

function keepPlace(window: BrowserWindow, remember: Placed['keep']): void {
  let timer: NodeJS.Timeout | undefined;
  const keep = (): void => {
    clearTimeout(timer);
    if (!window.isDestroyed()) remember({ bounds: window.getNormalBounds(), maximized: window.isMaximized() });
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(keep, SETTLE_MS);
  };
  window.on('resize', soon);
  window.on('move', soon);
  window.on('close', keep);
}
