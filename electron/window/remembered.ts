/** The window's place between two runs, as a small file in the user-data folder. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bounds } from './bounds.ts';

export interface Remembered {
  readonly bounds: Bounds;
  readonly maximized: boolean;
}

const FILE = 'window.json';
const inRange = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= 100_000;

/** What a file's text says; null for anything else than a plausible window. */
export function parseRemembered(text: string): Remembered | null {
  if (text.length > 4_096) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || !('bounds' in value) || typeof value.bounds !== 'object' || value.bounds === null) return null;
  const { x, y, width, height } = value.bounds as Record<string, unknown>;
  if (!inRange(x) || !inRange(y) || !inRange(width) || !inRange(height) || width < 1 || height < 1) return null;
  return { bounds: { x, y, width, height }, maximized: 'maximized' in value && value.maximized === true };
}

export function recall(folder: string): Remembered | null {
  try {
    return parseRemembered(readFileSync(join(folder, FILE), 'utf8'));
  } catch {
    return null; // first run, or unreadable: the default place does as well
  }
}

/** Under a temporary name first: a crash half-way must not leave half a file. A folder that can't be written costs only the place. */
export function remember(folder: string, window: Remembered): void {
  const path = join(folder, FILE);
  try {
    writeFileSync(`${path}.tmp`, JSON.stringify(window));
    renameSync(`${path}.tmp`, path);
  } catch (error) {
    process.stderr.write(`frontrow: the window's place was not kept: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}
