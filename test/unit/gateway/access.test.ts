import { describe, expect, test } from 'vitest';
import { hostAllowed, originAllowed } from '../../../electron/gateway/access.ts';
import { isLoopbackHost } from '../../../shared/loopback.ts';

test.each(['127.0.0.1', '127.9.9.9', 'localhost', 'LOCALHOST', '::1', '[::1]'])('%s is this machine alone', (host) => expect(isLoopbackHost(host)).toBe(true));
test.each(['0.0.0.0', '::', '10.0.0.1', 'localhost.evil.example', '127.evil.example', '127.0.0.1.evil.example', '1270.0.0.1', 'frontrow', ''])('%s is not', (host) => expect(isLoopbackHost(host)).toBe(false));

describe('Host', () => {
  const local = { loopback: true, names: ['desk'] };
  const open = { loopback: false, names: ['desk.example', 'wallboard'] };
  test.each(['127.0.0.1:7007', 'localhost:7007', 'localhost', '[::1]:7007', 'localhost:9000'])('%s names a loopback host', (host) => expect(hostAllowed(host, local)).toBe(true));
  test.each([undefined, '', 'evil.example', 'evil.example:7007', '127.0.0.1.evil.example:7007', 'localhost.evil.example', '10.0.0.1:7007', 'desk:7007', 'localhost:7007@evil', 'localhost/', 'local host', '127.0.0.1:'])('%s does not', (host) => {
    expect(hostAllowed(host, local)).toBe(false);
  });
  test.each(['10.0.0.1:7007', '[fe80::1]:7007', 'desk.example:7007', 'WALLBOARD', 'localhost:7007'])('%s names an open host', (host) => expect(hostAllowed(host, open)).toBe(true));
  test.each(['evil.example', 'x.desk.example', 'desk.example.evil.example'])('%s does not name an open host', (host) => expect(hostAllowed(host, open)).toBe(false));
});

describe('Origin', () => {
  test.each([[undefined, '127.0.0.1:7007'], ['http://127.0.0.1:7007', '127.0.0.1:7007'], ['https://desk.example', 'desk.example']])('%s may reach %s', (origin, host) => expect(originAllowed(origin, host)).toBe(true));
  test.each([['http://evil.example', '127.0.0.1:7007'], ['http://127.0.0.1:8080', '127.0.0.1:7007'], ['null', '127.0.0.1:7007'], ['', '127.0.0.1:7007'], ['http://127.0.0.1:7007.evil.example', '127.0.0.1:7007'], ['app://frontrow', '127.0.0.1:7007'], ['http://x', undefined]])('%s may not reach %s', (origin, host) => {
    expect(originAllowed(origin, host)).toBe(false);
  });
});
