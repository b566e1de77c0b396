/** What the browser host answers over HTTP: health, metrics, login and the built page. */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Desk } from '../desk/desk.ts';
import { reportDefect } from '../desk/report.ts';
import { contentSecurityPolicy, securityHeaders } from '../security/headers.ts';
import { pageFile } from '../security/pageFile.ts';
import { hostAllowed, originAllowed } from './access.ts';
import { LOGIN_STYLE, loginPage } from './loginPage.ts';
import type { Gatekeeper } from './pass.ts';

export interface Site {
  readonly desk: Pick<Desk, 'failing' | 'metrics'>;
  readonly rendererDir: string;
  readonly gate: Gatekeeper;
  readonly needsToken: boolean;
  readonly loopback: boolean;
  /** Names that this host answers to, beside addresses. */
  readonly names: readonly string[];
  /** The gateway's own figures, in Prometheus' text. */
  readonly ownMetrics: () => string;
}

const FORM_BYTES = 4_096;
const TEXT = 'text/plain; charset=utf-8';
const HTML = 'text/html; charset=utf-8';

/** Why a request is turned away before it is looked at: [status, text], or null. Also for the feed's upgrade. */
export function turnedAway({ headers }: IncomingMessage, site: Pick<Site, 'loopback' | 'names'>): readonly [number, string] | null {
  if (!hostAllowed(headers.host, site)) return [403, 'this host does not answer to that name'];
  if (!originAllowed(headers.origin, headers.host)) return [403, 'not from another site'];
  return null;
}

/** Never rejects: a defect becomes a 500 and a line in the log. */
export async function handleHttp(request: IncomingMessage, response: ServerResponse, site: Site): Promise<void> {
  try {
    await route(request, response, site);
  } catch (error) {
    reportDefect(`${request.method ?? '?'} ${pathOf(request)}`, error);
    if (!response.headersSent) reply(request, response, 500, TEXT, 'something went wrong in the host; see its log\n');
    else response.destroy();
  }
}

/** The path alone: a query may hold a code, and must not reach a log. */
const pathOf = (request: IncomingMessage): string => (request.url ?? '/').split('?', 1)[0] ?? '/';

async function route(request: IncomingMessage, response: ServerResponse, site: Site): Promise<void> {
  const refusal = turnedAway(request, site);
  if (refusal !== null) return reply(request, response, refusal[0], TEXT, `${refusal[1]}\n`);
  const path = pathOf(request);
  const reading = request.method === 'GET' || request.method === 'HEAD';
  if (path === '/login' && request.method === 'POST' && site.needsToken) return postLogin(request, response, site);
  if (!reading) return reply(request, response, 405, TEXT, 'read only\n', { allow: 'GET, HEAD' });

  const admitted = site.gate.admits(request.headers);
  if (path === '/healthz') return health(request, response, site, admitted);
  if (site.needsToken && path === '/login.css') return reply(request, response, 200, 'text/css; charset=utf-8', LOGIN_STYLE);
  if (site.needsToken && path === '/login') return getLogin(request, response, site);
  if (!admitted) {
    const address = request.socket.remoteAddress ?? '';
    if (site.gate.tooMany(address)) return reply(request, response, 429, TEXT, 'too many wrong tokens\n', { 'retry-after': '60' });
    if (request.headers.authorization !== undefined) site.gate.failed(address);
    const page = (request.headers.accept ?? '').includes('text/html');
    return reply(request, response, 401, page ? HTML : TEXT, page ? loginPage('This dashboard asks for its token.') : 'give the token: Authorization: Bearer ...\n', page ? {} : { 'www-authenticate': 'Bearer' });
  }
  if (path === '/metrics') return reply(request, response, 200, 'text/plain; version=0.0.4; charset=utf-8', site.desk.metrics() + site.ownMetrics());
  return servePage(request, response, site, path);
}

/** Load balancers can't log in: without a token they get the status, and which part fails stays inside. */
function health(request: IncomingMessage, response: ServerResponse, site: Site, admitted: boolean): void {
  const failing = site.desk.failing();
  const body = { ok: failing === null, ...(failing === null || !admitted ? {} : { failing }) };
  reply(request, response, failing === null ? 200 : 503, 'application/json', `${JSON.stringify(body)}\n`);
}

function getLogin(request: IncomingMessage, response: ServerResponse, site: Site): void {
  const code = new URLSearchParams((request.url ?? '').split('?')[1] ?? '').get('code');
  // HEAD must not use the code up: some programs look before they open.
  if (code !== null && request.method === 'GET') {
    if (site.gate.redeem(code)) return reply(request, response, 303, TEXT, '', { location: '/', 'set-cookie': site.gate.cookie() });
    return reply(request, response, 401, HTML, loginPage('This address was used already or is too old: give the token.'));
  }
  reply(request, response, 200, HTML, loginPage('This dashboard asks for its token.'));
}

async function postLogin(request: IncomingMessage, response: ServerResponse, site: Site): Promise<void> {
  const address = request.socket.remoteAddress ?? '';
  if (site.gate.tooMany(address)) return reply(request, response, 429, HTML, loginPage('Too many wrong tokens: wait a minute.'), { 'retry-after': '60' });
  const form = await formOf(request);
  if (form === null) return reply(request, response, 413, TEXT, 'too large\n', { connection: 'close' });
  if (site.gate.tokenIs(new URLSearchParams(form).get('token') ?? '')) return reply(request, response, 303, TEXT, '', { location: '/', 'set-cookie': site.gate.cookie() });
  site.gate.failed(address);
  reply(request, response, 401, HTML, loginPage('That is not the token.'));
}

/** The body as text, null beyond the limit. */
async function formOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > FORM_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function servePage(request: IncomingMessage, response: ServerResponse, site: Site, path: string): Promise<void> {
  const file = pageFile(site.rendererDir, path);
  const content = file === null ? null : await readFile(file.path).catch(() => null);
  if (file === null || content === null) return reply(request, response, 404, TEXT, 'not found\n');
  reply(request, response, 200, file.type, content, {
    'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    // Each load starts the month of a wallboard's pass anew.
    ...(site.needsToken && path === '/' ? { 'set-cookie': site.gate.cookie() } : {}),
  });
}

function reply(request: IncomingMessage, response: ServerResponse, status: number, type: string, content: string | Buffer, extra: Readonly<Record<string, string>> = {}): void {
  const host = request.headers.host;
  // Only a Host that passed the check is a name and a port and nothing else.
  const connect = host !== undefined && /^[\w.:[\]-]+$/.test(host) ? [`'self'`, `ws://${host}`, `wss://${host}`] : [];
  response.writeHead(status, {
    ...securityHeaders(contentSecurityPolicy({ connect, forms: true })),
    'content-type': type, 'content-length': Buffer.byteLength(content), 'cache-control': 'no-store', ...extra,
  });
  response.end(request.method === 'HEAD' ? undefined : content);
}
