/** The desk over IPC: one connection for each page, from its first call until it navigates, crashes or closes. */
import type { IpcMain, WebContents } from 'electron';
import { IPC } from '../../shared/channels.ts';
import { failed, ok, problem } from '../../shared/result.ts';
import type { Connection, Desk } from '../desk/desk.ts';
import { answer } from '../desk/answer.ts';
import { handle } from './handle.ts';
import { createOutgoing, faultLog } from '../desk/outgoing.ts';

/** Requests of one page that may wait at the same time; a page needs about four. */
const MOST_WAITING = 32;

interface Page {
  readonly connection: Connection;
  listening: boolean;
  waiting: number;
}

/** Registers the handlers. Returns what closes every page's connection (before the desk closes). */
export function serveIpc(ipc: Pick<IpcMain, 'handle'>, { desk, origin }: { readonly desk: Desk; readonly origin: string }): () => void {
  const pages = new Map<WebContents, Page>();
  const watched = new WeakSet<WebContents>();
  const outgoing = createOutgoing(faultLog((line) => process.stderr.write(`${line}\n`)));

  function close(contents: WebContents): void {
    const page = pages.get(contents);
    pages.delete(contents);
    page?.connection.close();
  }

  function pageOf(contents: WebContents, listening: boolean): { page: Page; fresh: boolean } {
    const known = pages.get(contents);
    if (known !== undefined) return { page: known, fresh: false };
    if (!watched.has(contents)) watch(contents);
    // Messages may come from inside connect(), before the page is kept.
    const state = { listening };
    const connection = desk.connect((message) => {
      if ((pages.get(contents) ?? state).listening && !contents.isDestroyed() && outgoing.passes(message)) contents.send(IPC.message, message);
    });
    const page: Page = { connection, listening, waiting: 0 };
    pages.set(contents, page);
    return { page, fresh: true };
  }

  function watch(contents: WebContents): void {
    watched.add(contents);
    contents.on('destroyed', () => close(contents));
    contents.on('render-process-gone', () => close(contents));
    // A reload leaves the web contents as they are but the page, its listeners and its watched indices are gone.
    contents.on('did-start-navigation', (details) => {
      if (details.isMainFrame && !details.isSameDocument) close(contents);
    });
  }

  handle(ipc, IPC.open, { origin, most: 0 }, (sender) => {
    const { page, fresh } = pageOf(sender, true);
    page.listening = true;
    if (!fresh) page.connection.resync();
    return ok(null);
  });
  handle(ipc, IPC.close, { origin, most: 0 }, (sender) => {
    close(sender);
    return ok(null);
  });
  handle(ipc, IPC.request, { origin, most: 2 }, async (sender, [name, request]) => {
    const { page } = pageOf(sender, false);
    if (page.waiting >= MOST_WAITING) return failed(problem('STORE_BUSY', `${MOST_WAITING} requests of this page are waiting`, 'wait for one to be answered', true));
    page.waiting += 1;
    try {
      return await answer(page.connection, name, request);
    } finally {
      page.waiting -= 1;
    }
  });

  return () => {
    for (const contents of pages.keys()) close(contents);
  };
}
