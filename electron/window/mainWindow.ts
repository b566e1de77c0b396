/** The dashboard's window: opened where it was, its place kept as it moves. */
import { app, BrowserWindow, screen } from 'electron';
import { pagePreferences } from '../security/sandbox.ts';
import { type Bounds, MINIMUM_SIZE, restoredBounds } from './bounds.ts';
import { recall, remember } from './remembered.ts';

/** Between the last move and the write: dragging makes hundreds of moves. */
const SETTLE_MS = 500;

/** Opens the window and shows it as soon as it can paint; `page` is loaded by the caller. */
export function openMainWindow(preload: string): BrowserWindow {
  const folder = app.getPath('userData');
  const kept = recall(folder);
  const window = new BrowserWindow({
    ...restoredBounds(kept?.bounds ?? null, workAreas()),
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
  keepPlace(window, folder);
  return window;
}

function workAreas(): [Bounds, ...Bounds[]] {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter((display) => display.id !== primary.id);
  return [primary.workArea, ...others.map((display) => display.workArea)];
}

function keepPlace(window: BrowserWindow, folder: string): void {
  let timer: NodeJS.Timeout | undefined;
  const keep = (): void => {
    clearTimeout(timer);
    if (!window.isDestroyed()) remember(folder, { bounds: window.getNormalBounds(), maximized: window.isMaximized() });
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(keep, SETTLE_MS);
  };
  window.on('resize', soon);
  window.on('move', soon);
  window.on('close', keep);
}
