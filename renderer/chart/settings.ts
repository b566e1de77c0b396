/** What a trader chose for one chart, and its parser: a field that can't be read costs only itself. Kept by the pane that shows the chart. */

export const RANGES = ['5m', '1h', '1D', '1W', '1M', '1Y', 'All'] as const;
export type Range = (typeof RANGES)[number];
export const KINDS = ['line', 'area', 'candles', 'bars'] as const;
export type Kind = (typeof KINDS)[number];
export const SCALES = ['linear', 'log', 'percent'] as const;
export type PriceScaleKind = (typeof SCALES)[number];
export const ZONES = ['exchange', 'viewer', 'UTC'] as const;
export type ZoneChoice = (typeof ZONES)[number];
export const DETAILS = ['auto', '1m', '5m', '1h', '1d'] as const;
/** Resolution that is read: as the width needs it, or one that the user forces. */
export type Detail = (typeof DETAILS)[number];
/** `sma20`, `ema50` and the like are averages over that many points; the others stand for themselves. */
export const FIXED_OVERLAYS = ['vwap', 'previous-close', 'day', 'range'] as const;
export type Overlay = (typeof FIXED_OVERLAYS)[number] | `sma${number}` | `ema${number}`;

/** From and to in milliseconds since 1970 UTC. */
export interface CustomRange {
  readonly from: number;
  readonly to: number;
}

/** A horizontal line that the user drew for an index. */
export interface Level {
  readonly index: string;
  /** Decimal text. */
  readonly price: string;
  readonly note: string;
}

export interface ChartSettings {
  readonly range: Range | CustomRange;
  readonly kind: Kind;
  readonly scale: PriceScaleKind;
  readonly zone: ZoneChoice;
  /** Closed time takes no width. */
  readonly collapse: boolean;
  readonly detail: Detail;
  readonly overlays: readonly Overlay[];
  /** Ids of the indices drawn beside this one, all rebased where the view begins, or at `rebase`. */
  readonly compare: readonly string[];
  /** Instant that percent and compared indices start from, milliseconds; null: the left edge. */
  readonly rebase: number | null;
  readonly levels: readonly Level[];
}

export const MOST_COMPARED = 8;
const MOST_OVERLAYS = 8;
const MOST_LEVELS = 200;
const MOST_NOTE = 200;
const MOST_TEXT = 100_000;
/** Years 0001..9999, as row keys. */
const [FIRST_TIME, LAST_TIME] = [-62_135_596_800_000, 253_402_300_799_999];

export const DEFAULT_SETTINGS: ChartSettings = {
  range: '1D', kind: 'line', scale: 'linear', zone: 'exchange', collapse: true, detail: 'auto', overlays: ['previous-close'], compare: [], rebase: null, levels: [],
};

export const isRange = (value: unknown): value is Range => RANGES.some((range) => range === value);
export const isIndexText = (value: unknown): value is string => typeof value === 'string' && /^[A-Z0-9^._-]{1,24}$/.test(value);
export const isOverlay = (value: unknown): value is Overlay =>
  FIXED_OVERLAYS.some((name) => name === value) || (typeof value === 'string' && /^(?:sma|ema)(?:[2-9]|[1-9]\d|[1-4]\d\d|500)$/.test(value));
const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= FIRST_TIME && value <= LAST_TIME;

function rangeOf(value: unknown): ChartSettings['range'] | undefined {
  if (isRange(value)) return value;
  if (typeof value !== 'object' || value === null || !('from' in value) || !('to' in value)) return undefined;
  const { from, to } = value;
  return isTime(from) && isTime(to) && from < to ? { from, to } : undefined;
}

function levelOf(value: unknown): Level[] {
  if (typeof value !== 'object' || value === null || !('index' in value) || !('price' in value)) return [];
  const { index, price } = value;
  const note = 'note' in value && typeof value.note === 'string' ? value.note.slice(0, MOST_NOTE) : '';
  return isIndexText(index) && typeof price === 'string' && /^-?\d{1,20}(?:\.\d{1,20})?$/.test(price) ? [{ index, price, note }] : [];
}

const among = <T extends string>(names: readonly T[], value: unknown, otherwise: T): T => names.find((name) => name === value) ?? otherwise;
const list = (value: unknown, most: number): readonly unknown[] => (Array.isArray(value) ? value.slice(0, most * 4) : []);

/** Settings from anything: a kept text's JSON, an import. What is missing or wrong is as by default. */
export function parseChartSettings(value: unknown): ChartSettings {
  if (typeof value !== 'object' || value === null) return DEFAULT_SETTINGS;
  const given = value as Readonly<Record<string, unknown>>;
  return {
    range: rangeOf(given['range']) ?? DEFAULT_SETTINGS.range,
    kind: among(KINDS, given['kind'], DEFAULT_SETTINGS.kind),
    scale: among(SCALES, given['scale'], DEFAULT_SETTINGS.scale),
    zone: among(ZONES, given['zone'], DEFAULT_SETTINGS.zone),
    collapse: typeof given['collapse'] === 'boolean' ? given['collapse'] : DEFAULT_SETTINGS.collapse,
    detail: among(DETAILS, given['detail'], DEFAULT_SETTINGS.detail),
    overlays: Array.isArray(given['overlays']) ? [...new Set(list(given['overlays'], MOST_OVERLAYS).filter(isOverlay))].slice(0, MOST_OVERLAYS) : DEFAULT_SETTINGS.overlays,
    compare: [...new Set(list(given['compare'], MOST_COMPARED).filter(isIndexText))].slice(0, MOST_COMPARED),
    rebase: isTime(given['rebase']) ? given['rebase'] : null,
    levels: list(given['levels'], MOST_LEVELS).flatMap(levelOf).slice(0, MOST_LEVELS),
  };
}

/** As `parseChartSettings`, from kept text. */
export function readChartSettings(text: string | null): ChartSettings {
  if (text === null || text.length > MOST_TEXT) return DEFAULT_SETTINGS;
  try {
    return parseChartSettings(JSON.parse(text));
  } catch {
    return DEFAULT_SETTINGS;
  }
}
