// One set-up at a time: two commands started together must not build into one folder.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** @param {number} pid */
function alive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/** Runs `work` while holding `file` (which holds our process id); a dead holder's lock is taken over. Waits at most 15 minutes. @param {string} file @param {() => void} work */
export async function withLock(file, work) {
  const until = Date.now() + 900_000;
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
      let holder = 0;
      try {
        holder = Number(readFileSync(file, 'utf8'));
      } catch {
        continue; // released between the two calls
      }
      if (holder > 0 && !alive(holder)) rmSync(file, { force: true });
      else if (Date.now() > until) throw new Error(`another set-up has held ${file} for 15 minutes; delete that file if none runs`, { cause: error });
      else await sleep(200);
    }
  }
  // an interrupt must not leave the lock behind a living parent shell
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    work();
  } finally {
    release();
    process.off('exit', release);
  }
}
