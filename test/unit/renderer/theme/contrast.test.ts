import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PALETTES } from '../../../../renderer/settings/look.ts';

type Rgb = readonly [number, number, number];
type Pair = readonly [light: string, dark: string];

const folder = `${import.meta.dirname}/../../../../renderer/theme`;
/** Every `--name: light-dark(light, dark)` by the selector it stands under. */
const tokens = new Map<string, Map<string, Pair>>();
for (const file of ['theme.css', 'palettes.css', 'contrast.css']) {
  for (const [, selector, body] of readFileSync(`${folder}/${file}`, 'utf8').matchAll(/^(:root[^\s{,]*)(?:, [^{]*)? \{([^}]*)\}/gm)) {
    const own = tokens.get(selector!) ?? new Map<string, Pair>();
    for (const [, name, light, dark] of body!.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)) own.set(name!, [light!, dark!]);
    tokens.set(selector!, own);
  }
}
const MODES = ['light', 'dark', 'light high', 'dark high'] as const;

function colour(name: string, mode: (typeof MODES)[number], palette = 'teal-orange'): string {
  const of = `[data-palette='${palette}']`;
  const high = `:root[data-contrast='high']`;
  const under = [':root', `:root${of}`, ...(mode.endsWith('high') ? [high, high + of] : [])];
  const found = under.toReversed().map((selector) => tokens.get(selector)?.get(name)).find((pair) => pair !== undefined);
  if (!found) throw new Error(`no --${name}`);
  return found[mode.startsWith('light') ? 0 : 1];
}

const bytes = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
const linear = (hex: string): Rgb => bytes(hex).map((byte) => byte / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as unknown as Rgb;
function luminance(hex: string): number {
  const [r, g, b] = linear(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}
/** `color-mix(in srgb, a share, b)`. */
const mix = (a: string, share: number, b: string): string => `#${bytes(a).map((byte, at) => Math.round(byte * share + bytes(b)[at]! * (1 - share)).toString(16).padStart(2, '0')).join('')}`;

const TEXT: readonly (readonly [ink: string, grounds: readonly string[]])[] = [
  ['ink', ['bg', 'raised', 'hover']], ['ink-strong', ['bg', 'raised', 'hover']], ['dim', ['bg', 'raised', 'hover']], ['trouble', ['bg', 'raised', 'hover', 'trouble-ground']], ['accent', ['bg']], ['session-ink', ['session']],
];
const enough = (mode: string): number => (mode.endsWith('high') ? 7 : 4.5);

describe.each(MODES)('%s', (mode) => {
  test.each(TEXT.flatMap(([ink, grounds]) => grounds.map((ground) => [ink, ground] as const)))('%s on %s', (ink, ground) => {
    expect(contrast(colour(ink, mode), colour(ground, mode))).toBeGreaterThanOrEqual(enough(mode));
  });
  test.each(PALETTES)('%s: up and down on every ground, the price on both flashes', (palette) => {
    for (const name of ['up', 'down']) {
      const own = colour(name, mode, palette);
      for (const ground of ['bg', 'raised', 'hover']) expect(contrast(own, colour(ground, mode))).toBeGreaterThanOrEqual(enough(mode));
      expect(contrast(colour('ink-strong', mode), mix(own, 0.22, colour('bg', mode)))).toBeGreaterThanOrEqual(enough(mode));
    }
  });
});

test('lines of high contrast keep 3:1', () => {
  for (const mode of ['light high', 'dark high'] as const) for (const line of ['line', 'line-strong']) expect(contrast(colour(line, mode), colour('bg', mode))).toBeGreaterThanOrEqual(3);
});

/** Full dichromacy on linear RGB: Machado, Oliveira and Fernandes 2009, severity 1. */
const SIGHT: Readonly<Record<string, readonly Rgb[]>> = {
  normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};
/** CIE Lab under D65. */
function lab([r, g, b]: Rgb): Rgb {
  const f = (t: number): number => (t > 216 / 24_389 ? Math.cbrt(t) : ((24_389 / 27) * t + 16) / 116);
  const [x, y, z] = [f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047), f(0.2126 * r + 0.7152 * g + 0.0722 * b), f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883)];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
function difference(a: string, b: string, sight: readonly Rgb[]): number {
  const [x, y] = [a, b].map((hex) => lab(sight.map((row) => Math.min(1, Math.max(0, row.reduce((sum, weight, at) => sum + weight * linear(hex)[at]!, 0)))) as unknown as Rgb)) as [Rgb, Rgb];
  return Math.hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}

/** Ten times a just noticeable difference (2.3): told apart at a glance, in small type. */
const APART = 23;

test.each(PALETTES.slice(0, 3).flatMap((palette) => MODES.flatMap((mode) => Object.keys(SIGHT).map((sight) => [palette, mode, sight] as const))))('%s, %s: up and down differ for %s', (palette, mode, sight) => {
  expect(difference(colour('up', mode, palette), colour('down', mode, palette), SIGHT[sight]!)).toBeGreaterThanOrEqual(APART);
});

test('red and green do not, which is why they are not the default', () => {
  expect(Math.min(...MODES.map((mode) => difference(colour('up', mode, 'green-red'), colour('down', mode, 'green-red'), SIGHT['deuteranopia']!)))).toBeLessThan(APART);
});
