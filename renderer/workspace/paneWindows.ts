/** The desk's side of windows of panes: opens them, follows what happens in them, takes their panes back. */
import { assertNever } from '../../shared/result.ts';
import type { Notices } from '../shell/notices.ts';
import { type Layout, oneGroup, without } from './layout.ts';
import { newId, type Pane } from './pane.ts';
import type { PaneWindow } from './saved.ts';
import type { WindowHost } from './windowHost.ts';
import { parseWindowMessage } from './windowMessages.ts';
import type { Workspace } from './workspace.ts';

export interface PaneWindows {
  /** Moves panes into a window of their own, `shown` on top. A browser that refuses costs a notice. */
  popOut(panes: readonly Pane[], shown: string): void;
  /** Every window's panes come back; the windows close. */
  readonly returnAll: () => void;
  /** Opens, closes and refreshes windows so that exactly these are open. Called after the workspace has them. */
  match(before: readonly PaneWindow[]): void;
  readonly close: () => void;
}

/** A window that loads anew is silent for a moment; so are all when the desk does. */
const GONE_MS = 2000;

interface Parts {
  readonly workspace: Workspace;
  readonly host: WindowHost;
  readonly notices: Notices;
  /** Puts panes into the dock. */
  readonly bring: (layout: Layout) => void;
  /** Takes panes out of it. */
  readonly take: (ids: readonly string[]) => void;
}

export function openPaneWindows({ workspace, host, notices, bring, take }: Parts): PaneWindows {
  const { windows, owner } = workspace;
  const leaving = new Map<string, ReturnType<typeof setTimeout>>();
  const heard = new Set<string>();
  let heardLinks = JSON.stringify(workspace.links.get());

  const forget = (id: string): PaneWindow | undefined => {
    const gone = windows.get().find((window) => window.id === id);
    clearTimeout(leaving.get(id));
    leaving.delete(id);
    heard.delete(id);
    if (gone) windows.set(windows.get().filter((window) => window !== gone));
    return gone;
  };
  const takeBack = (id: string): void => {
    const gone = forget(id);
    if (gone) bring(gone.layout);
  };
  const openAll = (missing: readonly PaneWindow[]): void => {
    const refused = missing.filter((window) => !host.open(window));
    if (refused.length === 0) return;
    const words = refused.length === 1 ? 'A window of panes waits' : `${refused.length} windows of panes wait`;
    notices.tell(`${words}: the browser opens windows only on a click`, { action: { title: 'Open', run: () => openAll(refused) } });
  };
  const here = (window: PaneWindow): void => {
    clearTimeout(leaving.get(window.id));
    leaving.delete(window.id);
    heard.add(window.id);
    const known = windows.get().some(({ id }) => id === window.id);
    const own = new Set([...Object.keys(workspace.layout.get()?.panes ?? {}), ...windows.get().flatMap(({ id, layout }) => (id === window.id ? [] : Object.keys(layout.panes)))]);
    if (!known && Object.keys(window.layout.panes).some((id) => own.has(id))) return host.post({ kind: 'close', id: window.id }); // those panes came back meanwhile
    windows.set(known ? windows.get().map((one) => (one.id === window.id ? window : one)) : [...windows.get(), window]);
  };

  const stop = host.subscribe((raw) => {
    const message = parseWindowMessage(raw);
    if (message === null || !owner.get()) return;
    switch (message.kind) {
      case 'here':
        return here(message.window);
      case 'return':
        return takeBack(message.id);
      case 'leave':
        if (windows.get().some(({ id }) => id === message.id)) leaving.set(message.id, setTimeout(() => takeBack(message.id), GONE_MS));
        return undefined;
      case 'links':
        heardLinks = JSON.stringify(message.links);
        return workspace.links.set(message.links);
      case 'who': case 'close': case 'show': // the desk's own words
        return undefined;
      default:
        return assertNever(message);
    }
  });
  const stopLinks = workspace.links.subscribe(() => {
    const links = workspace.links.get();
    if (JSON.stringify(links) === heardLinks) return;
    heardLinks = JSON.stringify(links);
    host.post({ kind: 'links', links });
  });
  host.own((mine) => {
    if (mine === owner.get()) return;
    owner.set(mine);
    if (!mine) notices.tell('Another window has this desk: panes that are moved here are not kept');
  });
  // After a restart: those that still live answer, the others are opened.
  host.post({ kind: 'who' });
  const start = setTimeout(() => {
    if (owner.get()) openAll(windows.get().filter(({ id }) => !heard.has(id)));
  }, windows.get().length === 0 ? 0 : GONE_MS / 2);

  return {
    popOut(panes, shown) {
      const before = workspace.layout.get();
      const window: PaneWindow = { id: newId(), layout: oneGroup(panes, shown), bounds: null };
      windows.set([...windows.get(), window]);
      if (before !== null) workspace.moved(without(before, panes.map(({ id }) => id)));
      workspace.flush(); // the new window reads it
      if (host.open(window)) return take(panes.map(({ id }) => id));
      forget(window.id);
      workspace.moved(before);
      notices.tell('The browser refused the new window: allow pop-ups for this page, then pop out again', { tone: 'bad' });
      return undefined;
    },
    returnAll() {
      for (const { id } of windows.get()) {
        host.post({ kind: 'close', id });
        takeBack(id);
      }
    },
    match(before) {
      const [was, now] = [new Set(before.map(({ id }) => id)), windows.get()];
      const wanted = new Set(now.map(({ id }) => id));
      for (const { id } of before) {
        clearTimeout(leaving.get(id));
        leaving.delete(id);
        host.post(wanted.has(id) ? { kind: 'show', id } : { kind: 'close', id });
      }
      openAll(now.filter(({ id }) => !was.has(id)));
    },
    close() {
      clearTimeout(start);
      for (const timer of leaving.values()) clearTimeout(timer);
      stop();
      stopLinks();
    },
  };
}
