/** Text and HTML to the clipboard: by a copy event, which also works over plain HTTP and in the desktop, which grants no permissions; else by the Clipboard API. */

export interface Copyable {
  readonly text: string;
  /** Empty: text alone. */
  readonly html: string;
}

/** True once it is there; call it from a key or a click. */
export async function copyToClipboard({ text, html }: Copyable): Promise<boolean> {
  if (byEvent({ text, html })) return true;
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': new Blob([text], { type: 'text/plain' }), ...(html === '' ? {} : { 'text/html': new Blob([html], { type: 'text/html' }) }) })]);
    return true;
  } catch {
    return false; // refused: the caller says so
  }
}

/** At once, so that the user's gesture still counts, and with exactly this HTML. */
function byEvent({ text, html }: Copyable): boolean {
  let taken = false;
  const onCopy = (event: ClipboardEvent): void => {
    if (!event.clipboardData) return;
    event.clipboardData.setData('text/plain', text);
    if (html !== '') event.clipboardData.setData('text/html', html);
    event.preventDefault();
    event.stopPropagation();
    taken = true;
  };
  document.addEventListener('copy', onCopy, { capture: true });
  try {
    return document.execCommand('copy') && taken;
  } catch {
    return false;
  } finally {
    document.removeEventListener('copy', onCopy, { capture: true });
  }
}

/** A picture to the clipboard. False where the browser has no such clipboard (plain HTTP) or refuses it. Begin it within the press: the picture may come later. */
export async function copyPicture(picture: Promise<Blob>): Promise<boolean> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })]);
    return true;
  } catch {
    return false;
  }
}
