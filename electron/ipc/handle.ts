/** The one way to register an IPC handler: the sender is checked before anything it sent is looked at. */
import type { IpcMain, WebContents } from 'electron';
import { failed, problem, type Result } from '../../shared/result.ts';
import { reportDefect } from '../desk/report.ts';
import { type Frame, senderFault } from '../security/sender.ts';

/** What this needs of Electron's event; `senderFrame` is null when the frame went away meanwhile. */
interface Invocation {
  readonly senderFrame: Frame | null;
  readonly sender: WebContents;
}

/**
 * Answers `name` for the main frame of a page of `origin`, with at most `most` arguments. Refusals are Results, so that they say what
 * happened without Electron's "Error invoking remote method"; they are logged, since no page of ours causes one.
 */
export function handle(
  ipc: Pick<IpcMain, 'handle'>,
  name: string,
  { origin, most }: { readonly origin: string; readonly most: number },
  handler: (sender: WebContents, given: readonly unknown[]) => Promise<Result<unknown>> | Result<unknown>,
): void {
  ipc.handle(name, async (event: Invocation, ...given: unknown[]): Promise<Result<unknown>> => {
    const fault = senderFault(event.senderFrame, origin);
    if (fault !== null) {
      process.stderr.write(`frontrow: refused ${name} from ${fault}\n`);
      return failed(problem('BAD_INPUT', `refused: the caller is ${fault}`, 'call from the main frame of the dashboard'));
    }
    if (given.length > most) return failed(problem('BAD_INPUT', `${name} takes at most ${most} values`, 'see shared/channels.ts'));
    try {
      return await handler(event.sender, given);
    } catch (error) {
      reportDefect(name, error);
      return failed(problem('INTERNAL', `${name} failed inside the host`, 'see the host\'s log', true));
    }
  });
}
