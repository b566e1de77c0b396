/** A page whose process died comes back by itself: an unattended wallboard must not stay grey. */
import type { BrowserWindow } from 'electron';

const MOST = 3;
const WITHIN_MS = 60_000;

/** Whether to load the page again after the deaths at `deaths` (elapsed ms, oldest first): not when it dies at once each time. */
export function comesBack(deaths: readonly number[], now: number): boolean {
  return deaths.filter((death) => now - death < WITHIN_MS).length <= MOST;
}

export function reloadAfterCrash(window: BrowserWindow, page: string): void {
  let deaths: readonly number[] = [];
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    const now = performance.now();
    deaths = [...deaths.slice(-MOST), now];
    process.stderr.write(`frontrow: the page's process ended (${reason})\n`);
    if (comesBack(deaths, now)) void window.loadURL(page).catch(() => {});
  });
}
