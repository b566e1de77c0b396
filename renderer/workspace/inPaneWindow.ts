/** A window of panes' own side: says what lies in it, follows the links, returns or closes when it is told. */
import { NOTHING, parseAtWork } from './saved.ts';
import type { WindowHost } from './windowHost.ts';
import { parseWindowMessage } from './windowMessages.ts';
import type { Workspace } from './workspace.ts';

export interface InPaneWindow {
  /** Gives the panes back to the desk and closes. */
  readonly giveBack: () => void;
  readonly close: () => void;
}

/** Dragging a divider makes many layouts. */
const SETTLE_MS = 200;

export function openInPaneWindow({ id, workspace, host, kept }: { readonly id: string; readonly workspace: Workspace; readonly host: WindowHost; readonly kept: () => string | null }): InPaneWindow {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let heardLinks = JSON.stringify(workspace.links.get());
  let done = workspace.layout.get() === null;

  const say = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const layout = workspace.layout.get();
    if (layout !== null && !done) host.post({ kind: 'here', window: { id, layout, bounds: host.bounds() } });
  };
  const soon = (): void => {
    timer ??= setTimeout(say, SETTLE_MS);
  };
  const giveBack = (): void => {
    say();
    done = true;
    host.post({ kind: 'return', id });
    host.closeSelf();
  };
  const stops = [
    workspace.layout.subscribe(soon),
    workspace.links.subscribe(() => {
      const links = workspace.links.get();
      if (JSON.stringify(links) === heardLinks) return;
      heardLinks = JSON.stringify(links);
      host.post({ kind: 'links', links });
    }),
    host.subscribe((raw) => {
      const message = parseWindowMessage(raw);
      if (message?.kind === 'who') say();
      else if (message?.kind === 'links') {
        heardLinks = JSON.stringify(message.links);
        workspace.links.set(message.links);
      } else if (message?.kind === 'close' && message.id === id) {
        done = true;
        host.closeSelf();
      } else if (message?.kind === 'show' && message.id === id) {
        const parsed = parseAtWork(kept() ?? '');
        const work = parsed.ok ? parsed.value : NOTHING;
        workspace.links.set(work.links);
        workspace.show(work.windows.find((window) => window.id === id)?.layout ?? null);
      }
    }),
  ];
  say();
  return {
    giveBack,
    close() {
      for (const stop of stops) stop();
      if (!done) {
        say();
        host.post({ kind: 'leave', id });
      }
      clearTimeout(timer);
    },
  };
}
