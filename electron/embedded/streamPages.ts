/** From a scan's pages to a call's stream. */
import type { Call } from './grpc.ts';
import type { Page } from './scan.ts';

const TURNS = 4;

/** Sends page after page; others get their turn between two, a slow reader holds its scan up, and a cancelled call ends it. */
export async function streamPages(call: Pick<Call, 'write' | 'end' | 'cancelled' | 'drained'>, next: () => Page): Promise<void> {
  for (;;) {
    const { messages, done } = next();
    for (const message of messages) {
      if (!call.write(message) && !done) await call.drained();
      if (call.cancelled) return;
    }
    if (done) break;
    // A call takes several turns of the loop from its first byte to its answer: with one turn a page it would wait for as many pages.
    for (let turn = 0; turn < TURNS; turn++) await new Promise(setImmediate);
    if (call.cancelled) return;
  }
  call.end();
}
