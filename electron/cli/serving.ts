/** What the commands that run until Ctrl-C share. */
import { failed, ok, problem, type Result } from '../../shared/result.ts';

/** A `--port`: 0 takes a free one. */
export function portOf(given: string | boolean | undefined, otherwise: number): Result<number> {
  if (typeof given !== 'string') return ok(otherwise);
  const port = /^\d{1,5}$/.test(given) ? Number(given) : -1;
  return port >= 0 && port <= 65_535 ? ok(port) : failed(problem('BAD_INPUT', `--port ${JSON.stringify(given.slice(0, 20))} is not a port`, 'give 0 to 65535; 0 takes a free one'));
}

/** Resolves when `signal` aborts. */
export const until = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
