/** Who may call the host over IPC: the main frame of our own page. Everything else that can end up in a renderer is refused. */

/** The part of Electron's WebFrameMain that matters; null when the frame is already gone. */
export interface Frame {
  readonly url: string;
  readonly parent: unknown;
}

/**
 * Why a frame is refused, or null. Parsed and compared exactly: `startsWith` would let `app://frontrow.evil` in, and an empty URL or
 * about:blank is what a frame has before, or without, a page of ours.
 */
export function senderFault(frame: Frame | null | undefined, origin: string): string | null {
  if (frame === null || frame === undefined) return 'the frame is gone';
  if (frame.parent !== null) return 'a sub-frame';
  const own = originOf(origin);
  const sender = originOf(frame.url);
  if (sender === null) return 'a frame without a page';
  return sender === own ? null : 'a page of another origin';
}

/** `scheme://host[:port]` of a page; null for anything without a host, with user info, or unparsable. `URL.origin` is "null" for app://. */
export function originOf(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, host, username, password } = new URL(text);
  if (host === '' || username !== '' || password !== '') return null;
  return `${protocol}//${host}`;
}
