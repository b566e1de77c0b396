/** The desktop host's composition root: the window first, the store's client behind it, nothing else. */
import { join } from 'node:path';
import { app, ipcMain, Menu, powerMonitor, protocol, session, shell } from 'electron';
import { startUp } from './app/startUp.ts';
import { createLateDesk } from './desk/lateDesk.ts';
import { reportDefect } from './desk/report.ts';
import { serveIpc } from './ipc/serveIpc.ts';
import { appScheme, serveAppProtocol } from './security/appProtocol.ts';
import { lockNavigation } from './security/navigation.ts';
import { APP_PAGE, developmentPage } from './security/origin.ts';
import { denyPermissions } from './security/permissions.ts';
import { reloadAfterCrash } from './window/crashes.ts';
import { openMainWindow } from './window/mainWindow.ts';
import { createPaneWindows } from './window/paneWindows.ts';

/** How long quitting waits for the store to close in order. */
const CLOSE_MS = 3_000;

const here = import.meta.dirname;
const preload = join(here, '../preload/preload.cjs');
const page = developmentPage(process.env['VITE_DEV_SERVER_URL'], app.isPackaged) ?? APP_PAGE;

// All of this counts from before the app is ready only.
app.enableSandbox();
protocol.registerSchemesAsPrivileged([appScheme]);
const panes = createPaneWindows({ preload, page, report: reportDefect });
lockNavigation(app, { page, shell, openPanes: panes.open });
const { openDesk, health, profile } = startUp(process.argv.slice(app.isPackaged ? 1 : 2), process.env, app.isPackaged);
if (!app.commandLine.hasSwitch('user-data-dir')) app.setPath('userData', profile);

// A rejection that nobody waits for (the auth library has one) must not end a dashboard that still shows prices.
process.on('unhandledRejection', (error) => reportDefect('a rejection that nobody handled', error));

if (app.requestSingleInstanceLock()) await run();
else app.quit();

async function run(): Promise<void> {
  await app.whenReady();
  denyPermissions(session.defaultSession);
  serveAppProtocol(protocol, join(here, '../renderer'));
  if (page === APP_PAGE) Menu.setApplicationMenu(null);

  const desk = createLateDesk({ open: openDesk, health, wallMillis: Date.now });
  const disconnect = serveIpc(ipcMain, { desk, origin: page });
  const window = openMainWindow(preload);
  reloadAfterCrash(window, page);
  // Loading the client takes this process about a second: only once there is something to look at.
  window.once('show', () => desk.start());

  // Their panes belong to it, and it alone brings them back.
  window.on('closed', panes.closeAll);

  powerMonitor.on('resume', () => desk.resume());
  app.on('second-instance', () => {
    if (window.isMinimized()) window.restore();
    window.focus();
  });
  app.on('window-all-closed', () => app.quit());
  let leaving = false;
  app.on('before-quit', (event) => {
    if (leaving) return;
    leaving = true;
    event.preventDefault();
    disconnect();
    const late = new Promise((resolve) => setTimeout(resolve, CLOSE_MS));
    // quit() once more, not exit(): the windows must hear that they close, and keep their place.
    void Promise.race([desk.close(), late]).catch((error: unknown) => reportDefect('closing', error)).finally(() => app.quit());
  });

  await window.loadURL(page).catch((error: unknown) => reportDefect('loading the page', error));
}
