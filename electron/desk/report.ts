import type { Problem } from '../../shared/result.ts';

/** A defect of our own on its way to the log: what the page or the user is told stays short, the stack goes here. */
export function reportDefect(where: string, error: unknown): void {
  process.stderr.write(`frontrow: INTERNAL: ${where}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}

/** A problem from outside on its way to the log, as one line. */
export function reportProblem({ code, what, next }: Problem): void {
  process.stderr.write(`frontrow: ${code}: ${what}; ${next}\n`);
}
