/** The lint proves the import directions; this proves the lint: each planted violation is named, each allowed import passes. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
let folder = '';
let report = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'frontrow-lint-'));
  cpSync(join(root, 'test/fixtures/lint'), folder, { recursive: true });
  cpSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/oxlint/bin/oxlint'), '--format=unix'], { cwd: folder, encoding: 'utf8' });
  report = stdout;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['renderer/planted.ts', 'node:fs'],
  ['shared/planted.ts', 'zod'],
  ['electron/feed/planted.ts', '../gateway/serve.ts'],
  ['electron/embedded/planted.ts', '../../shared/rowKey.ts'],
  ['electron/bigtable/planted.ts', 'electron'],
  ['electron/schema/planted.ts', '../desk/openDesk.ts'],
])('%s may not import %s', (file, specifier) => {
  expect(report.split('\n').find((line) => line.startsWith(file))).toContain(`'${specifier}' import is restricted`);
});

test.each(['electron/history/allowed.ts', 'electron/ipc/allowed.ts'])('%s passes', (file) => {
  expect(report).not.toContain(file);
});
