/** A window shows our page for all its life: nothing can lead it, or a frame or window that it opens, anywhere else. */
import type { App, Shell, WebContents } from 'electron';
import { externalAddress } from './externalLinks.ts';

/** Only the very page again (a reload). Compared whole: same origin would let any served file in. */
export const isOwnPage = (target: string, page: string): boolean => URL.canParse(target) && new URL(target).href === new URL(page).href;

type Watched = Pick<WebContents, 'on' | 'setWindowOpenHandler'>;

/** For each web contents as it is made, whoever makes it: page, frame, webview or popup. */
export function lockNavigation(app: Pick<App, 'on'>, shell: Pick<Shell, 'openExternal'>, page: string): void {
  app.on('web-contents-created', (_event, contents: Watched) => lockContents(contents, shell, page));
}

export function lockContents(contents: Watched, shell: Pick<Shell, 'openExternal'>, page: string): void {
  contents.on('will-frame-navigate', (details) => {
    // Our page has no frames: any navigation of one was made by something else.
    if (!details.isMainFrame || !isOwnPage(details.url, page)) details.preventDefault();
  });
  contents.on('will-navigate', (details) => {
    if (!isOwnPage(details.url, page)) details.preventDefault();
  });
  // Our protocol never redirects.
  contents.on('will-redirect', (details) => details.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    const address = externalAddress(url);
    if (address !== null) void shell.openExternal(address);
    return { action: 'deny' };
  });
}
