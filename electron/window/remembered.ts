/** The windows' places between two runs, as small files in the user-data folder. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bounds } from './bounds.ts';

export interface Remembered {
  readonly bounds: Bounds;
  readonly maximized: boolean;
}

const FILE = 'window.json';
const PANES_FILE = 'panes.json';
/** Windows of panes whose place is kept; the one that was moved longest ago goes first. */
const MOST_PANES = 64;
const inRange = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= 100_000;

/** What a file's text says; null for anything else than a plausible window. */
export function parseRemembered(text: string): Remembered | null {
  if (text.length > 4_096) return null;
  try {
    return windowOf(JSON.parse(text));
  } catch {
    return null;
  }
}

function windowOf(value: unknown): Remembered | null {
  if (typeof value !== 'object' || value === null || !('bounds' in value) || typeof value.bounds !== 'object' || value.bounds === null) return null;
  const { x, y, width, height } = value.bounds as Record<string, unknown>;
  if (!inRange(x) || !inRange(y) || !inRange(width) || !inRange(height) || width < 1 || height < 1) return null;
  return { bounds: { x, y, width, height }, maximized: 'maximized' in value && value.maximized === true };
}

/** Places of windows of panes by id; what can't be read is left out. */
export function parsePanes(text: string): Map<string, Remembered> {
  const places = new Map<string, Remembered>();
  if (text.length > 64_000) return places;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return places;
  }
  if (typeof value !== 'object' || value === null) return places;
  for (const [id, one] of Object.entries(value).slice(-MOST_PANES)) {
    const window = /^[a-z0-9]{4,16}$/.test(id) ? windowOf(one) : null;
    if (window !== null) places.set(id, window);
  }
  return places;
}

/** A first run, or an unreadable file: the default place does as well. */
function read(folder: string, file: string): string {
  try {
    return readFileSync(join(folder, file), 'utf8');
  } catch {
    return '';
  }
}

export const recall = (folder: string): Remembered | null => parseRemembered(read(folder, FILE));

export const recallPane = (folder: string, id: string): Remembered | null => parsePanes(read(folder, PANES_FILE)).get(id) ?? null;

export const remember = (folder: string, window: Remembered): void => write(folder, FILE, JSON.stringify(window));

export function rememberPane(folder: string, id: string, window: Remembered): void {
  const places = parsePanes(read(folder, PANES_FILE));
  places.delete(id);
  places.set(id, window);
  write(folder, PANES_FILE, JSON.stringify(Object.fromEntries([...places].slice(-MOST_PANES))));
}

/** Under a temporary name first: a crash half-way must not leave half a file. A folder that can't be written costs only the place. */
function write(folder: string, file: string, text: string): void {
  const path = join(folder, file);
  try {
    writeFileSync(`${path}.tmp`, text);
    renameSync(`${path}.tmp`, path);
  } catch (error) {
    process.stderr.write(`frontrow: the window's place was not kept: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}
