/** Which file of the built page a URL path names; used by `app://` and the browser host. */
import { extname, resolve, sep } from 'node:path';

/** Only what a build contains; anything else in the folder is not served. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml',
  '.png': 'image/png', '.ico': 'image/x-icon', '.woff2': 'font/woff2', '.json': 'application/json', '.webmanifest': 'application/manifest+json',
};

export interface PageFile {
  readonly path: string;
  readonly type: string;
  /** Vite puts a hash of the content into the names under assets/. */
  readonly immutable: boolean;
}

/**
 * `pathname` as it stands in a URL, still encoded. Null for everything that is not plainly a file below `root`: `..` however encoded,
 * encoded slashes, backslashes, NUL, dot files, and folders whose name merely begins like the root's.
 */
export function pageFile(root: string, pathname: string): PageFile | null {
  if (pathname.length > 512 || !pathname.startsWith('/')) return null;
  let decoded: string;
  try {
    decoded = decodeURIComponent(pathname);
  } catch {
    return null;
  }
  // A second layer of encoding has no use in our names, but in attacks.
  if (/[\\\0%:]/.test(decoded) || decoded.split('/').length !== pathname.split('/').length) return null;
  const segments = decoded === '/' ? ['index.html'] : decoded.slice(1).split('/');
  if (segments.some((segment) => segment === '' || segment.startsWith('.'))) return null;
  const base = resolve(root);
  const path = resolve(base, ...segments);
  if (!path.startsWith(base + sep)) return null;
  const type = TYPES[extname(path)];
  return type === undefined ? null : { path, type, immutable: segments[0] === 'assets' };
}
