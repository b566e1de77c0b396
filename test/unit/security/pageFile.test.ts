import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { appFile, serveAppProtocol } from '../../../electron/security/appProtocol.ts';
import { pageFile } from '../../../electron/security/pageFile.ts';

const root = '/srv/renderer';

describe('a path of the page', () => {
  test.each([
    ['/', `${root}/index.html`, 'text/html; charset=utf-8', false],
    ['/index.html', `${root}/index.html`, 'text/html; charset=utf-8', false],
    ['/assets/index-D3ad.js', `${root}/assets/index-D3ad.js`, 'text/javascript; charset=utf-8', true],
    ['/assets/a%20b.css', `${root}/assets/a b.css`, 'text/css; charset=utf-8', true],
  ])('%s is a file', (path, file, type, immutable) => {
    expect(pageFile(root, path)).toEqual({ path: file, type, immutable });
  });
  test.each([
    '', 'index.html', '/../renderer2/index.html', '/..%2frenderer2/index.html', '/%2e%2e/secret.js', '/%2e%2e%2fsecret.js', '/assets/../../secret.js', '/assets/..\\..\\secret.js',
    '/assets/%5c..%5csecret.js', '/%252e%252e/secret.js', '/.env.js', '/assets/.git/x.js', '//etc/passwd.js', '/assets//x.js', '/x.js%00.html', '/x.js\0', '/%E0%A4%A.js', '/c:/windows/x.js',
    '/passwd', '/main.ts', '/x.map', `/${'a'.repeat(600)}.js`,
  ])('%s is none', (path) => {
    expect(pageFile(root, path)).toBeNull();
  });
  test('whatever is asked, the answer lies below the root', () =>
    fc.assert(fc.property(fc.array(fc.constantFrom('/', '..', '.', '%2e', '%2f', '%5c', '\\', 'a', '.js', '.html', '%00', '%25', '2'), { maxLength: 12 }), (parts) => {
      const file = pageFile(root, `/${parts.join('')}`);
      if (file !== null) expect(resolve(file.path).startsWith(root + sep)).toBe(true);
    })));
});

describe('app://', () => {
  test.each(['app://frontrow/', 'app://frontrow/index.html', 'app://frontrow', 'app://frontrow/index.html?x#y'])('%s is the page', (url) => {
    expect(appFile(root, url)?.path).toBe(`${root}/index.html`);
  });
  test.each([
    'app://frontrow.evil/index.html', 'app://evil/index.html', 'app://frontrow:80/index.html', 'app://user@frontrow/index.html', 'app://frontrow@evil/index.html', 'app:///index.html', 'file:///srv/renderer/index.html',
    'https://frontrow/index.html', 'app://frontrow/../secret.js', 'app://frontrow/%2e%2e/secret.js', 'app://frontrow/..%2fsecret.js', 'app://frontrow/assets/../index.html', 'index.html', '',
  ])('%s is not', (url) => {
    expect(appFile(root, url)).toBeNull();
  });

  const folder = mkdtempSync(join(tmpdir(), 'frontrow-page-'));
  mkdirSync(join(folder, 'renderer'));
  mkdirSync(join(folder, 'renderer-secret'));
  writeFileSync(join(folder, 'renderer/index.html'), '<p>page');
  writeFileSync(join(folder, 'renderer-secret/index.html'), 'secret');
  afterAll(() => rmSync(folder, { recursive: true }));

  test('serves with the policy, refuses writes, a sibling folder and what is missing', async () => {
    let handler: (request: Request) => Promise<Response> = () => Promise.reject(new Error('not registered'));
    serveAppProtocol({ handle: (_scheme, given) => void (handler = given as never) }, join(folder, 'renderer'));
    const ask = (url: string, method = 'GET') => handler({ url, method } as Request);
    const page = await ask('app://frontrow/index.html');
    expect([page.status, await page.text(), page.headers.get('content-type')]).toEqual([200, '<p>page', 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain(`default-src 'none'`);
    for (const [url, method] of [['app://frontrow/index.html', 'POST'], ['app://frontrow/../renderer-secret/index.html', 'GET'], ['app://frontrow/gone.js', 'GET'], ['app://other/index.html', 'GET']] as const) {
      const refused = await ask(url, method);
      expect([refused.status, await refused.text()]).toEqual([404, 'not found']);
    }
  });
});
