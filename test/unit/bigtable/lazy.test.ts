import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Packages loaded by a process that evaluates `code`. */
function loaded(code: string): string[] {
  const url = (name: string): string => JSON.stringify(new URL(`../../../electron/bigtable/${name}.ts`, import.meta.url).href);
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', `
    import { createRequire } from 'node:module';
    const { connect } = await import(${url('connect')});
    const { createWriter } = await import(${url('writer')});
    const address = { kind: 'embedded', project: 'p', instance: 'i', table: 't', appProfile: null, endpoint: '127.0.0.1:1' };
    const reader = connect(address);
    const writer = createWriter(address);
    ${code}
    const names = Object.keys(createRequire(import.meta.url).cache).flatMap((path) => /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(path)?.[1] ?? []);
    console.log(JSON.stringify([...new Set(names)]));
    process.exit(0);
  `], { encoding: 'utf8', cwd: new URL('../../..', import.meta.url).pathname });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as string[];
}

test('connecting loads nothing: the window is up before the client', () => expect(loaded('')).toEqual([]));

test('a read loads grpc-js, not the official client or its protos', () => {
  const names = loaded("await reader.read({ ranges: [{ start: 'a', end: 'b' }], deadlineMs: 2000 });");
  expect(names).toContain('@grpc/grpc-js');
  for (const heavy of ['@google-cloud/bigtable', '@google-cloud/bigtable-api', 'google-gax', 'google-auth-library']) expect(names).not.toContain(heavy);
});
