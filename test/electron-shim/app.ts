/** `app`: life cycle, paths, switches. */
import { EventEmitter } from 'node:events';
import { mkdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from './chromium.ts';

/** Chromium's switches, given on the command line or by app.commandLine. */
export const switches: string[] = [];

interface Closable {
  close(): void;
}

class App extends EventEmitter {
  readonly isPackaged = false;
  about = { appPath: process.cwd(), name: 'electron', version: '0.0.0' };
  readonly openWindows = new Set<Closable>();
  readonly #ready = Promise.withResolvers<void>();
  readonly #paths = new Map<string, string>();
  #isReady = false;
  #quitting = false;

  readonly commandLine = {
    appendSwitch: (name: string, value = ''): void => void switches.push(value ? `--${name}=${value}` : `--${name}`),
    appendArgument: (): void => {},
    hasSwitch: (name: string): boolean => [...switches, ...process.argv].some((given) => given === `--${name}` || given.startsWith(`--${name}=`)),
    getSwitchValue: (name: string): string => [...switches, ...process.argv].find((given) => given.startsWith(`--${name}=`))?.slice(name.length + 3) ?? '',
  };

  get name(): string {
    return this.about.name;
  }
  whenReady(): Promise<void> {
    return this.#ready.promise;
  }
  isReady(): boolean {
    return this.#isReady;
  }
  /** Called by boot.ts once Chromium runs. */
  becomeReady(): void {
    this.emit('will-finish-launching');
    this.#isReady = true;
    this.#ready.resolve();
    this.emit('ready', { preventDefault() {} }, {});
  }
  getVersion(): string {
    return this.about.version;
  }
  getName(): string {
    return this.about.name;
  }
  getAppPath(): string {
    return this.about.appPath;
  }
  getLocale(): string {
    return 'en-US';
  }
  setPath(name: string, path: string): void {
    this.#paths.set(name, path);
  }
  getPath(name: string): string {
    const known: Record<string, string> = { home: homedir(), temp: tmpdir() };
    const path = this.#paths.get(name) ?? known[name] ?? (this.commandLine.getSwitchValue('user-data-dir') || join(tmpdir(), `electron-shim-data-${process.pid}`));
    if (name === 'userData') mkdirSync(path, { recursive: true });
    return path;
  }
  requestSingleInstanceLock(): boolean {
    return true;
  }
  setAppUserModelId(): void {}
  enableSandbox(): void {
    if (this.#isReady) throw new Error('app.enableSandbox() can only be called before app is ready');
  }
  quit(): void {
    if (this.#quitting) return;
    let prevented = false;
    const event = { preventDefault: () => { prevented = true; } };
    this.emit('before-quit', event);
    if (prevented) return;
    for (const window of this.openWindows) window.close();
    this.emit('will-quit', event);
    if (prevented) return;
    this.#quitting = true;
    this.exit(0);
  }
  exit(code = 0): void {
    this.emit('quit', {}, code);
    void chromium.close().finally(() => process.exit(code));
  }
}

export const app = new App();
