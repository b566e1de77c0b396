/** The page's root: takes `window.market` of the desktop host, else the browser host's socket, and draws. */
import './theme/theme.css';
import { createRoot } from 'react-dom/client';
import type { Market } from '../shared/channels.ts';
import { openPage } from './shell/openPage.ts';
import { Page } from './shell/Page.tsx';
import { connectSocket, feedUrl } from './store/socket.ts';

declare global {
  interface Window {
    /** Exposed by the preload; absent in a browser. */
    readonly market?: Market;
  }
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
const market = window.market ?? connectSocket({ url: feedUrl(window.location) });
const handles = openPage(market, window.localStorage);
window.addEventListener('pagehide', (event) => {
  if (!event.persisted) handles.close();
});
createRoot(root).render(<Page handles={handles} />);
