/** Response headers of the page, the same from `app://` and from the browser host. */

/**
 * Content-Security-Policy: nothing is allowed but our own files. No inline script or style and no eval, so that text from a store, should it
 * ever reach markup, stays text. `connect` is where the page may open its feed ("'self'" alone does not name ws: in every browser).
 */
export function contentSecurityPolicy({ connect, forms }: { readonly connect: readonly string[]; readonly forms: boolean }): string {
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'`,
    `img-src 'self' data:`,
    `font-src 'self'`,
    `connect-src ${connect.length === 0 ? `'none'` : connect.join(' ')}`,
    `base-uri 'none'`, // a <base> would move every relative address
    `form-action ${forms ? `'self'` : `'none'`}`,
    `frame-ancestors 'none'`, // no page may put ours in a frame and steal clicks
  ].join('; ');
}

/** Headers for every response; `policy` from contentSecurityPolicy. */
export const securityHeaders = (policy: string): Readonly<Record<string, string>> => ({
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff', // a text file must not run as a script
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin', // not no-referrer: with it a browser hides its Origin from our own login form
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=(), payment=(), display-capture=()',
});
