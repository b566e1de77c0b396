/** A mark that a value has notes: filled where care is asked for, a ring where it only informs. Words go beside it. */
import type { Note } from './notes.ts';

export function NoteMark({ notes }: { readonly notes: readonly Note[] }) {
  if (notes.length === 0) return null;
  const bad = notes.some((note) => note.bad);
  return (
    <svg className="note-mark" data-tone={bad ? 'bad' : undefined} viewBox="0 0 10 10" width="10" height="10" aria-hidden="true" focusable="false">
      {bad ? <path d="M5 0l5 5-5 5-5-5Z" className="solid" /> : <path d="M5 1l4 4-4 4-4-4Z" className="line" />}
    </svg>
  );
}
