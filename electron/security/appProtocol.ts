/** `app://frontrow/`: serves the built page, and only that, to our own windows. */
import { readFile } from 'node:fs/promises';
import type { CustomScheme, Protocol } from 'electron';
import { contentSecurityPolicy, securityHeaders } from './headers.ts';
import { APP_HOST, APP_SCHEME } from './origin.ts';
import { type PageFile, pageFile } from './pageFile.ts';

/** Before the app is ready. `standard` gives it an origin of its own, `secure` what the web allows to https only. No CSP bypass, no CORS. */
export const appScheme: CustomScheme = { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } };

/** The file that an app:// URL names; null for another host, a port, user info or a bad path. */
export function appFile(root: string, url: string): PageFile | null {
  if (!URL.canParse(url)) return null;
  const { protocol, host, username, password } = new URL(url);
  if (protocol !== `${APP_SCHEME}:` || host !== APP_HOST || username !== '' || password !== '') return null;
  // From the text, not from URL.pathname: parsing resolves `..` and would hide it.
  const path = /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? '';
  return pageFile(root, path === '' ? '/' : path);
}

/** The page talks to its host over IPC, so it may connect to nothing. */
const headers = securityHeaders(contentSecurityPolicy({ connect: [], forms: false }));

export function serveAppProtocol(protocol: Pick<Protocol, 'handle'>, root: string): void {
  protocol.handle(APP_SCHEME, async (request) => {
    const file = request.method === 'GET' ? appFile(root, request.url) : null;
    if (file === null) return new Response('not found', { status: 404, headers });
    try {
      return new Response(new Uint8Array(await readFile(file.path)), { headers: { ...headers, 'content-type': file.type } });
    } catch {
      return new Response('not found', { status: 404, headers });
    }
  });
}
