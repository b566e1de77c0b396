/** Tests that run the built command line and page run those of these sources: what is out of date is built first, as `npm test` does. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export default function built(): void {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, '../electron/boot/boot.mjs'), 'help'], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error('the build failed: see above');
}
