import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isCredentialsFailure, problemOf } from '../../../electron/bigtable/problems.ts';
import type { StoreAddress } from '../../../electron/bigtable/reader.ts';

const service: StoreAddress = { kind: 'bigtable', project: 'p', instance: 'i', table: 't', appProfile: null, endpoint: null };
const local: StoreAddress = { ...service, kind: 'embedded', endpoint: '127.0.0.1:1' };
const TOKEN = 'Getting metadata from plugin failed with error: ';

describe('sign-in failures', () => {
  test.each([
    [new Error('Could not load the default credentials. Browse to https://cloud.google.com/docs/authentication/getting-started for more information.'), 'CREDENTIALS_MISSING'],
    [new Error('The file at /none.json does not exist, or it is not a file. Error: ENOENT'), 'CREDENTIALS_MISSING'],
    [{ code: 16, details: `${TOKEN}invalid_grant` }, 'CREDENTIALS_EXPIRED'],
    [{ code: 2, details: `${TOKEN}reauth related error (invalid_rapt)` }, 'CREDENTIALS_EXPIRED'],
    [{ code: 400, message: 'invalid_grant: Token has been expired or revoked.' }, 'CREDENTIALS_EXPIRED'],
    [{ code: 401, message: 'unauthorized_client: not this one' }, 'CREDENTIALS_REFUSED'],
    [{ code: 2, details: `${TOKEN}request to https://oauth2.googleapis.com/token failed, reason: getaddrinfo ENOTFOUND oauth2.googleapis.com` }, 'STORE_UNREACHABLE'],
  ])('%o is %s, and the guard knows it', (error, code) => {
    expect(problemOf(error, service)).toMatchObject({ code, retryable: code === 'STORE_UNREACHABLE' });
    expect(isCredentialsFailure(error)).toBe(true);
  });

  test.each([new TypeError("Cannot read properties of undefined (reading 'rows')"), new Error('boom'), 'text', undefined, null, { code: 14, details: 'connect ECONNREFUSED' }])('%o is none', (error) => expect(isCredentialsFailure(error)).toBe(false));
});

describe('any error', () => {
  test('becomes one printable line with a next action', () =>
    fc.assert(fc.property(fc.option(fc.integer({ min: -1, max: 500 })), fc.string({ maxLength: 400, unit: 'binary' }), fc.constantFrom(service, local), (code, text, address) => {
      const given = problemOf({ code, details: text }, address);
      expect(given.what.length).toBeLessThan(400);
      expect(given.next).not.toBe('');
      expect(`${given.what}${given.next}`).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
    })));

  test.each([undefined, null, 0, 'x', {}, [], new Error('x'), Object.create(null)])('even %o', (error) => expect(problemOf(error, local)).toMatchObject({ code: 'INTERNAL' }));

  test('a connection that failed tells why, without the library\'s own words', () => {
    const details = 'No connection established. Last error: Error: connect ECONNREFUSED 127.0.0.1:1. Resolution note: ';
    expect(problemOf({ code: 14, details }, local).what).toBe("the embedded store can't be reached: connect ECONNREFUSED 127.0.0.1:1");
    expect(problemOf({ code: 14, details: 'Name resolution failed for target dns:nowhere:1' }, local).what).toBe("the embedded store can't be reached: Name resolution failed for target dns:nowhere:1");
  });

  test('a store that was named by its address is called by it: it may be an emulator, or a store of ours', () => {
    const named: StoreAddress = { ...local, kind: 'emulator' };
    expect(problemOf({ code: 4, details: '' }, named)).toMatchObject({ code: 'STORE_TIMEOUT', what: 'the store at 127.0.0.1:1 gave no answer in time', next: 'check it and the network to it' });
    expect(problemOf({ code: 14, details: 'gone' }, named)).toMatchObject({ what: "the store at 127.0.0.1:1 can't be reached: gone", next: 'start it, or correct its address' });
  });
});

describe('the guard', () => {
  const run = (reason: string) => spawnSync(process.execPath, ['--input-type=module-typescript', '-e', `
    import { guardRejections } from ${JSON.stringify(new URL('../../../electron/bigtable/guard.ts', import.meta.url).href)};
    guardRejections(${JSON.stringify(service)}, (problem) => console.log('told', problem.code), (reason) => { console.log('defect', String(reason)); process.exit(1); });
    Promise.reject(${reason});
    setTimeout(() => console.log('alive'), 50);
  `], { encoding: 'utf8' });

  test('tells a key file that is not there from no credentials at all', () => {
    const told = (text: string) => problemOf(new Error(text), service).what;
    expect(told('The file at /none.json does not exist, or it is not a file. Error: ENOENT')).toContain('GOOGLE_APPLICATION_CREDENTIALS names');
    expect(told('Could not load the default credentials.')).toContain('no Google credentials');
  });

  test('turns what the sign-in layer leaves behind into a state', () => expect(run("new Error('Could not load the default credentials.')")).toMatchObject({ stdout: 'told CREDENTIALS_MISSING\nalive\n', status: 0 }));
  test('hands every other rejection on as a defect', () => expect(run("new Error('boom')")).toMatchObject({ stdout: 'defect Error: boom\n', status: 1 }));
});
