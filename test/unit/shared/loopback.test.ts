import { expect, test } from 'vitest';
import { isLoopbackEndpoint, isLoopbackHost } from '../../../shared/loopback.ts';

test.each(['localhost:1', '127.0.0.1:8086', '127.8.9.1:1', '[::1]:1', 'LOCALHOST:80'])('%s is this machine', (endpoint) => {
  expect(isLoopbackEndpoint(endpoint)).toBe(true);
});
test.each(['127.0.0.1.evil.com:1', 'localhost.evil.com:1', '0.0.0.0:1', '[::]:1', '10.0.0.1:1', '127.0.0.1', '', '::1:1', 'user@127.0.0.1:1', '127.0.0.1:x', '127.0.0.256:1'])('%s only looks like it', (endpoint) => {
  expect(isLoopbackEndpoint(endpoint)).toBe(false);
});
test('hosts, with and without brackets', () => {
  expect(['localhost', '127.1.2.3', '::1', '[::1]'].every(isLoopbackHost)).toBe(true);
  expect(['example.com', '127.0.0.1.example.com', '::2', '', '1270.0.0.1'].some(isLoopbackHost)).toBe(false);
});
