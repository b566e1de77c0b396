/** What a desktop would show or do: recorded in `calls`, never shown. */
import { EventEmitter } from 'node:events';

export const calls: { api: string; args: unknown[] }[] = [];
const record = (api: string, answer?: unknown) => (...args: unknown[]): unknown => {
  calls.push({ api, args });
  return answer;
};

export const shell = { openExternal: record('shell.openExternal', Promise.resolve()), openPath: record('shell.openPath', Promise.resolve('')), showItemInFolder: record('shell.showItemInFolder'), beep: record('shell.beep') };

export const dialog = {
  showOpenDialog: record('dialog.showOpenDialog', Promise.resolve({ canceled: true, filePaths: [] })),
  showSaveDialog: record('dialog.showSaveDialog', Promise.resolve({ canceled: true })),
  showMessageBox: record('dialog.showMessageBox', Promise.resolve({ response: 0, checkboxChecked: false })),
  showErrorBox: record('dialog.showErrorBox'),
};

export class Menu {
  static #current: Menu | null = null;
  readonly items: any[];
  constructor(items: any[] = []) {
    this.items = items;
  }
  static setApplicationMenu(menu: Menu | null): void {
    Menu.#current = menu;
  }
  static getApplicationMenu(): Menu | null {
    return Menu.#current;
  }
  static buildFromTemplate(template: any[]): Menu {
    return new Menu(template.map((item) => ({ ...item, submenu: Array.isArray(item.submenu) ? Menu.buildFromTemplate(item.submenu) : undefined })));
  }
  getMenuItemById(id: string): any {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id);
      if (found) return found;
    }
    return null;
  }
  popup(): void {}
}

export class Tray extends EventEmitter {
  constructor(icon: unknown) {
    super();
    calls.push({ api: 'new Tray', args: [icon] });
  }
  setToolTip(): void {}
  setContextMenu(): void {}
  destroy(): void {}
}

export class Notification extends EventEmitter {
  static isSupported(): boolean {
    return true;
  }
  readonly options: unknown;
  constructor(options: unknown) {
    super();
    this.options = options;
  }
  show(): void {
    calls.push({ api: 'Notification.show', args: [this.options] });
    this.emit('show');
  }
  close(): void {
    this.emit('close');
  }
}

const display = { id: 1, bounds: { x: 0, y: 0, width: 1920, height: 1080 }, workArea: { x: 0, y: 0, width: 1920, height: 1040 }, scaleFactor: 1 };
export const screen = Object.assign(new EventEmitter(), { getPrimaryDisplay: () => display, getAllDisplays: () => [display], getDisplayMatching: () => display });
export const nativeTheme = Object.assign(new EventEmitter(), { themeSource: 'system', shouldUseDarkColors: false });
export const powerMonitor = Object.assign(new EventEmitter(), { getSystemIdleTime: () => 0, isOnBatteryPower: () => false });
export const powerSaveBlocker = { start: record('powerSaveBlocker.start', 1), stop: record('powerSaveBlocker.stop'), isStarted: () => true };
export const nativeImage = { createFromPath: (path: string) => ({ path, isEmpty: () => false }), createEmpty: () => ({ isEmpty: () => true }) };
export const clipboard = { writeText: record('clipboard.writeText'), readText: () => '' };
export const globalShortcut = { register: record('globalShortcut.register', true), unregisterAll() {}, isRegistered: () => false };
export const crashReporter = { start() {} };
