/** Up and down by arrow and sign first, colour second. */
import { ARROWS } from './shapes.ts';

export type Direction = 'up' | 'down' | 'flat';

export const directionOf = (signedText: string | null): Direction =>
  signedText === null || /^-?0*\.?0*$/.test(signedText) ? 'flat' : signedText.startsWith('-') ? 'down' : 'up';

export function Arrow({ direction }: { readonly direction: Direction }) {
  if (direction === 'flat') return <span className="arrow" aria-hidden="true" />;
  return (
    <svg className="arrow" viewBox="0 0 10 8" width="10" height="8" aria-hidden="true" focusable="false">
      <path d={ARROWS[direction]} />
    </svg>
  );
}
