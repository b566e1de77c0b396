/** What a page's process may do: nothing but draw. A flaw in the page or in Chromium must not reach the disk, Node or the store. */
import type { WebPreferences } from 'electron';

/** All are today's defaults; written out, because a default that changes would change them silently. */
export const pagePreferences = {
  sandbox: true, // the operating system's: no files, no processes
  contextIsolation: true, // page code can't reach the preload's objects
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true, // same-origin policy
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false, // a file dropped on the window would replace the page
  spellcheck: false, // would fetch dictionaries
  // Prices must be painted in time after an hour behind another window (product.md, 13).
  backgroundThrottling: false,
} as const satisfies WebPreferences;
