/** `session`: permission handlers decide what Chromium is told, as far as it can be told beforehand. */
import type { Answer } from './chromium.ts';
import { protocol } from './protocol.ts';

type Check = (contents: unknown, permission: string, origin: string, details: object) => boolean;
let check: Check | null = null;
let ask: ((contents: unknown, permission: string, callback: (granted: boolean) => void) => void) | null = null;

export const session = {
  defaultSession: {
    setPermissionRequestHandler: (handler: typeof ask): void => { ask = handler; },
    setPermissionCheckHandler: (handler: Check | null): void => { check = handler; },
    setDevicePermissionHandler(): void {},
    setDisplayMediaRequestHandler(): void {},
    webRequest: { onHeadersReceived(): void {}, onBeforeRequest(): void {} },
    clearStorageData: async (): Promise<void> => {},
    protocol,
  },
};

/** Electron's name of a permission, and DevTools' for the same. */
const PERMISSIONS = [['geolocation', 'geolocation'], ['notifications', 'notifications'], ['media', 'camera'], ['media', 'microphone'], ['clipboard-read', 'clipboard-read'], ['midi', 'midi']] as const;

/** Grants and denies as the app's handlers say; without handlers Electron grants everything, and so do we. */
export async function applyPermissions(send: (method: string, params: object) => Promise<Answer>): Promise<void> {
  for (const [name, chromiumName] of PERMISSIONS) {
    let asked = true;
    ask?.(null, name, (granted) => { asked = granted; });
    const granted = asked && (check?.(null, name, '', {}) ?? true);
    await send('Browser.setPermission', { permission: { name: chromiumName }, setting: granted ? 'granted' : 'denied' }).catch(() => {}); // one that this Chromium does not know
  }
}
