/** Asks a person. */
import { createInterface } from 'node:readline/promises';

/** False without a terminal on both sides, on any answer but yes, and when `signal` aborts. */
export async function confirmed(question: string, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await asking.question(`${question} [y/N] `, { signal })).trim());
  } catch {
    return false; // Ctrl-C, or the terminal went away
  } finally {
    asking.close();
  }
}
