/** The browser that component, end-to-end and bench runs use: one that is on this machine. */
import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

/** CHROMIUM_PATH, else the first known place that exists; undefined lets the test library use its own download. */
export const chromiumPath = (): string | undefined => process.env['CHROMIUM_PATH'] ?? PLACES.find((path) => existsSync(path));

/** Switches for a quiet, offline, root-friendly headless run. */
export const chromiumArguments = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
] as const;
