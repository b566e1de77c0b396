/** What the listeners still have to hear: events in order, and of each value only its newest view. */
import type { QuoteView } from '../../shared/channels.ts';
import type { IndexId } from '../../shared/rowKey.ts';
import type { FeedEvent } from './feedConfig.ts';

export interface Outbox {
  add(event: FeedEvent): void;
  changed(id: IndexId, view: QuoteView): void;
  /** Sends all as one batch. */
  flush(): void;
  /** Returns the unsubscriber. */
  on(listener: (events: readonly FeedEvent[]) => void): () => void;
  close(): void;
}

export function createOutbox(): Outbox {
  const listeners = new Set<(events: readonly FeedEvent[]) => void>();
  let events: FeedEvent[] = [];
  let quotes = new Map<IndexId, QuoteView>();
  return {
    add: (event) => void events.push(event),
    changed: (id, view) => void quotes.set(id, view),
    flush() {
      if (quotes.size > 0) {
        events.push({ channel: 'quotes', data: { kind: 'changes', quotes: [...quotes.values()] } });
        quotes = new Map();
      }
      if (events.length === 0) return;
      const batch = events;
      events = [];
      for (const listener of listeners) listener(batch);
    },
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => listeners.clear(),
  };
}
