/** The token and what stands for it. The token itself travels in a form post or an Authorization header, never in an address. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A wallboard stays in for a month without anyone touching it; each load of the page starts the month anew. */
const PASS_SECONDS = 30 * 86_400;
const CODE_MS = 60_000;
const FAILURES = 10;
const FAILURE_WINDOW_MS = 60_000;

export interface Gatekeeper {
  /** True where no token is set, or the request carries the token (`Authorization: Bearer`) or a pass (cookie). */
  admits(headers: { readonly authorization?: string | undefined; readonly cookie?: string | undefined }): boolean;
  tokenIs(given: string): boolean;
  /** A `Set-Cookie` value that lets a browser in. */
  cookie(): string;
  /** A code for one login within a minute, for the browser that we open ourselves: in an address, but worth nothing once used. */
  code(): string;
  redeem(code: string): boolean;
  /** After ten wrong tokens from an address within a minute that address has to wait. */
  tooMany(address: string): boolean;
  failed(address: string): void;
}

/** `seconds` since 1970, `elapsed` milliseconds that never step back. `port` keeps two hosts on one machine apart: cookies know no ports. */
export function createGatekeeper({ token, port, seconds, elapsed }: {
  readonly token: string | null; readonly port: () => number; readonly seconds: () => number; readonly elapsed: () => number;
}): Gatekeeper {
  const codes = new Map<string, number>();
  const failures = new Map<string, { count: number; until: number }>();
  const name = (): string => `frontrow-${port()}`;
  // A cookie is an expiry date signed with the token: nothing to store, valid over restarts, void when the token changes.
  const sign = (expiry: string): string => createHmac('sha256', token ?? '').update(`frontrow pass until ${expiry}`).digest('base64url');

  function passValid(value: string): boolean {
    const match = /^(\d{1,12})\.([\w-]{43})$/.exec(value);
    const [, expiry = '', signature = ''] = match ?? [];
    return match !== null && same(signature, sign(expiry)) && Number(expiry) > seconds();
  }

  return {
    admits({ authorization, cookie }) {
      if (token === null) return true;
      const bearer = /^Bearer +(\S{1,512})$/i.exec(authorization ?? '')?.[1];
      if (bearer !== undefined && same(bearer, token)) return true;
      return cookieValues(cookie, name()).some(passValid);
    },
    tokenIs: (given) => token !== null && same(given, token),
    cookie() {
      const expiry = String(Math.floor(seconds()) + PASS_SECONDS);
      return `${name()}=${expiry}.${sign(expiry)}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${PASS_SECONDS}`;
    },
    code() {
      for (const [old, until] of codes) if (until <= elapsed()) codes.delete(old);
      const code = randomBytes(32).toString('base64url');
      codes.set(code, elapsed() + CODE_MS);
      return code;
    },
    redeem(code) {
      const until = codes.get(code);
      codes.delete(code);
      return until !== undefined && until > elapsed();
    },
    tooMany(address) {
      const known = failures.get(address);
      return known !== undefined && known.until > elapsed() && known.count >= FAILURES;
    },
    failed(address) {
      const known = failures.get(address);
      if (known !== undefined && known.until > elapsed()) known.count += 1;
      else {
        if (failures.size >= 1_000) failures.clear(); // an attacker with many addresses must not fill the memory
        failures.set(address, { count: 1, until: elapsed() + FAILURE_WINDOW_MS });
      }
    },
  };
}

/** Equal texts, in a time that tells nothing of where they differ or how long they are. */
function same(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** Every value of a cookie's name: a browser may send an old one beside the new. */
function cookieValues(header: string | undefined, name: string): string[] {
  const values: string[] = [];
  for (const pair of (header ?? '').slice(0, 8_192).split(';')) {
    const cut = pair.indexOf('=');
    if (cut > 0 && pair.slice(0, cut).trim() === name) values.push(pair.slice(cut + 1).trim());
  }
  return values;
}
