/** Where our own page lives: one origin, compared exactly everywhere. */

/** A scheme of our own instead of file://, which would give a page the right to read the disk. */
export const APP_SCHEME = 'app';
export const APP_HOST = 'frontrow';
export const APP_ORIGIN = `${APP_SCHEME}://${APP_HOST}`;
export const APP_PAGE = `${APP_ORIGIN}/index.html`;

/** The development server's page, only for an unpackaged app and only on loopback: it may run any code it likes. */
export function developmentPage(text: string | undefined, isPackaged: boolean): string | null {
  if (text === undefined || isPackaged || !URL.canParse(text)) return null;
  const url = new URL(text);
  const loopback = url.hostname === '127.0.0.1' || url.hostname === 'localhost' || url.hostname === '[::1]';
  return url.protocol === 'http:' && loopback && url.username === '' && url.password === '' ? url.href : null;
}
