/** Where a window comes back: where it was, as far as the displays of today allow. */

export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const DEFAULT_SIZE = { width: 1440, height: 900 } as const;
export const MINIMUM_SIZE = { width: 800, height: 600 } as const;
/** Pixels of a window's top edge that must lie on a display, both ways, so that it can be grabbed and moved. */
const REACHABLE = 100;
const TITLE_BAR = 32;

/**
 * `areas` are the displays' work areas, the primary first, at least one. A saved window whose title bar is reachable stays where it is
 * (cut to the display's size where that shrank); any other is centred on the primary display. Coordinates may be negative.
 */
export function restoredBounds(saved: Bounds | null, areas: readonly [Bounds, ...Bounds[]], size: Pick<Bounds, 'width' | 'height'> = DEFAULT_SIZE): Bounds {
  const [primary] = areas;
  if (saved === null) return centred(size, primary);
  for (const area of areas) {
    // Judged as it will be: cutting a window to its display may take the reachable part away.
    const window = { ...saved, ...fitted(saved, area) };
    if (reachable(window, area)) return window;
  }
  return centred(saved, primary);
}

function reachable(window: Bounds, area: Bounds): boolean {
  const across = Math.min(window.x + window.width, area.x + area.width) - Math.max(window.x, area.x);
  const grip = window.y >= area.y && window.y + TITLE_BAR <= area.y + area.height;
  const down = Math.min(window.y + window.height, area.y + area.height) - Math.max(window.y, area.y);
  return grip && across >= REACHABLE && down >= REACHABLE;
}

const clamp = (value: number, least: number, most: number): number => Math.max(Math.min(least, most), Math.min(value, most));

const fitted = (size: Pick<Bounds, 'width' | 'height'>, area: Bounds): Pick<Bounds, 'width' | 'height'> => ({
  width: clamp(size.width, MINIMUM_SIZE.width, area.width),
  height: clamp(size.height, MINIMUM_SIZE.height, area.height),
});

function centred(size: Pick<Bounds, 'width' | 'height'>, area: Bounds): Bounds {
  const { width, height } = fitted(size, area);
  return { x: area.x + Math.round((area.width - width) / 2), y: area.y + Math.round((area.height - height) / 2), width, height };
}
