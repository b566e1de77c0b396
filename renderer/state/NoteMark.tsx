/** A mark that a value has notes: filled where care is asked for, a ring where it only informs. Words go beside it. */
import type { Note } from './notes.ts';
import { NOTE_SHAPES } from './shapes.ts';

export function NoteMark({ notes }: { readonly notes: readonly Note[] }) {
  if (notes.length === 0) return null;
  const bad = notes.some((note) => note.bad);
  return (
    <svg className="note-mark" data-tone={bad ? 'bad' : undefined} viewBox="0 0 10 10" width="10" height="10" aria-hidden="true" focusable="false">
      <path {...NOTE_SHAPES[bad ? 'bad' : 'plain']} />
    </svg>
  );
}
