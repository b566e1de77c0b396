/** The browser for component and end-to-end tests: one that is there, else Debian's as root, else the test library's own. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromiumPath } from '../../test/chromium.ts';

const root = join(import.meta.dirname, '../..');
const quiet = { stdio: ['ignore', 'ignore', 2] as ['ignore', 'ignore', 2], cwd: root, timeout: 600_000 };

/** True once a browser is there; else why not. */
export async function findBrowser(): Promise<true | string> {
  if (chromiumPath() !== undefined) return true;
  if (process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    process.stderr.write('frontrow: installing Chromium from Debian (once)...\n');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync('apt-get', ['update', '-qq'], { ...quiet, env });
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-dejavu-core'], { ...quiet, env });
    if (chromiumPath() !== undefined) return true;
  }
  const { chromium } = await import('playwright');
  if (existsSync(chromium.executablePath())) return true;
  process.stderr.write("frontrow: no Chromium here; trying the test library's own download (once)...\n");
  spawnSync(process.execPath, [join(root, 'node_modules/playwright/cli.js'), 'install', 'chromium'], quiet);
  return existsSync(chromium.executablePath()) ? true : 'no Chromium on this machine, and neither apt-get nor the download brought one';
}
