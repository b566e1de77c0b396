/** The page's root: takes `window.market` of the desktop host, else the browser host's socket, and draws the desk, or at `#w=ID` a window of its panes. */
import './theme/theme.css';
import { createRoot } from 'react-dom/client';
import type { Market } from '../shared/channels.ts';
import { openPage } from './shell/openPage.ts';
import { Page } from './shell/Page.tsx';
import { PaneWindowPage } from './shell/PaneWindowPage.tsx';
import { connectSocket, feedUrl } from './store/socket.ts';
import { browserWindows, paneWindowStorage, windowIdOf } from './workspace/windowHost.ts';

declare global {
  interface Window {
    /** Exposed by the preload; absent in a browser. */
    readonly market?: Market;
  }
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
const market = window.market ?? connectSocket({ url: feedUrl(window.location) });
const windowId = windowIdOf(window.location.hash);
const storage = windowId === null ? window.localStorage : paneWindowStorage(window.localStorage);
const handles = openPage(market, storage, { windows: browserWindows(window, market.host === 'electron'), windowId });
window.addEventListener('pagehide', (event) => {
  if (!event.persisted) handles.close();
});
createRoot(root).render(windowId === null ? <Page handles={handles} /> : <PaneWindowPage handles={handles} />);
