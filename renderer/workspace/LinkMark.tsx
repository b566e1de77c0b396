import type { Link } from './pane.ts';

/** The link's letter on its colour; nothing where there is none. */
export function LinkMark({ link }: { readonly link: Link | null }) {
  return link === null ? null : <i className="link-mark" data-link={link} title={`follows link ${link}`}>{link}</i>;
}
