import { Bigtable } from '@google-cloud/bigtable';
import { googleAuthLibrary } from 'google-gax';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../../electron/bigtable/connect.ts';
import { rowOf, type ScriptedServer, startScripted } from './scriptedServer.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScripted((call) => {
    call.write({ chunks: [rowOf('k')] });
    call.end();
  });
});
afterAll(() => server.close());

test.each([null, 'dash board/1'])('routing, features, client and user agent are the official client\'s (app profile %s)', async (appProfile) => {
  const reader = connect({ kind: 'embedded', project: 'p', instance: 'i', table: 't', appProfile, endpoint: server.address });
  const before = server.calls.length;
  for (let read = 0; read < 2; read++) expect(await reader.read({ ranges: [{ start: 'k', end: 'l' }], limit: 1, deadlineMs: 5000 })).toMatchObject({ ok: true });
  await reader.close();

  const official = new Bigtable({
    projectId: 'p', apiEndpoint: server.address, metricsEnabled: false, authClient: new googleAuthLibrary.PassThroughClient(), ...(appProfile === null ? {} : { appProfileId: appProfile }),
  });
  await new Promise((resolve, reject) => {
    official.instance('i').table('t').createReadStream({ prefix: 'k', limit: 1 }).on('data', () => undefined).on('end', resolve).on('error', reject);
  });
  await official.close();

  const [first, second, theirs] = server.calls.slice(before);
  expect(first?.metadata.getMap()).toMatchObject({
    'x-goog-request-params': appProfile === null ? 'table_name=projects%2Fp%2Finstances%2Fi%2Ftables%2Ft' : 'table_name=projects%2Fp%2Finstances%2Fi%2Ftables%2Ft&app_profile_id=dash%20board%2F1',
    'user-agent': expect.stringMatching(/^grpc-node-js\//),
  });
  expect(second?.metadata.getMap()).toEqual(first?.metadata.getMap());
  // a debug header of the official client's channel pool, on one call in ten minutes
  theirs?.metadata.remove('x-return-encrypted-headers');
  expect(first?.metadata.getMap()).toEqual(theirs?.metadata.getMap());
  expect(first?.call.request.appProfileId).toBe(theirs?.call.request.appProfileId);
  expect(first?.call.request.tableName).toBe(theirs?.call.request.tableName);
});
