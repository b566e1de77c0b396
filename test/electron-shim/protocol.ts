/** `protocol` and `net`: app://host/ is shown by plain Chromium as http://host.app.localhost/, each request answered by the handler. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Answer } from './chromium.ts';

type Handler = (request: Request) => Response | Promise<Response>;
const schemes = new Map<string, Handler>();

export const protocol = {
  registerSchemesAsPrivileged(): void {},
  handle: (scheme: string, handler: Handler): void => void schemes.set(scheme, handler),
  unhandle: (scheme: string): void => void schemes.delete(scheme),
  isProtocolHandled: (scheme: string): boolean => schemes.has(scheme),
};

export const handledPatterns = (): { urlPattern: string }[] => [...schemes.keys()].map((scheme) => ({ urlPattern: `http://*.${scheme}.localhost/*` }));

/** The app's address as Chromium gets it. */
export function toChromium(url: string): string {
  const match = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)(.*)$/.exec(url);
  return match && schemes.has(match[1]!) ? `http://${match[2]}.${match[1]}.localhost${match[3] || '/'}` : url;
}

/** And back, as the app knows it. */
export function fromChromium(url: string): string {
  const match = /^http:\/\/([^/]+)\.([a-z]+)\.localhost(.*)$/.exec(url);
  return match && schemes.has(match[2]!) ? `${match[2]}://${match[1]}${match[3]}` : url;
}

/** A CDP request for one of our schemes, answered as CDP wants it; undefined where no scheme of ours is meant. */
export async function answerScheme(request: Answer): Promise<Answer> {
  const url = fromChromium(request.url);
  const handler = schemes.get(url.split(':')[0]!);
  if (!handler || url === request.url) return undefined;
  const given = new Request('http://x/', { method: request.method, headers: request.headers, ...(request.postData ? { body: request.postData } : {}) });
  Object.defineProperty(given, 'url', { value: url }); // Request knows no custom schemes
  const response = await handler(given);
  return {
    responseCode: response.status,
    responseHeaders: [...response.headers].map(([name, value]) => ({ name, value })),
    body: Buffer.from(await response.arrayBuffer()).toString('base64'),
  };
}

const TYPES: Record<string, string> = { html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', json: 'application/json', woff2: 'font/woff2' };

export const net = {
  async fetch(input: string | Request, init?: RequestInit): Promise<Response> {
    const url = typeof input === 'string' ? input : input.url;
    if (!url.startsWith('file:')) return fetch(input, init);
    const path = fileURLToPath(url);
    try {
      return new Response(await readFile(path), { headers: { 'content-type': TYPES[path.split('.').pop()!] ?? 'application/octet-stream' } });
    } catch {
      throw new Error('net::ERR_FILE_NOT_FOUND');
    }
  },
  isOnline: (): boolean => true,
};
