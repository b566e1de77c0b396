/** A pane: what it is, whose index it shows, and its own settings. */

export const KINDS = ['chart', 'tape', 'health', 'watchlist'] as const;
export type PaneKind = (typeof KINDS)[number];

/** Panes of one link show one index. A letter and a colour: never colour alone. */
export const LINKS = ['A', 'B', 'C', 'D', 'E'] as const;
export type Link = (typeof LINKS)[number];
export type Links = Readonly<Record<Link, string | null>>;

export interface Pane {
  readonly id: string;
  readonly kind: PaneKind;
  /** Null: `index` is its own. */
  readonly link: Link | null;
  readonly index: string | null;
  /** Of its chart, JSON as it is; who draws it parses it. */
  readonly settings: unknown;
}

export const NO_LINKS: Links = { A: null, B: null, C: null, D: null, E: null };
/** Settings of one pane, as text. */
const MOST_SETTINGS = 60_000;

export const isIndexId = (value: unknown): value is string => typeof value === 'string' && /^[A-Z0-9^._-]{1,24}$/.test(value);
export const isPaneId = (value: unknown): value is string => typeof value === 'string' && /^[a-z0-9]{4,16}$/.test(value);

/** An id that no other pane or window has. */
export const newId = (): string => Array.from(crypto.getRandomValues(new Uint8Array(5)), (byte) => byte.toString(16).padStart(2, '0')).join('');

export const indexOf = (pane: Pane, links: Links): string | null => (pane.link === null ? pane.index : links[pane.link]);

const TITLES: Readonly<Record<PaneKind, string>> = { chart: 'Chart', tape: 'Tape', health: 'Health', watchlist: 'Watchlist' };
/** As its tab shows it. */
export const paneTitle = (kind: PaneKind, index: string | null): string => (kind === 'chart' ? (index ?? TITLES.chart) : kind !== 'tape' || index === null ? TITLES[kind] : `${TITLES[kind]} ${index}`);

/** A pane out of foreign JSON; null where it is none. Settings that are too large cost only themselves. */
export function parsePane(id: string, value: unknown): Pane | null {
  if (typeof value !== 'object' || value === null) return null;
  const { kind, link, index, settings } = value as Record<string, unknown>;
  const known = KINDS.find((one) => one === kind);
  if (known === undefined) return null;
  return {
    id, kind: known, link: LINKS.find((one) => one === link) ?? null, index: isIndexId(index) ? index : null,
    settings: parseSettings(settings),
  };
}

function parseSettings(value: unknown): unknown {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined || text.length > MOST_SETTINGS ? null : (JSON.parse(text) as unknown);
  } catch {
    return null; // nested deeper than the machine can follow
  }
}

export function parseLinks(value: unknown): Links {
  const given = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const of = (link: Link): string | null => (isIndexId(given[link]) ? given[link] : null);
  return { A: of('A'), B: of('B'), C: of('C'), D: of('D'), E: of('E') };
}
