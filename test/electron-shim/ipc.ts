/** `ipcMain`, and what goes over the wire: structured clones, as Electron's. */
import { EventEmitter } from 'node:events';
import v8 from 'node:v8';
import type { Answer } from './chromium.ts';

type Handler = (event: Answer, ...args: unknown[]) => unknown;

class IpcMain extends EventEmitter {
  readonly handlers = new Map<string, Handler>();
  handle(name: string, handler: Handler): void {
    if (this.handlers.has(name)) throw new Error(`Attempted to register a second handler for '${name}'`);
    this.handlers.set(name, handler);
  }
  handleOnce(name: string, handler: Handler): void {
    this.handle(name, (...args) => {
      this.handlers.delete(name);
      return handler(...args);
    });
  }
  removeHandler(name: string): void {
    this.handlers.delete(name);
  }
}
export const ipcMain = new IpcMain();

/** As Electron does: a value that V8 cannot serialise is refused, and prototypes are lost. */
export function clone<T>(value: T): T {
  try {
    return v8.deserialize(v8.serialize(value)) as T;
  } catch {
    throw new Error('An object could not be cloned.');
  }
}
