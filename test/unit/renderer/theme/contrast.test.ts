import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const css = readFileSync(`${import.meta.dirname}/../../../../renderer/theme/theme.css`, 'utf8');
const tokens = new Map([...css.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(([, name, light, dark]) => [name!, [light!, dark!] as const]));

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

const TEXT: readonly (readonly [ink: string, grounds: readonly string[]])[] = [
  ['ink', ['bg', 'raised', 'hover']], ['ink-strong', ['bg', 'raised', 'hover', 'up-flash', 'down-flash']], ['dim', ['bg', 'raised', 'hover']],
  ['up', ['bg', 'raised', 'hover']], ['down', ['bg', 'raised', 'hover']], ['trouble', ['bg', 'raised', 'hover', 'trouble-ground']], ['accent', ['bg']], ['session-ink', ['session']],
];

test.each(TEXT.flatMap(([ink, grounds]) => grounds.flatMap((ground) => (['light', 'dark'] as const).map((mode) => [ink, ground, mode] as const))))('%s on %s, %s: at least 4.5:1', (ink, ground, mode) => {
  const at = mode === 'light' ? 0 : 1;
  const [text, behind] = [tokens.get(ink)?.[at], tokens.get(ground)?.[at]];
  expect(text && behind).toBeTruthy();
  expect(contrast(text!, behind!)).toBeGreaterThanOrEqual(4.5);
});
