/** The window shows before the store's client is loaded: what the desktop host's entry pulls in at once holds none of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const dist = join(import.meta.dirname, '../../dist');

/** Every module that loading `file` loads, static imports only; packages by name. */
function loadedWith(folder: string, file: string, seen = new Set<string>()): Set<string> {
  const text = readFileSync(join(folder, file), 'utf8');
  for (const [, name = ''] of text.matchAll(/^(?:import|export)\b[^'"()]*?['"]([^'"]+)['"]/gm)) {
    if (seen.has(name)) continue;
    seen.add(name);
    if (name.startsWith('./')) loadedWith(folder, name.slice(2), seen);
  }
  return seen;
}

const CLIENT = /^(?:@google-cloud\/|@grpc\/|google-gax|node:sqlite|ws$)/;

test('the desktop host loads neither client nor store nor sockets before it shows a window', () => {
  const loaded = [...loadedWith(join(dist, 'electron'), 'main.js')];
  expect(loaded).toContain('electron');
  expect(loaded.filter((name) => CLIENT.test(name))).toEqual([]);
});

test('the command line\'s entry loads none of it either', () => {
  expect([...loadedWith(join(dist, 'electron'), 'cli.js')].filter((name) => CLIENT.test(name))).toEqual([]);
});

test('but the desk does, when it is asked for', () => {
  const main = readFileSync(join(dist, 'electron/main.js'), 'utf8');
  const desk = /import\(["']\.\/(openDesk-[\w-]+\.js)["']\)/.exec(main)?.[1];
  expect(desk).toBeDefined();
  const text = readFileSync(join(dist, 'electron', desk!), 'utf8');
  expect(text).toMatch(/import\(|@grpc|@google-cloud/);
});

test('the preload is one small file that needs electron alone', () => {
  const text = readFileSync(join(dist, 'preload/preload.cjs'), 'utf8').replace(/\/\/# sourceMappingURL.*/s, '');
  expect([...text.matchAll(/require\(["']([^"']+)["']\)/g)].map(([, name]) => name)).toEqual(['electron']);
  expect(text.length).toBeLessThan(10_000);
});
