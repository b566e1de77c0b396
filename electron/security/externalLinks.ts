/** Links that may leave the app, for the user's own browser: help pages, by exact host. `openExternal` runs whatever handles a scheme. */

const HOSTS: ReadonlySet<string> = new Set(['cloud.google.com', 'docs.cloud.google.com', 'console.cloud.google.com', 'github.com']);

/** The address to open, normalised, or null where it is refused: not https, another host, a port, or user info (`https://github.com@evil`). */
export function externalAddress(text: string): string | null {
  if (text.length > 2_048 || !URL.canParse(text)) return null;
  const url = new URL(text);
  const allowed = url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === '' && HOSTS.has(url.hostname);
  return allowed ? url.href : null;
}
