/** Up and down by arrow and sign first, colour second. */
export type Direction = 'up' | 'down' | 'flat';

export const directionOf = (signedText: string | null): Direction =>
  signedText === null || /^-?0*\.?0*$/.test(signedText) ? 'flat' : signedText.startsWith('-') ? 'down' : 'up';

export function Arrow({ direction }: { readonly direction: Direction }) {
  if (direction === 'flat') return <span className="arrow" aria-hidden="true" />;
  return (
    <svg className="arrow" viewBox="0 0 10 8" width="10" height="8" aria-hidden="true" focusable="false">
      <path d={direction === 'up' ? 'M5 .5 9.6 7.5H.4Z' : 'M.4.5h9.2L5 7.5Z'} />
    </svg>
  );
}
