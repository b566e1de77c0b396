/** `BrowserWindow`: bounds and flags are kept, not shown; the page inside is real. */
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from './app.ts';
import { type Answer, chromium } from './chromium.ts';
import { WebContents } from './webContents.ts';

interface Bounds {
  x: number;
  y: number;
  width: number;
  height: number;
}

export class BrowserWindow extends EventEmitter {
  static readonly #all = new Set<BrowserWindow>();
  static #next = 1;
  static getAllWindows(): BrowserWindow[] {
    return [...BrowserWindow.#all];
  }
  static fromWebContents(contents: WebContents): unknown {
    return contents.owner;
  }
  static getFocusedWindow(): BrowserWindow | null {
    return BrowserWindow.getAllWindows()[0] ?? null;
  }
  readonly id = BrowserWindow.#next++;
  readonly webContents: WebContents;
  readonly #bounds: Bounds;
  readonly #flags = { maximized: false, minimized: false, fullScreen: false };
  #destroyed = false;
  #title: string;
  #visible: boolean;

  constructor(options: Answer = {}) {
    super();
    if (!app.isReady()) throw new Error('Cannot create BrowserWindow before app is ready');
    this.#title = options.title ?? app.name;
    this.#visible = options.show !== false;
    this.#bounds = { x: options.x ?? 0, y: options.y ?? 0, width: options.width ?? 800, height: options.height ?? 600 };
    BrowserWindow.#all.add(this);
    app.openWindows.add(this);
    this.webContents = new WebContents(this, options);
    this.webContents.once('dom-ready', () => this.emit('ready-to-show'));
    app.emit('browser-window-created', {}, this);
  }
  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url);
  }
  loadFile(path: string): Promise<void> {
    return this.webContents.loadURL(pathToFileURL(join(app.getAppPath(), path)).href);
  }
  show(): void {
    this.#visible = true;
    this.emit('show');
  }
  hide(): void {
    this.#visible = false;
    this.emit('hide');
  }
  focus(): void {
    this.emit('focus');
  }
  isVisible(): boolean {
    return this.#visible;
  }
  isDestroyed(): boolean {
    return this.#destroyed;
  }
  maximize(): void {
    this.#flags.maximized = true;
    this.emit('maximize');
  }
  unmaximize(): void {
    this.#flags.maximized = false;
    this.emit('unmaximize');
  }
  isMaximized(): boolean {
    return this.#flags.maximized;
  }
  minimize(): void {
    this.#flags.minimized = true;
    this.emit('minimize');
  }
  restore(): void {
    this.#flags.minimized = false;
    this.emit('restore');
  }
  isMinimized(): boolean {
    return this.#flags.minimized;
  }
  isFullScreen(): boolean {
    return this.#flags.fullScreen;
  }
  setFullScreen(flag: boolean): void {
    this.#flags.fullScreen = flag;
    this.emit(flag ? 'enter-full-screen' : 'leave-full-screen');
  }
  getTitle(): string {
    return this.#title;
  }
  setTitle(title: string): void {
    this.#title = title;
  }
  setMenu(): void {}
  setMenuBarVisibility(): void {}
  removeMenu(): void {}
  getBounds(): Bounds {
    return { ...this.#bounds };
  }
  getNormalBounds(): Bounds {
    return { ...this.#bounds };
  }
  setBounds(bounds: Partial<Bounds>): void {
    Object.assign(this.#bounds, bounds);
    const { width, height } = this.#bounds;
    void this.webContents.attached.then(() => this.webContents.cdp('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false })).catch(() => {});
    this.emit('resize');
  }
  close(): void {
    if (this.#destroyed) return;
    let prevented = false;
    this.emit('close', { preventDefault: () => { prevented = true; } });
    if (!prevented) this.destroy();
  }
  destroy(): void {
    void this.webContents.attached.then(() => chromium.send('Target.closeTarget', { targetId: this.webContents.targetId })).catch(() => {});
    this.webContents.gone();
  }
  gone(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    BrowserWindow.#all.delete(this);
    app.openWindows.delete(this);
    this.emit('closed');
    if (BrowserWindow.#all.size > 0) return;
    if (app.listenerCount('window-all-closed') > 0) app.emit('window-all-closed');
    else app.quit();
  }
}
