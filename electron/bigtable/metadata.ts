/** The request headers of the official client, so that routing, quotas, support and Google's own statistics see a client that they know. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { StoreAddress } from './reader.ts';

const { resolve } = createRequire(import.meta.url);

/** Of the installed package; all four keep their entry at build/src/index.js, and google-gax does not export its package.json. */
function versionOf(name: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(resolve(name), '../../../package.json'), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '';
}

export const tableName = (address: StoreAddress): string => `projects/${address.project}/instances/${address.instance}/tables/${address.table}`;

/**
 * Headers of one ReadRows, lower case. The routing header tells the front end which table and app profile a call is for, before it
 * parses the request. `bigtable-attempt` is 0 always: the reader never retries, its callers schedule. The official client (7.2.0) sends no
 * `bigtable-features` for reads, so neither do we.
 */
export function readHeaders(address: StoreAddress): Readonly<Record<string, string>> {
  const routing = [`table_name=${encodeURIComponent(tableName(address))}`];
  if (address.appProfile !== null) routing.push(`app_profile_id=${encodeURIComponent(address.appProfile)}`);
  return {
    'x-goog-api-client': [
      `gax/${versionOf('google-gax')}`, `gapic/${versionOf('@google-cloud/bigtable-api')}`, `gl-node/${process.versions.node}`,
      `grpc/${versionOf('@grpc/grpc-js')}`, `gccl/${versionOf('@google-cloud/bigtable')}`,
    ].join(' '),
    'x-goog-request-params': routing.join('&'),
    'bigtable-attempt': '0',
  };
}
