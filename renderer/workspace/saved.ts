/** Workspaces as text: the one at work, the named ones, and the file of an export. Parsed with limits. */
import { failed, ok, problem, type Result } from '../../shared/result.ts';
import { type Layout, parseLayout } from './layout.ts';
import { isPaneId, type Links, NO_LINKS, parseLinks } from './pane.ts';

/** Panes in a window of their own. `bounds`: where a browser's window was, in pixels of the screen. */
export interface PaneWindow {
  readonly id: string;
  readonly layout: Layout;
  readonly bounds: readonly [x: number, y: number, width: number, height: number] | null;
}

export interface Snapshot {
  /** Null: the plain desk. */
  readonly layout: Layout | null;
  readonly links: Links;
  readonly windows: readonly PaneWindow[];
}

export interface NamedWorkspace extends Snapshot {
  readonly name: string;
}

/** What is on screen, and the name it was opened or saved under. */
export interface AtWork extends Snapshot {
  readonly name: string | null;
}

export const NOTHING: Snapshot = { layout: null, links: NO_LINKS, windows: [] };
export const MOST_WORKSPACES = 50;
const MOST_WINDOWS = 16;
const MOST_TEXT = 4_000_000;
const VERSION = 1;

const bad = (what: string): Result<never> => failed(problem('BAD_INPUT', what, 'use a file that Frontrow exported'));

/** A name for people: 1 to 60 characters, none of them invisible. Null where it is none. */
export function parseName(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const name = value.trim().replace(/\s+/g, ' ');
  return name.length >= 1 && name.length <= 60 && !/[\p{C}]/u.test(name) ? name : null;
}

function parseBounds(value: unknown): PaneWindow['bounds'] {
  if (!Array.isArray(value) || value.length !== 4) return null;
  const [x, y, width, height] = (value as unknown[]).map((each) => (typeof each === 'number' && Number.isFinite(each) && Math.abs(each) <= 100_000 ? Math.round(each) : null));
  return x == null || y == null || width == null || height == null || width < 200 || height < 150 ? null : [x, y, width, height];
}

export function parseWindow(value: unknown): Result<PaneWindow> {
  if (typeof value !== 'object' || value === null) return bad('a window of panes is no object');
  const { id, layout, bounds } = value as Record<string, unknown>;
  if (!isPaneId(id)) return bad('a window of panes without an id');
  const parsed = parseLayout(layout);
  if (!parsed.ok) return parsed;
  return ok({ id, layout: parsed.value, bounds: parseBounds(bounds) });
}

function parseSnapshot(value: Record<string, unknown>): Result<Snapshot> {
  const { layout = null, links, windows = [] } = value;
  if (!Array.isArray(windows) || windows.length > MOST_WINDOWS) return bad(`windows of panes: a list of at most ${MOST_WINDOWS} is wanted`);
  const parsed = layout === null ? ok(null) : parseLayout(layout);
  if (!parsed.ok) return parsed;
  const made: PaneWindow[] = [];
  for (const one of windows as unknown[]) {
    const window = parseWindow(one);
    if (!window.ok) return window;
    made.push(window.value);
  }
  const ids = [...(parsed.value === null ? [] : Object.keys(parsed.value.panes)), ...made.flatMap((window) => Object.keys(window.layout.panes)), ...made.map(({ id }) => id)];
  if (new Set(ids).size !== ids.length) return bad('a pane is in two windows');
  return ok({ layout: parsed.value, links: parseLinks(links), windows: made });
}

function parseJson(text: string): Result<Record<string, unknown>> {
  if (text.length > MOST_TEXT) return bad(`more than ${MOST_TEXT / 1_000_000} MB of workspaces`);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return bad('no workspaces in it');
    if ((value as Record<string, unknown>)['version'] !== VERSION) return bad(`workspaces of version ${VERSION} are wanted`);
    return ok(value as Record<string, unknown>);
  } catch {
    return bad('no JSON');
  }
}

/** What was at work when the page was left. */
export function parseAtWork(text: string): Result<AtWork> {
  const value = parseJson(text);
  if (!value.ok) return value;
  const snapshot = parseSnapshot(value.value);
  return snapshot.ok ? ok({ ...snapshot.value, name: parseName(value.value['name']) }) : snapshot;
}

/** Named workspaces, kept or imported: all of them or none, the first fault told with its name. Of doubled names the last counts. */
export function parseNamed(text: string): Result<readonly NamedWorkspace[]> {
  const value = parseJson(text);
  if (!value.ok) return value;
  const list = value.value['workspaces'];
  if (!Array.isArray(list) || list.length > MOST_WORKSPACES) return bad(`a list of at most ${MOST_WORKSPACES} workspaces is wanted`);
  const made = new Map<string, NamedWorkspace>();
  for (const one of list as unknown[]) {
    const given = typeof one === 'object' && one !== null ? (one as Record<string, unknown>) : {};
    const name = parseName(given['name']);
    if (name === null) return bad('a workspace without a name');
    const snapshot = parseSnapshot(given);
    if (!snapshot.ok) return failed({ ...snapshot.error, what: `workspace ${name}: ${snapshot.error.what}` });
    made.set(name, { ...snapshot.value, name });
  }
  return ok([...made.values()]);
}

export const printAtWork = (atWork: AtWork): string => JSON.stringify({ version: VERSION, ...atWork });
export const printNamed = (workspaces: readonly NamedWorkspace[], spaces = 0): string => JSON.stringify({ frontrow: 'workspaces', version: VERSION, workspaces }, null, spaces);
