/** The panes of this window, what they show, and the workspaces they are kept in. State only: Dock draws it, commands change it. */
import { failed, ok, problem, type Result } from '../../shared/result.ts';
import type { Notices } from '../shell/notices.ts';
import { type Cell, createCell, createKeyed, type Keyed } from '../store/cell.ts';
import type { Layout } from './layout.ts';
import { indexOf, type Link, type Links, type Pane } from './pane.ts';
import { type AtWork, MOST_WORKSPACES, type NamedWorkspace, NOTHING, parseAtWork, parseName, parseNamed, type PaneWindow, printAtWork, printNamed, type Snapshot } from './saved.ts';

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>;

export interface Workspace {
  /** Of a window that holds panes of the desk; null: the desk itself. */
  readonly windowId: string | null;
  /** Null: the plain desk. */
  readonly layout: Cell<Layout | null>;
  /** Counts layouts that did not come from the dock itself: it draws anew. */
  readonly shown: Cell<number>;
  readonly panes: Keyed<Pane>;
  readonly active: Cell<string | null>;
  readonly links: Cell<Links>;
  readonly windows: Cell<readonly PaneWindow[]>;
  /** The workspace at work was opened or saved under this. */
  readonly name: Cell<string | null>;
  readonly named: Cell<readonly NamedWorkspace[]>;
  /** Another layout than the dock has. */
  show(layout: Layout | null): void;
  /** The dock's own changes. */
  moved(layout: Layout | null): void;
  change(id: string, change: Partial<Omit<Pane, 'id' | 'kind'>>): void;
  /** Links or unlinks; a link that showed nothing yet takes the pane's index. */
  link(id: string, link: Link | null): void;
  /** Shows `index` where the active pane says: its link, itself, or link A. A list without a link means the pane that was active before it. */
  choose(index: string): void;
  /** Index that a choice would replace. */
  chosen(): string | null;
  save(name: string): Result<null>;
  rename(name: string, to: string): Result<null>;
  /** Returns what brings it back. */
  remove(name: string): () => void;
  /** What `name` holds; the caller shows it, with its windows. */
  find(name: string): NamedWorkspace | undefined;
  put(work: AtWork): void;
  /** All named workspaces as text of a file. */
  exported(): string;
  /** Adds the file's; those of the same name get a number. How many. */
  imported(text: string): Result<number>;
  snapshot(): Snapshot;
  /** Only the window that owns the desk keeps it. */
  readonly owner: Cell<boolean>;
  /** Writes what waits to be written. */
  flush(): void;
  close(): void;
}

const AT_WORK = 'frontrow.workspace';
const NAMED = 'frontrow.workspaces';
/** Dragging a divider makes many layouts. */
const SETTLE_MS = 300;

function read(storage: Storage, key: string): string | null {
  try {
    return storage.getItem(key);
  } catch {
    return null;
  }
}

/** What was kept for this window; a broken text is the plain desk, and told. */
function recall(storage: Storage, windowId: string | null, notices: Notices): AtWork & { readonly layout: Layout | null } {
  const text = read(storage, AT_WORK);
  const parsed = text === null ? ok({ ...NOTHING, name: null }) : parseAtWork(text);
  if (!parsed.ok) {
    notices.tell(`The panes of last time can't be read (${parsed.error.what}): this is the plain desk`, { tone: 'bad' });
    return { ...NOTHING, name: null };
  }
  if (windowId === null) return parsed.value;
  return { ...parsed.value, layout: parsed.value.windows.find(({ id }) => id === windowId)?.layout ?? null, windows: [] };
}

export function createWorkspace({ storage, windowId, notices }: { readonly storage: Storage; readonly windowId: string | null; readonly notices: Notices }): Workspace {
  const first = recall(storage, windowId, notices);
  const [layout, shown, panes] = [createCell(first.layout), createCell(0), createKeyed<Pane>()];
  const [links, windows, name] = [createCell(first.links), createCell(first.windows), createCell(first.name)];
  const active = createCell<string | null>(first.layout?.active ?? null);
  const named = createCell<readonly NamedWorkspace[]>([]);
  const owner = createCell(true);
  let timer: ReturnType<typeof setTimeout> | undefined;

  const write = (key: string, text: string): void => {
    try {
      storage.setItem(key, text);
    } catch {
      notices.tell('This browser keeps no more: panes and workspaces last as long as this page', { tone: 'bad' });
    }
  };
  const takePanes = (from: Layout | null): void => {
    for (const pane of Object.values(from?.panes ?? {})) panes.set(pane.id, pane);
  };
  takePanes(first.layout);

  const readNamed = (): void => {
    const text = read(storage, NAMED);
    const parsed = text === null ? ok([]) : parseNamed(text);
    if (parsed.ok) named.set(parsed.value);
    else {
      notices.tell(`The named workspaces can't be read (${parsed.error.what}); they are set aside`, { tone: 'bad' });
      write(`${NAMED}.broken`, text ?? '');
      named.set([]);
    }
  };
  readNamed();
  const keepNamed = (next: readonly NamedWorkspace[]): void => {
    named.set(next);
    write(NAMED, printNamed(next));
  };

  const snapshot = (): Snapshot => ({ layout: layout.get(), links: links.get(), windows: windows.get() });
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (windowId === null && owner.get()) write(AT_WORK, printAtWork({ ...snapshot(), name: name.get() }));
  };
  const soon = (): void => {
    timer ??= setTimeout(flush, SETTLE_MS);
  };
  const stops = [layout, links, windows, name, owner].map((cell) => cell.subscribe(soon));

  const hasIndex = (pane: Pane | undefined): pane is Pane => pane?.kind === 'chart' || pane?.kind === 'tape';
  let used: string | null = null;
  const use = (): void => {
    const at = active.get();
    if (at !== null && hasIndex(panes.get(at))) used = at;
  };
  stops.push(active.subscribe(use));
  use();
  const target = (): Pane | null => {
    const lies = layout.get();
    const at = lies === null ? null : active.get();
    const pane = at === null ? undefined : panes.get(at);
    if (lies !== null && pane?.kind === 'watchlist' && pane.link === null) {
      const last = used !== null && Object.hasOwn(lies.panes, used) ? panes.get(used) : undefined;
      return last ?? Object.keys(lies.panes).map(panes.get).find(hasIndex) ?? null;
    }
    return pane === undefined || pane.kind === 'health' ? null : pane;
  };
  const change: Workspace['change'] = (id, changes) => {
    const [before, lies] = [panes.get(id), layout.get()];
    if (before === undefined) return;
    const pane = { ...before, ...changes };
    panes.set(id, pane);
    if (lies !== null && Object.hasOwn(lies.panes, id)) layout.set({ ...lies, panes: { ...lies.panes, [id]: pane } });
  };
  const setLink = (link: Link, index: string): void => {
    if (links.get()[link] !== index) links.set({ ...links.get(), [link]: index });
  };

  return {
    windowId, layout, shown, panes, active, links, windows, name, named, owner, change, snapshot, flush,
    show(next) {
      takePanes(next);
      layout.set(next);
      active.set(next?.active ?? null);
      shown.set(shown.get() + 1);
    },
    moved(next) {
      layout.set(next);
    },
    link(id, link) {
      const pane = panes.get(id);
      if (pane === undefined) return;
      const index = indexOf(pane, links.get());
      if (link !== null && links.get()[link] === null && index !== null) setLink(link, index);
      change(id, { link, index: link === null ? index : null });
    },
    choose(index) {
      const pane = target();
      if (pane === null) setLink('A', index);
      else if (pane.link !== null) setLink(pane.link, index);
      else if (pane.index !== index) change(pane.id, { index });
    },
    chosen() {
      const pane = target();
      return pane === null ? links.get().A : indexOf(pane, links.get());
    },
    save(wanted) {
      const as = parseName(wanted);
      if (as === null) return failed(problem('BAD_INPUT', 'a name has 1 to 60 characters', 'choose another name'));
      readNamed();
      const others = named.get().filter((one) => one.name !== as);
      if (others.length >= MOST_WORKSPACES) return failed(problem('BAD_INPUT', `${MOST_WORKSPACES} workspaces are kept already`, 'delete one first'));
      keepNamed([...others, { ...snapshot(), name: as }].toSorted((a, b) => a.name.localeCompare(b.name)));
      name.set(as);
      return ok(null);
    },
    rename(from, to) {
      const as = parseName(to);
      if (as === null) return failed(problem('BAD_INPUT', 'a name has 1 to 60 characters', 'choose another name'));
      readNamed();
      if (as !== from && named.get().some((one) => one.name === as)) return failed(problem('BAD_INPUT', `there is a workspace ${as} already`, 'choose another name'));
      keepNamed(named.get().map((one) => (one.name === from ? { ...one, name: as } : one)).toSorted((a, b) => a.name.localeCompare(b.name)));
      if (name.get() === from) name.set(as);
      return ok(null);
    },
    remove(gone) {
      readNamed();
      const one = named.get().find((each) => each.name === gone);
      keepNamed(named.get().filter((each) => each !== one));
      const was = name.get();
      if (was === gone) name.set(null);
      return () => {
        readNamed();
        if (one === undefined || named.get().some((each) => each.name === gone)) return;
        keepNamed([...named.get(), one].toSorted((a, b) => a.name.localeCompare(b.name)));
        if (name.get() === null && was === gone) name.set(gone);
      };
    },
    find: (wanted) => named.get().find((one) => one.name === wanted),
    put(work) {
      links.set(work.links);
      windows.set(work.windows);
      name.set(work.name);
      this.show(work.layout);
      flush();
    },
    exported: () => printNamed(named.get(), 1),
    imported(text) {
      const parsed = parseNamed(text);
      if (!parsed.ok) return parsed;
      readNamed();
      const taken = new Set(named.get().map((one) => one.name));
      if (taken.size + parsed.value.length > MOST_WORKSPACES) return failed(problem('BAD_INPUT', `at most ${MOST_WORKSPACES} workspaces are kept`, 'delete some first'));
      const added = parsed.value.map((one) => {
        let as = one.name;
        for (let at = 2; taken.has(as); at += 1) as = `${one.name.slice(0, 55)} ${at}`;
        taken.add(as);
        return { ...one, name: as };
      });
      keepNamed([...named.get(), ...added].toSorted((a, b) => a.name.localeCompare(b.name)));
      return ok(added.length);
    },
    close() {
      for (const stop of stops) stop();
      flush();
    },
  };
}
