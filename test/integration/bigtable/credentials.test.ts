/** Application default credentials, as a user's machine has or lacks them: each case in a process with its own environment. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ServerCredentials } from '@grpc/grpc-js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rowOf, type ScriptedServer, startScripted } from './scriptedServer.ts';

const run = promisify(execFile);
const fixture = (name: string): string => new URL(`../../fixtures/tls/${name}`, import.meta.url).pathname;
const home = mkdtempSync(join(tmpdir(), 'frontrow-credentials-'));
const key = join(home, 'key.json');
let service: ScriptedServer;
let tokens: Server;
let grant: { status: number; body: object };

beforeAll(async () => {
  service = await startScripted((call) => {
    call.write({ chunks: [rowOf('a')] });
    call.end();
  }, ServerCredentials.createSsl(null, [{ cert_chain: readFileSync(fixture('localhost.crt')), private_key: readFileSync(fixture('localhost.key')) }]));
  tokens = createServer((_, response) => {
    response.writeHead(grant.status, { 'content-type': 'application/json' }).end(JSON.stringify(grant.body));
  });
  await new Promise<void>((resolve) => void tokens.listen(0, '127.0.0.1', resolve));
  writeFileSync(join(home, 'subject'), 'subject-token');
});
afterAll(() => {
  service.close();
  tokens.close();
  rmSync(home, { recursive: true });
});
beforeEach(() => {
  grant = { status: 200, body: { access_token: 'the-token', issued_token_type: 'urn:ietf:params:oauth:token-type:access_token', token_type: 'Bearer', expires_in: 3600 } };
  writeKey((tokens.address() as { port: number }).port);
});

/** A workload identity file: the one kind whose token endpoint may be ours. */
function writeKey(port: number): void {
  writeFileSync(key, JSON.stringify({
    type: 'external_account', audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/x',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt', token_url: `http://127.0.0.1:${port}/token`, credential_source: { file: join(home, 'subject') },
  }));
}

async function read(mode: 'read' | 'write' | 'official', environment: Record<string, string> = {}) {
  const { stdout } = await run(process.execPath, [new URL('oneRead.ts', import.meta.url).pathname, mode, service.address.replace('127.0.0.1', 'localhost')], {
    env: { PATH: process.env['PATH'] ?? '', HOME: home, METADATA_SERVER_DETECTION: 'none', GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: fixture('localhost.crt'), ...environment },
    timeout: 30_000,
  });
  return JSON.parse(stdout) as { outcome: unknown; write: string[]; told: string[] };
}
const withKey = { GOOGLE_APPLICATION_CREDENTIALS: key };

describe('the service', () => {
  test('gets token, quota project and all other headers as from the official client', async () => {
    const quota = { ...withKey, GOOGLE_CLOUD_QUOTA_PROJECT: 'payer' };
    const before = service.calls.length;
    expect((await read('read', quota)).outcome).toBe('ok');
    expect((await read('official', quota)).outcome).toBe('end');
    const [ours, theirs] = service.calls.slice(before).map(({ metadata }) => metadata.getMap());
    expect(ours).toMatchObject({ authorization: 'Bearer the-token', 'x-goog-user-project': 'payer' });
    // a debug header of the official client's channel pool, on one call in ten minutes
    delete theirs?.['x-return-encrypted-headers'];
    expect(ours).toEqual(theirs);
  });

  test('an emulator named by the environment does not divert a read of a real table', async () => {
    expect((await read('read', { ...withKey, BIGTABLE_EMULATOR_HOST: '127.0.0.1:1' })).outcome).toBe('ok');
  });
});

describe('credentials are a state, and the process lives on', () => {
  test('missing', async () => {
    expect(await read('write')).toMatchObject({ outcome: { code: 'CREDENTIALS_MISSING', retryable: false, next: expect.stringContaining('gcloud auth application-default login') }, write: ['CREDENTIALS_MISSING'] });
  });

  test('a key file that is not there', async () => {
    expect(await read('write', { GOOGLE_APPLICATION_CREDENTIALS: join(home, 'none.json') })).toMatchObject({ outcome: { code: 'CREDENTIALS_MISSING' }, write: ['CREDENTIALS_MISSING'] });
  });

  test('a key file that is damaged', async () => {
    writeFileSync(key, '{"type": "service_acc');
    expect(await read('read', withKey)).toMatchObject({ outcome: { code: 'CREDENTIALS_REFUSED' } });
  });

  test('expired or revoked', async () => {
    grant = { status: 400, body: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' } };
    expect(await read('read', withKey)).toMatchObject({ outcome: { code: 'CREDENTIALS_EXPIRED', retryable: false } });
  });

  test('refused by the sign-in service', async () => {
    grant = { status: 401, body: { error: 'unauthorized_client', error_description: 'not this one' } };
    expect(await read('read', withKey)).toMatchObject({ outcome: { code: 'CREDENTIALS_REFUSED' } });
  });

  test('the sign-in service down is the network\'s fault', async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => void gone.listen(0, '127.0.0.1', resolve));
    writeKey((gone.address() as { port: number }).port);
    await new Promise((resolve) => gone.close(resolve));
    expect(await read('read', withKey)).toMatchObject({ outcome: { code: 'STORE_UNREACHABLE', retryable: true } });
  });
});
