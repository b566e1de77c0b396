// Stamps that tell whether packages and build are those of this working tree.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = ['electron', 'renderer', 'shared', 'package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts'];

/** What `npm ci` depends on. @param {string} root */
export function installStamp(root) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`);
  return hash.update(readFileSync(join(root, 'package-lock.json'))).digest('hex');
}

/** What the build depends on: path, size and time of every source file (a few milliseconds; a pull changes the times). @param {string} root */
export function sourceStamp(root) {
  const hash = createHash('sha256');
  /** @param {string} path */
  const visit = (path) => {
    const stat = statSync(join(root, path));
    if (stat.isDirectory()) for (const name of readdirSync(join(root, path)).sort()) visit(`${path}/${name}`);
    else hash.update(`${path} ${stat.size} ${stat.mtimeMs}\n`);
  };
  for (const path of SOURCES) visit(path);
  return hash.digest('hex');
}
