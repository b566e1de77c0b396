/** The dashboard's window. */
import { app, type BrowserWindow } from 'electron';
import { openPlaced } from './place.ts';
import { recall, remember } from './remembered.ts';

/** `page` is loaded by the caller. */
export function openMainWindow(preload: string): BrowserWindow {
  const folder = app.getPath('userData');
  return openPlaced({ preload, kept: recall(folder), keep: (place) => remember(folder, place) });
}
