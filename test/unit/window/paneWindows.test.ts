import type { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pagePreferences } from '../../../electron/security/sandbox.ts';

const { made, place } = vi.hoisted(() => ({ made: [] as FakeWindow[], place: { folder: '' } }));
interface FakeWindow extends EventEmitter { options: Record<string, unknown>; loaded: string; focused: number; bounds: object }

vi.mock('electron', async () => {
  const events = await import('node:events');
  const area = { x: 0, y: 0, width: 1920, height: 1040 };
  class BrowserWindow extends events.EventEmitter {
    readonly webContents = new events.EventEmitter();
    readonly options: object;
    loaded = '';
    focused = 0;
    gone = false;
    bounds = { x: 10, y: 20, width: 900, height: 700 };
    constructor(options: object) {
      super();
      this.options = options;
      made.push(this as never);
    }
    loadURL(url: string) { this.loaded = url; return Promise.resolve(); }
    focus() { this.focused += 1; }
    show() {}
    maximize() {}
    isMinimized() { return false; }
    isMaximized() { return false; }
    isVisible() { return true; }
    isDestroyed() { return this.gone; }
    getNormalBounds() { return this.bounds; }
    close() { this.emit('close'); this.gone = true; this.emit('closed'); }
  }
  const display = { id: 1, workArea: area };
  return { BrowserWindow, screen: { getPrimaryDisplay: () => display, getAllDisplays: () => [display] }, app: { getPath: () => place.folder } };
});
const { createPaneWindows } = await import('../../../electron/window/paneWindows.ts');

beforeEach(() => {
  made.length = 0;
  place.folder = mkdtempSync(join(tmpdir(), 'frontrow-panes-'));
});
afterEach(() => rmSync(place.folder, { recursive: true, force: true }));

const create = (report = vi.fn()) => ({ windows: createPaneWindows({ preload: '/p.cjs', page: 'app://frontrow/index.html', report }), report });

test('a window of panes has the rights of the desk\'s window and no more, and shows the page at its id', () => {
  const { windows } = create();
  windows.open('abcd1234');
  expect(made[0]?.options['webPreferences']).toEqual({ ...pagePreferences, preload: '/p.cjs' });
  expect(made[0]?.loaded).toBe('app://frontrow/index.html#w=abcd1234');
  windows.open('abcd1234');
  expect(made).toHaveLength(1);
  expect(made[0]?.focused).toBe(1);
});

test('it comes back where it was', () => {
  const { windows } = create();
  windows.open('abcd1234');
  windows.closeAll();
  windows.open('abcd1234');
  expect(made[1]?.options).toMatchObject({ x: 10, y: 20, width: 900, height: 700 });
});

test('a page that goes wrong opens 16 and no more', () => {
  const { windows, report } = create();
  for (let at = 0; at < 20; at += 1) windows.open(`window${at}`);
  expect(made).toHaveLength(16);
  expect(report).toHaveBeenCalledTimes(4);
});
