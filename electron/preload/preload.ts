/** Gives the page `window.market` and nothing else. Its listeners get messages, never Electron's event (which leads to the whole ipcRenderer). */
import { contextBridge, ipcRenderer } from 'electron';
import { IPC, type Market, type Message } from '../../shared/channels.ts';

const listeners = new Set<(message: Message) => void>();

ipcRenderer.on(IPC.message, (_event, message: Message) => {
  for (const listener of listeners) listener(message);
});

const market: Market = {
  host: 'electron',
  request: (name, request) => ipcRenderer.invoke(IPC.request, name, request),
  subscribe(listener) {
    // One object per subscription: the same function given twice is two subscriptions.
    const own = (message: Message): void => listener(message);
    listeners.add(own);
    // Also when others listen already: the host sends everything again, so that this one starts with a snapshot too.
    void ipcRenderer.invoke(IPC.open);
    return () => {
      if (listeners.delete(own) && listeners.size === 0) void ipcRenderer.invoke(IPC.close);
    };
  },
};

contextBridge.exposeInMainWorld('market', market);
