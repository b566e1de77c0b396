/** What either host does with a page's request: parse it, ask the desk, check the answer. */
import { failed, problem, type Result } from '../../shared/result.ts';
import { LIMITS, parseRequest, parseResult } from '../../shared/schemas.ts';
import type { Connection } from './desk.ts';
import { reportDefect } from './report.ts';
import { withinSize } from './size.ts';

/** Never rejects: whatever a page sends or a desk throws becomes a Result. */
export async function answer(connection: Pick<Connection, 'request'>, name: unknown, request: unknown): Promise<Result<unknown>> {
  if (!withinSize(request, LIMITS.requestBytes)) return failed(problem('BAD_INPUT', `request larger than ${LIMITS.requestBytes} bytes`, 'ask for less at once'));
  const asked = parseRequest(name, request);
  if (!asked.ok) return asked;
  try {
    return parseResult(asked.value.name, await connection.request(asked.value.name, asked.value.request));
  } catch (error) {
    // A defect of the desk. Its message may hold anything, so the page gets the kind only.
    reportDefect(`request ${asked.value.name}`, error);
    return failed(problem('INTERNAL', `request ${asked.value.name} failed inside the host (${error instanceof Error ? error.name : typeof error})`, 'see the host\'s log', true));
  }
}
