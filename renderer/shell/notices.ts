/** One-line notices: what could not be kept or done, and what can be taken back. They stay until they are read away. */
import { type Cell, createCell } from '../store/cell.ts';

export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly tone: 'bad' | 'plain';
  readonly action: { readonly title: string; readonly run: () => void } | null;
}

export interface Notices {
  /** Newest first. */
  readonly list: Cell<readonly Notice[]>;
  /** The same text again replaces the one that stands. Returns what takes it away. */
  tell(text: string, more?: Partial<Pick<Notice, 'tone' | 'action'>>): () => void;
  dismiss(id: number): void;
}

/** More than this and nobody reads any. */
const MOST = 3;

export function createNotices(): Notices {
  const list = createCell<readonly Notice[]>([]);
  let next = 1;
  const dismiss = (id: number): void => list.set(list.get().filter((notice) => notice.id !== id));
  return {
    list, dismiss,
    tell(text, { tone = 'plain', action = null } = {}) {
      const notice = { id: next, text: text.slice(0, 400), tone, action };
      next += 1;
      list.set([notice, ...list.get().filter((one) => one.text !== notice.text)].slice(0, MOST));
      return () => dismiss(notice.id);
    },
  };
}
