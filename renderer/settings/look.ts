/** How the page looks and writes, as the user chose it, and its parser: a field that can't be read costs only itself. */

export const CONTRASTS = ['system', 'standard', 'high'] as const;
export type Contrast = (typeof CONTRASTS)[number];
/** Up's colour first. The first three differ for every kind of colour vision; the others are what some markets are used to. */
export const PALETTES = ['teal-orange', 'blue-orange', 'green-magenta', 'green-red', 'red-green'] as const;
export type Palette = (typeof PALETTES)[number];
/** Percent. */
export const TEXT_SIZES = [100, 110, 125, 150, 175, 200] as const;
export type TextSize = (typeof TEXT_SIZES)[number];
export const MOTIONS = ['system', 'reduced', 'full'] as const;
export type Motion = (typeof MOTIONS)[number];
export const HOURS = ['24', '12', 'locale'] as const;
export type Hours = (typeof HOURS)[number];

export interface Look {
  readonly contrast: Contrast;
  readonly palette: Palette;
  readonly text: TextSize;
  /** A BCP 47 tag; null: the browser's. */
  readonly locale: string | null;
  readonly hours: Hours;
  readonly motion: Motion;
}

/** Clocks show 24 hours unless asked otherwise, as exchanges print their times. */
export const DEFAULT_LOOK: Look = { contrast: 'system', palette: 'teal-orange', text: 100, locale: null, hours: '24', motion: 'system' };

const MOST_TEXT = 2000;

/** The tag in its canonical form, or null for one that is none or that this browser can't write numbers in. */
export function parseLocale(text: string): string | null {
  const tag = text.trim();
  if (tag === '' || tag.length > 40) return null;
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag)[0] ?? null;
  } catch {
    return null;
  }
}

/** `wrong` names the fields that were there and could not be read. */
export function parseLook(value: unknown): { readonly look: Look; readonly wrong: readonly string[] } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { look: DEFAULT_LOOK, wrong: ['all'] };
  const given = value as Readonly<Record<string, unknown>>;
  const wrong: string[] = [];
  const among = <T extends string | number>(name: string, all: readonly T[], otherwise: T): T => {
    const found = all.find((one) => one === given[name]);
    if (found === undefined && given[name] !== undefined) wrong.push(name);
    return found ?? otherwise;
  };
  const tag = given['locale'] ?? null;
  const locale = typeof tag === 'string' ? parseLocale(tag) : null;
  if (tag !== null && locale === null) wrong.push('locale');
  const look: Look = {
    contrast: among('contrast', CONTRASTS, DEFAULT_LOOK.contrast), palette: among('palette', PALETTES, DEFAULT_LOOK.palette), text: among('text', TEXT_SIZES, DEFAULT_LOOK.text), locale,
    hours: among('hours', HOURS, DEFAULT_LOOK.hours), motion: among('motion', MOTIONS, DEFAULT_LOOK.motion),
  };
  return { look, wrong };
}

/** From kept text; null is a first visit. */
export function readLook(text: string | null): ReturnType<typeof parseLook> {
  if (text === null) return { look: DEFAULT_LOOK, wrong: [] };
  if (text.length > MOST_TEXT) return { look: DEFAULT_LOOK, wrong: ['all'] };
  try {
    return parseLook(JSON.parse(text));
  } catch {
    return { look: DEFAULT_LOOK, wrong: ['all'] };
  }
}
