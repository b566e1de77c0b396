/** What the desk and its windows of panes say to one another. Same origin, parsed all the same. */
import { isPaneId, type Links, parseLinks } from './pane.ts';
import { type PaneWindow, parseWindow } from './saved.ts';

export type WindowMessage =
  /** Desk: which windows are open? */
  | { readonly kind: 'who' }
  /** Window: I am, and this lies in me now. */
  | { readonly kind: 'here'; readonly window: PaneWindow }
  /** Window: I go away, or load anew. */
  | { readonly kind: 'leave'; readonly id: string }
  /** Window: take my panes back, I close. */
  | { readonly kind: 'return'; readonly id: string }
  /** Desk: close; your panes are taken care of. */
  | { readonly kind: 'close'; readonly id: string }
  /** Desk: read anew what you have to show. */
  | { readonly kind: 'show'; readonly id: string }
  /** Anyone: the links show these now. */
  | { readonly kind: 'links'; readonly links: Links };

export function parseWindowMessage(value: unknown): WindowMessage | null {
  if (typeof value !== 'object' || value === null) return null;
  const { kind, id, window, links } = value as Record<string, unknown>;
  switch (kind) {
    case 'who':
      return { kind };
    case 'links':
      return { kind, links: parseLinks(links) };
    case 'leave': case 'return': case 'close': case 'show':
      return isPaneId(id) ? { kind, id } : null;
    case 'here': {
      const parsed = parseWindow(window);
      return parsed.ok ? { kind, window: parsed.value } : null;
    }
    default:
      return null;
  }
}
