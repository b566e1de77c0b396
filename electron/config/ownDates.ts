/** The file of the user's own dates, `calendar.csv` in the user-data folder: read with limits, replaced as a whole. */
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setOwnDates } from '../../shared/calendar/exchange.ts';
import { MOST_TEXT, parseOwnDates } from '../../shared/calendar/ownDatesFile.ts';
import { failed, ok, type Problem, problem, type Result } from '../../shared/result.ts';
import type { Settings } from './settings.ts';

export const ownDatesPath = ({ dataDir }: Pick<Settings, 'dataDir'>): string => join(dataDir, 'calendar.csv');

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : error instanceof Error ? error.message : String(error));

/** No such file; where the folder itself is wrong, whoever opens the store says so. */
const isAbsent = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(error));

/** What changes when the file does; null where there is none. Fails where it can't be looked at. */
export async function ownDatesStamp(path: string): Promise<string | null> {
  try {
    const { mtimeMs, size, ino } = await stat(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch (error) {
    return isAbsent(error) ? null : codeOf(error);
  }
}

/** Its text, empty where there is no file. Fails with BAD_INPUT. */
export async function readOwnDates(path: string): Promise<Result<string>> {
  const bad = (why: string): Result<never> => failed(problem('BAD_INPUT', `${path} can't be read (${why})`, 'make it a readable file of dates, or remove it'));
  try {
    const { size } = await stat(path);
    if (size > 4 * MOST_TEXT) return bad(`larger than ${MOST_TEXT / 1000} kB`);
    return ok(await readFile(path, 'utf8'));
  } catch (error) {
    return isAbsent(error) ? ok('') : bad(codeOf(error));
  }
}

let drafts = 0;

/** Written beside it, flushed, then renamed: there is the old file or the new one, never half of one. Fails with BAD_INPUT. */
export async function writeOwnDates(path: string, text: string): Promise<Result<null>> {
  const draft = join(dirname(path), `.calendar.csv.${process.pid}-${(drafts += 1)}.part`);
  try {
    await mkdir(dirname(path), { recursive: true });
    const handle = await open(draft, 'wx');
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
    return ok(null);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    return failed(problem('BAD_INPUT', `${path} can't be written (${codeOf(error)})`, 'make the user-data folder writable'));
  }
}

/** From now on this process knows the dates of the file; what is wrong with it is returned. A file that can't be read changes nothing. */
export async function useOwnDates(path: string): Promise<readonly Problem[]> {
  const text = await readOwnDates(path);
  if (!text.ok) return [text.error];
  const { dates, problems } = parseOwnDates(text.value);
  setOwnDates(dates);
  return problems.map((told) => problem('BAD_INPUT', `calendar.csv, ${told}`, 'correct that line; the calendar counts without it'));
}
