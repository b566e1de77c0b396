/** Who may talk to the browser host: decided from the address it listens on and the Host and Origin that a request carries. */
import { isIP } from 'node:net';
import { isLoopbackHost } from '../../shared/loopback.ts';

const bare = (host: string): string => host.replace(/^\[(.*)\]$/, '$1').toLowerCase();

/** `name[:port]` of a Host header as its name, or null where it is no such thing. */
function nameOf(header: string): string | null {
  const match = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9](?:[a-z0-9.-]{0,252}))(?::\d{1,5})?$/i.exec(header);
  return match?.[1] === undefined ? null : bare(match[1]);
}

/**
 * True where the Host header names us. A page of evil.example can point its own name at 127.0.0.1 and then read from us as "same origin"
 * (DNS rebinding); what it can't do is send another Host than its name. So a loopback host answers to loopback names alone (any port:
 * tunnels change it), others also to plain addresses and to their `names`.
 */
export function hostAllowed(header: string | undefined, { loopback, names }: { readonly loopback: boolean; readonly names: readonly string[] }): boolean {
  const name = header === undefined ? null : nameOf(header);
  if (name === null) return false;
  if (isLoopbackHost(name)) return true;
  return !loopback && (isIP(name) !== 0 || names.some((own) => bare(own) === name));
}

/** True for our own page, and for programs, which send no Origin; every page of a browser sends one with a WebSocket or a POST. */
export function originAllowed(origin: string | undefined, host: string | undefined): boolean {
  return origin === undefined || (host !== undefined && (origin === `http://${host}` || origin === `https://${host}`));
}
