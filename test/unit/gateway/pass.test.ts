import { describe, expect, test } from 'vitest';
import { createGatekeeper } from '../../../electron/gateway/pass.ts';

function gate(token: string | null = 's3cret', port = 7007) {
  const time = { seconds: 1_700_000_000, elapsed: 0 };
  return { time, ...createGatekeeper({ token, port: () => port, seconds: () => time.seconds, elapsed: () => time.elapsed }) };
}
const asCookie = (setCookie: string): string => setCookie.split(';', 1)[0] ?? '';

test('without a token everyone is admitted', () => expect(gate(null).admits({})).toBe(true));

describe('a token', () => {
  const { admits, tokenIs } = gate();
  test('is taken from an Authorization header', () => {
    expect(admits({ authorization: 'Bearer s3cret' })).toBe(true);
    expect(admits({ authorization: 'bearer  s3cret' })).toBe(true);
    expect(tokenIs('s3cret')).toBe(true);
  });
  test.each(['Bearer s3cre', 'Bearer s3crett', 'Bearer', 'Basic s3cret', 's3cret', 'Bearer S3CRET', 'Bearer s3cret x', `Bearer ${'x'.repeat(600)}`])('%s is not it', (authorization) => {
    expect(admits({ authorization })).toBe(false);
  });
});

describe('a pass', () => {
  test('admits, is no script\'s to read, goes to no other site, and does not hold the token', () => {
    const { admits, cookie } = gate();
    expect(cookie()).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/);
    expect(cookie()).not.toContain('s3cret');
    expect(admits({ cookie: `a=b; ${asCookie(cookie())}; c=d` })).toBe(true);
    expect(admits({ cookie: `frontrow-7007=old; ${asCookie(cookie())}` })).toBe(true);
  });
  test('ends after its month, with the token, and beside another port', () => {
    const one = gate();
    const pass = asCookie(one.cookie());
    expect(gate('other').admits({ cookie: pass })).toBe(false);
    expect(gate('s3cret', 7008).admits({ cookie: pass })).toBe(false);
    one.time.seconds += 30 * 86_400;
    expect(one.admits({ cookie: pass })).toBe(false);
  });
  test('cannot be made longer or up', () => {
    const { admits, cookie } = gate();
    const [name = '', value = ''] = asCookie(cookie()).split('=');
    const [expiry = '', signature = ''] = value.split('.');
    for (const forged of [`${Number(expiry) + 1}.${signature}`, `${expiry}.${'A'.repeat(43)}`, `${expiry}.`, 's3cret', `${expiry}.${signature}.`, '']) expect(admits({ cookie: `${name}=${forged}` })).toBe(false);
  });
});

describe('a code', () => {
  test('lets in once, within a minute', () => {
    const { code, redeem, time } = gate();
    const [first, second] = [code(), code()];
    expect(first).not.toBe(second);
    expect([redeem(first), redeem(first)]).toEqual([true, false]);
    time.elapsed += 60_000;
    expect(redeem(second)).toBe(false);
    expect(redeem('made-up')).toBe(false);
  });
});

test('ten wrong tokens within a minute stop an address, and no other', () => {
  const { failed, tooMany, time } = gate();
  for (let i = 0; i < 9; i++) failed('10.0.0.1');
  expect(tooMany('10.0.0.1')).toBe(false);
  failed('10.0.0.1');
  expect([tooMany('10.0.0.1'), tooMany('10.0.0.2')]).toEqual([true, false]);
  time.elapsed += 60_000;
  expect(tooMany('10.0.0.1')).toBe(false);
});
