import { EventEmitter } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { externalAddress } from '../../../electron/security/externalLinks.ts';
import { contentSecurityPolicy, securityHeaders } from '../../../electron/security/headers.ts';
import { isOwnPage, lockContents, paneWindowId } from '../../../electron/security/navigation.ts';
import { APP_PAGE, developmentPage } from '../../../electron/security/origin.ts';
import { denyPermissions } from '../../../electron/security/permissions.ts';
import { pagePreferences } from '../../../electron/security/sandbox.ts';

describe('external links', () => {
  test.each(['https://cloud.google.com/bigtable/docs', 'https://GitHub.com/', 'https://console.cloud.google.com/iam-admin?project=x#roles'])('%s opens', (address) => {
    expect(externalAddress(address)).toBe(new URL(address).href);
  });
  test.each([
    'http://cloud.google.com/', 'https://cloud.google.com.evil.example/', 'https://evilcloud.google.com/', 'https://cloud.google.com@evil.example/', 'https://user:pw@github.com/',
    'https://github.com:8443/', 'https://github.com./', 'file:///etc/passwd', 'javascript:alert(1)', 'smb://github.com/x', 'ms-settings:', 'https://', '', '//github.com', 'https:evil.example',
    `https://github.com/${'x'.repeat(2_100)}`,
  ])('%s does not', (address) => {
    expect(externalAddress(address)).toBeNull();
  });
});

describe('navigation', () => {
  test('only the very page again', () => {
    expect(isOwnPage('app://frontrow/index.html', APP_PAGE)).toBe(true);
    for (const other of ['app://frontrow/', 'app://frontrow/index.html?x', 'app://frontrow/index.html#x', 'app://frontrow.evil/index.html', 'https://frontrow/index.html', 'about:blank', '', 'javascript:1']) {
      expect(isOwnPage(other, APP_PAGE)).toBe(false);
    }
  });

  test('a window of panes is our very page with a plain id, and nothing that merely looks like it', () => {
    expect(paneWindowId(`${APP_PAGE}#w=a1b2c3d4e5`, APP_PAGE)).toBe('a1b2c3d4e5');
    expect(isOwnPage(`${APP_PAGE}#w=a1b2c3d4e5`, APP_PAGE)).toBe(true);
    for (const other of [
      APP_PAGE, `${APP_PAGE}#w=`, `${APP_PAGE}#w=abc`, `${APP_PAGE}#w=ABCDEF`, `${APP_PAGE}#w=${'a'.repeat(17)}`, `${APP_PAGE}#w=abcd%20`, `${APP_PAGE}#w=abcd#w=abcd`, `${APP_PAGE}#w=../../x`, `${APP_PAGE}#x=abcd`,
      `${APP_PAGE}?x#w=abcd1234`, 'app://frontrow/#w=abcd1234', 'app://frontrow.evil/index.html#w=abcd1234', 'app://user@frontrow/index.html#w=abcd1234', 'https://evil.example/#w=abcd1234', 'javascript:1#w=abcd1234', '#w=abcd1234',
    ]) {
      expect([other, paneWindowId(other, APP_PAGE)]).toEqual([other, null]);
    }
  });

  function locked() {
    const open = vi.fn(async () => {});
    const openPanes = vi.fn();
    const contents = Object.assign(new EventEmitter(), { handler: null as ((details: { url: string }) => { action: string }) | null, setWindowOpenHandler(handler: never) { this.handler = handler; } });
    lockContents(contents as never, { page: APP_PAGE, shell: { openExternal: open }, openPanes });
    const prevented = (name: string, details: object = {}): boolean => {
      const preventDefault = vi.fn();
      contents.emit(name, { ...details, preventDefault });
      return preventDefault.mock.calls.length > 0;
    };
    return { contents, open, openPanes, prevented };
  }

  test('away is refused, a reload is not', () => {
    const { prevented } = locked();
    expect(prevented('will-navigate', { url: 'https://evil.example/', isMainFrame: true })).toBe(true);
    expect(prevented('will-navigate', { url: APP_PAGE, isMainFrame: true })).toBe(false);
    expect(prevented('will-frame-navigate', { url: APP_PAGE, isMainFrame: true })).toBe(false);
  });
  test('frames, redirects and webviews are refused even for our own page', () => {
    const { prevented } = locked();
    expect(prevented('will-frame-navigate', { url: APP_PAGE, isMainFrame: false })).toBe(true);
    expect(prevented('will-redirect', { url: APP_PAGE, isMainFrame: true })).toBe(true);
    expect(prevented('will-attach-webview')).toBe(true);
  });
  test('window.open never opens a window; an allowed help page goes to the browser', () => {
    const { contents, open } = locked();
    expect(contents.handler?.({ url: 'https://evil.example/' })).toEqual({ action: 'deny' });
    expect(open).not.toHaveBeenCalled();
    expect(contents.handler?.({ url: 'https://cloud.google.com/x' })).toEqual({ action: 'deny' });
    expect(open).toHaveBeenCalledExactlyOnceWith('https://cloud.google.com/x');
  });
  test('a window of panes is opened by us, never by the script that asks', () => {
    const { contents, open, openPanes } = locked();
    expect(contents.handler?.({ url: `${APP_PAGE}#w=abcd1234` })).toEqual({ action: 'deny' });
    expect(openPanes).toHaveBeenCalledExactlyOnceWith('abcd1234');
    for (const url of [APP_PAGE, `${APP_PAGE}#w=X`, 'https://evil.example/index.html#w=abcd1234']) expect(contents.handler?.({ url })).toEqual({ action: 'deny' });
    expect(openPanes).toHaveBeenCalledOnce();
    expect(open).not.toHaveBeenCalled();
  });
});

test('no permission is granted, asked for or merely checked', () => {
  const session = { setPermissionRequestHandler: vi.fn(), setPermissionCheckHandler: vi.fn(), setDevicePermissionHandler: vi.fn() };
  denyPermissions(session);
  const answer = vi.fn();
  session.setPermissionRequestHandler.mock.calls[0]?.[0](null, 'media', answer);
  expect(answer).toHaveBeenCalledExactlyOnceWith(false);
  expect(session.setPermissionCheckHandler.mock.calls[0]?.[0](null, 'notifications')).toBe(false);
  expect(session.setDevicePermissionHandler.mock.calls[0]?.[0]({ deviceType: 'usb' })).toBe(false);
});

test('pages are sandboxed, isolated and without Node', () => {
  expect(pagePreferences).toMatchObject({ sandbox: true, contextIsolation: true, nodeIntegration: false, webSecurity: true, webviewTag: false });
});

test('the policy allows our own files and nothing inline', () => {
  const policy = contentSecurityPolicy({ connect: [], forms: false });
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
  expect(policy).not.toMatch(/unsafe|\*|http:|blob:/);
  expect(policy).toContain(`connect-src 'none'`);
  expect(contentSecurityPolicy({ connect: [`'self'`, 'ws://127.0.0.1:7007'], forms: true })).toContain(`connect-src 'self' ws://127.0.0.1:7007;`);
  expect(Object.keys(securityHeaders(policy))).toEqual(expect.arrayContaining(['content-security-policy', 'x-content-type-options', 'x-frame-options', 'referrer-policy', 'cross-origin-opener-policy']));
});

describe('the development server', () => {
  test.each(['http://127.0.0.1:5173/', 'http://localhost:5173/', 'http://[::1]:5173/'])('%s may be shown by an unpackaged app only', (address) => {
    expect(developmentPage(address, false)).toBe(address);
    expect(developmentPage(address, true)).toBeNull();
  });
  test.each([undefined, '', 'http://evil.example/', 'http://127.0.0.1.evil.example/', 'http://127.0.0.1@evil.example/', 'https://127.0.0.1/', 'file:///x'])('%s may not', (address) => {
    expect(developmentPage(address, false)).toBeNull();
  });
});
