import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { type Bounds, DEFAULT_SIZE, restoredBounds } from '../../../electron/window/bounds.ts';

const area = (x: number, y: number, width = 1920, height = 1040): Bounds => ({ x, y, width, height });
const laptop = area(0, 0, 1440, 860);

describe('restored bounds', () => {
  test('a first window is centred on the primary display, no larger than it', () => {
    expect(restoredBounds(null, [area(0, 0)])).toEqual({ x: 240, y: 70, ...DEFAULT_SIZE });
    expect(restoredBounds(null, [area(0, 0, 1024, 700)])).toEqual({ x: 0, y: 0, width: 1024, height: 700 });
  });
  test('a window comes back where it was, on a display left of the primary too', () => {
    const saved = { x: -1800, y: 100, width: 1200, height: 800 };
    expect(restoredBounds(saved, [laptop, area(-1920, 0)])).toEqual(saved);
  });
  test.each([
    ['its display is gone', { x: 2000, y: 100, width: 1200, height: 800 }],
    ['only 99 px stick out', { x: 1341, y: 100, width: 1200, height: 700 }],
    ['its title bar is above the display', { x: 100, y: -40, width: 1200, height: 700 }],
    ['its title bar is below the display', { x: 100, y: 850, width: 1200, height: 700 }],
  ])('it is centred when %s', (_why, saved) => {
    const { x, y, width, height } = restoredBounds(saved, [laptop]);
    expect([x, y]).toEqual([Math.round((1440 - width) / 2), Math.round((860 - height) / 2)]);
  });
  test('it stays when 100 px can be reached', () => {
    const saved = { x: 1340, y: 100, width: 1200, height: 700 };
    expect(restoredBounds(saved, [laptop])).toEqual(saved);
  });
  test('it is cut to a display that shrank', () => {
    expect(restoredBounds({ x: 0, y: 0, width: 3000, height: 2000 }, [laptop])).toEqual({ x: 0, y: 0, width: 1440, height: 860 });
  });

  const coordinate = fc.integer({ min: -8_000, max: 8_000 });
  const rectangle = fc.record({ x: coordinate, y: coordinate, width: fc.integer({ min: 1, max: 6_000 }), height: fc.integer({ min: 1, max: 6_000 }) });
  const display = fc.record({ x: coordinate, y: coordinate, width: fc.integer({ min: 640, max: 4_000 }), height: fc.integer({ min: 480, max: 3_000 }) });
  test('wherever displays went, 100 px with the title bar can be reached', () =>
    fc.assert(fc.property(fc.option(rectangle), display, fc.array(display, { maxLength: 3 }), (saved, primary, others) => {
      const window = restoredBounds(saved, [primary, ...others]);
      const reached = [primary, ...others].some((d) =>
        Math.min(window.x + window.width, d.x + d.width) - Math.max(window.x, d.x) >= 100 && window.y >= d.y && window.y + 32 <= d.y + d.height);
      expect(reached).toBe(true);
    })));
});

vi.mock('electron', () => ({}));
const { parsePanes, parseRemembered, recall, recallPane, remember, rememberPane } = await import('../../../electron/window/remembered.ts');

describe('the remembered place', () => {
  const bounds = { x: -5, y: 0, width: 1200, height: 800 };
  test('survives writing and reading', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'frontrow-window-'));
    remember(folder, { bounds, maximized: true });
    expect(recall(folder)).toEqual({ bounds, maximized: true });
    expect(readdirSync(folder)).toEqual(['window.json']);
    rmSync(folder, { recursive: true });
  });
  test('so do those of windows of panes, each by its id, the latest 64', () => {
    const folder = mkdtempSync(join(tmpdir(), 'frontrow-window-'));
    for (let at = 0; at < 70; at += 1) rememberPane(folder, `pane${at}`, { bounds: { ...bounds, x: at }, maximized: false });
    expect(recallPane(folder, 'pane69')?.bounds.x).toBe(69);
    expect(recallPane(folder, 'pane5')).toBeNull();
    expect(recall(folder)).toBeNull();
    rmSync(folder, { recursive: true });
  });
  test.each(['', '{', '[]', 'null', '{"../x":{"bounds":{"x":0,"y":0,"width":5,"height":5}}}', '{"abcd":{"bounds":{"x":"0"}}}'])('%j holds no place', (text) => expect(parsePanes(text).size).toBe(0));
  test('a folder that is gone costs a line, not the app', () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    remember('/nonexistent/folder', { bounds, maximized: false });
    expect(recall('/nonexistent/folder')).toBeNull();
    expect(write).toHaveBeenCalledOnce();
    write.mockRestore();
  });
  test.each(['', '{', 'null', '[]', '{"bounds":{}}', '{"bounds":{"x":0,"y":0,"width":0,"height":5}}', '{"bounds":{"x":1e9,"y":0,"width":5,"height":5}}', '{"bounds":{"x":"0","y":0,"width":5,"height":5}}', ' '.repeat(5_000)])('%j is no place', (text) => {
    expect(parseRemembered(text)).toBeNull();
  });
});

const { comesBack } = await import('../../../electron/window/crashes.ts');
test('a page comes back after a crash, but not from a loop of them', () => {
  expect(comesBack([0], 0)).toBe(true);
  expect(comesBack([0, 1_000, 2_000, 3_000], 3_000)).toBe(false);
  expect(comesBack([0, 1_000, 2_000, 90_000], 90_000)).toBe(true);
});
