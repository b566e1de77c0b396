/** `webContents`: one Chromium page over the DevTools protocol, its preload in an isolated world, its IPC and navigation events. */
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { app } from './app.ts';
import { type Answer, chromium } from './chromium.ts';
import { codec } from './clone.js';
import { clone, ipcMain } from './ipc.ts';
import { isolatedWorld, mainWorld } from './page.js';
import { answerScheme, fromChromium, handledPatterns, toChromium } from './protocol.ts';
import { applyPermissions } from './session.ts';

const { encode, decode } = codec();
const WORLD = 'ElectronIsolatedContext';
const MUST = { contextIsolation: true, sandbox: true, nodeIntegration: false } as const;

interface Owner {
  close(): void;
  gone(): void;
}

export class WebContents extends EventEmitter {
  static all: WebContents[] = [];
  static bySession(session: string | undefined): WebContents | undefined {
    return WebContents.all.find((contents) => contents.session === session);
  }
  readonly id = WebContents.all.length + 1;
  readonly owner: Owner;
  readonly attached: Promise<void>;
  targetId = '';
  session = '';
  readonly #options: Answer;
  #context: number | undefined;
  #destroyed = false;
  #url = '';
  #loading = '';
  #mayOpen = false;
  #openHandler: ((details: { url: string }) => { action: string }) | undefined;

  constructor(owner: Owner, options: Answer) {
    super();
    this.owner = owner;
    this.#options = options;
    WebContents.all.push(this);
    app.emit('web-contents-created', {}, this);
    this.attached = this.#attach();
    this.attached.catch((error: unknown) => {
      console.error(error);
      process.exit(1);
    });
  }

  async #attach(): Promise<void> {
    const { width = 800, height = 600, webPreferences = {} } = this.#options;
    for (const [key, want] of Object.entries(MUST)) if ((webPreferences[key] ?? want) !== want) throw new Error(`electron-shim: webPreferences.${key} must be ${want}`);
    ({ targetId: this.targetId } = await chromium.send('Target.createTarget', { url: 'about:blank', width, height, newWindow: true }));
    ({ sessionId: this.session } = await chromium.send('Target.attachToTarget', { targetId: this.targetId, flatten: true }));
    const channel = `electron-shim-${crypto.randomUUID()}`;
    const preload = webPreferences.preload ? readFileSync(webPreferences.preload, 'utf8') : '';
    const info = { platform: process.platform, arch: process.arch, versions: { ...process.versions }, argv: webPreferences.additionalArguments ?? [] };
    const inPage = (source: string): string => `if (window === top && location.href !== 'about:blank') ${source}`;
    await Promise.all([
      this.cdp('Page.enable'),
      this.cdp('Runtime.enable'),
      this.cdp('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false }),
      this.cdp('Runtime.addBinding', { name: '__electronShimPost', executionContextName: WORLD }),
      this.cdp('Fetch.enable', { patterns: [...handledPatterns(), { urlPattern: '*', resourceType: 'Document' }] }),
      this.cdp('Page.addScriptToEvaluateOnNewDocument', { source: inPage(`(${mainWorld})('${channel}')`) }),
      this.cdp('Page.addScriptToEvaluateOnNewDocument', {
        worldName: WORLD,
        source: inPage(`(${isolatedWorld})('${channel}', ${codec}, ${JSON.stringify(info)}, function (require, module, exports, process) {${preload}\n})`),
      }),
      applyPermissions((method, params) => chromium.send(method, params)),
    ]);
  }

  cdp(method: string, params: object = {}): Promise<Answer> {
    return chromium.send(method, params, this.session);
  }

  // ---- what Chromium reports
  contextCreated(context: Answer): void {
    // Frames get this world too: only the main frame's is the preload's.
    if (context.name === WORLD && context.auxData?.type === 'isolated' && context.auxData.frameId === this.targetId) this.#context = context.id;
  }
  contextDestroyed(id?: number): void {
    if (id === undefined || id === this.#context) this.#context = undefined;
  }
  frameNavigated(frame: Answer): void {
    if (frame.parentId) return;
    this.#url = fromChromium(frame.url);
    this.emit('did-navigate', {}, this.#url, 200, 'OK');
  }
  async received({ name, payload, executionContextId }: Answer): Promise<void> {
    if (name !== '__electronShimPost' || executionContextId !== this.#context) return;
    const message = JSON.parse(payload);
    const url = this.getURL();
    const senderFrame = { url, origin: url.replace(/^([a-z]+:\/\/[^/]*).*/, '$1'), routingId: 1, parent: null };
    const event = { sender: this, senderFrame, processId: 1, frameId: 1, type: 'frame', reply: (to: string, ...args: unknown[]) => this.send(to, ...args) };
    if (message.kind === 'preload-error') {
      console.error(`Unable to load preload script: ${message.message}`);
      this.emit('preload-error', {}, this.#options.webPreferences.preload, new Error(message.message));
    } else if (message.kind === 'send') ipcMain.emit(message.name, event, ...decode(message.args));
    else if (message.kind === 'invoke') {
      try {
        const handler = ipcMain.handlers.get(message.name);
        if (!handler) throw new Error(`No handler registered for '${message.name}'`);
        this.#deliver({ kind: 'result', id: message.id, value: encode(clone(await handler(event, ...decode(message.args)))) });
      } catch (error) {
        console.error(`Error occurred in handler for '${message.name}':`, error);
        this.#deliver({ kind: 'result', id: message.id, error: `Error invoking remote method '${message.name}': ${error}` });
      }
    }
  }
  async requestPaused({ requestId, request, resourceType, frameId, redirectedRequestId }: Answer): Promise<void> {
    try {
      if (resourceType === 'Document' && !this.#mayNavigate(fromChromium(request.url), frameId === this.targetId, redirectedRequestId !== undefined)) {
        await this.cdp('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
        return;
      }
      const answer = await answerScheme(request);
      await (answer ? this.cdp('Fetch.fulfillRequest', { requestId, ...answer }) : this.cdp('Fetch.continueRequest', { requestId }));
    } catch (error) {
      console.error(`protocol handler failed for ${request.url}:`, error);
      await this.cdp('Fetch.failRequest', { requestId, errorReason: 'Failed' }).catch(() => {});
    }
  }
  /** Asks the app's navigation handlers; what the app loads by itself is not asked about, as in Electron. */
  #mayNavigate(url: string, isMainFrame: boolean, redirected: boolean): boolean {
    let prevented = false;
    const details = { url, isMainFrame, isSameDocument: false, preventDefault: () => { prevented = true; } };
    if (redirected) this.emit('will-redirect', details, url);
    else if (!isMainFrame || url !== this.#loading) {
      this.emit('will-frame-navigate', details, url);
      if (isMainFrame) this.emit('will-navigate', details, url);
    }
    if (!prevented) this.emit('did-start-navigation', details, url);
    return !prevented;
  }
  /** The page asks for a window: the app's handler decides. */
  asksFor(url: string): void {
    this.#mayOpen = this.#openHandler === undefined || this.#openHandler({ url: fromChromium(url) }).action === 'allow';
  }
  /** The target that came of it: closed unless allowed. The real runtime never creates it. */
  opened(targetId: string): void {
    if (!this.#mayOpen) void closeDenied(targetId).catch(() => {});
  }
  gone(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    WebContents.all.splice(WebContents.all.indexOf(this), 1);
    this.emit('destroyed');
    this.owner.gone();
  }

  // ---- what the app calls
  #deliver(message: unknown): void {
    if (this.#context === undefined) return; // as in Electron: nobody is there yet, so it is lost
    const expression = `__electronShimDeliver(${JSON.stringify(JSON.stringify(message))})`;
    void this.cdp('Runtime.evaluate', { contextId: this.#context, expression, silent: true }).catch(() => {});
  }
  send(name: string, ...args: unknown[]): void {
    this.#deliver({ kind: 'event', name, args: encode(clone(args)) });
  }
  async loadURL(url: string): Promise<void> {
    await this.attached;
    this.#loading = url;
    const done = new Promise<void>((resolve) => this.once('did-finish-load', () => resolve()));
    const { errorText } = await this.cdp('Page.navigate', { url: toChromium(url) });
    if (errorText) {
      this.emit('did-fail-load', {}, -2, errorText, url, true);
      throw new Error(`${errorText} (-2) loading '${url}'`);
    }
    await done;
  }
  getURL(): string {
    return this.#url;
  }
  isDestroyed(): boolean {
    return this.#destroyed;
  }
  close(): void {
    this.owner.close();
  }
  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.#openHandler = handler;
  }
  openDevTools(): void {}
  reload(): void {
    void this.cdp('Page.reload');
  }
  async executeJavaScript(code: string): Promise<unknown> {
    const { exceptionDetails, result } = await this.cdp('Runtime.evaluate', { expression: code, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }
  async forcefullyCrashRenderer(): Promise<void> {
    await this.cdp('Page.crash').catch(() => {});
  }
}

/**
 * A target that a test's browser driver attached to starts paused, and its pause holds the main thread that it shares with its opener: closed in
 * that moment, it would leave the opener's page standing for ever. So it is let run first.
 */
async function closeDenied(targetId: string): Promise<void> {
  const { sessionId } = await chromium.send('Target.attachToTarget', { targetId, flatten: true });
  await chromium.send('Runtime.runIfWaitingForDebugger', {}, sessionId);
  await chromium.send('Target.closeTarget', { targetId });
}

/** Passes Chromium's events on to the web contents they belong to. */
export function routeChromiumEvents(): void {
  const to = (method: string, act: (contents: WebContents, params: Answer) => unknown): void =>
    chromium.on(method, (params, session) => {
      const contents = WebContents.bySession(session);
      if (contents) void act(contents, params);
    });
  to('Runtime.bindingCalled', (contents, params) => contents.received(params));
  to('Runtime.executionContextCreated', (contents, { context }) => contents.contextCreated(context));
  to('Runtime.executionContextDestroyed', (contents, { executionContextId }) => contents.contextDestroyed(executionContextId));
  to('Runtime.executionContextsCleared', (contents) => contents.contextDestroyed());
  to('Runtime.consoleAPICalled', (contents, { type, args }) => contents.emit('console-message', { level: type, message: args.map((arg: Answer) => arg.value ?? arg.description).join(' ') }));
  to('Fetch.requestPaused', (contents, params) => contents.requestPaused(params));
  to('Page.windowOpen', (contents, { url }) => contents.asksFor(url));
  to('Page.frameNavigated', (contents, { frame }) => contents.frameNavigated(frame));
  to('Page.loadEventFired', (contents) => contents.emit('did-finish-load'));
  to('Page.domContentEventFired', (contents) => contents.emit('dom-ready'));
  to('Inspector.targetCrashed', (contents) => contents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 }));
  chromium.on('Target.targetDestroyed', ({ targetId }) => WebContents.all.find((contents) => contents.targetId === targetId)?.gone());
  chromium.on('Target.targetCreated', ({ targetInfo }) => WebContents.all.find((contents) => contents.targetId === targetInfo.openerId)?.opened(targetInfo.targetId));
}
