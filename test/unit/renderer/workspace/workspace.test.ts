import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createNotices } from '../../../../renderer/shell/notices.ts';
import { createView } from '../../../../renderer/shell/view.ts';
import { followActive, paneChart } from '../../../../renderer/workspace/following.ts';
import { openInPaneWindow } from '../../../../renderer/workspace/inPaneWindow.ts';
import { oneGroup, plainLayout } from '../../../../renderer/workspace/layout.ts';
import type { Pane } from '../../../../renderer/workspace/pane.ts';
import { openPaneWindows } from '../../../../renderer/workspace/paneWindows.ts';
import { parseNamed } from '../../../../renderer/workspace/saved.ts';
import type { WindowHost } from '../../../../renderer/workspace/windowHost.ts';
import { createWorkspace } from '../../../../renderer/workspace/workspace.ts';
import { workspaceActions } from '../../../../renderer/workspace/workspaceCommands.ts';
import { createCell } from '../../../../renderer/store/cell.ts';

const pane = (id: string, more: Partial<Pane> = {}): Pane => ({ id, kind: 'chart', link: null, index: 'SPX', settings: null, ...more });
const LAYOUT = plainLayout(pane('aaaa', { link: 'A', index: null }), pane('bbbb', { kind: 'tape', link: 'A', index: null }), pane('cccc', { kind: 'health', link: 'A', index: null }), 900, 600);

function memory(stored: Record<string, string> = {}) {
  return { stored, getItem: (key: string) => stored[key] ?? null, setItem: (key: string, value: string) => { stored[key] = value; } };
}
function desk(storage = memory(), windowId: string | null = null) {
  const notices = createNotices();
  const workspace = createWorkspace({ storage, windowId, notices });
  const told = () => notices.list.get().map(({ text }) => text);
  return { storage, notices, workspace, told };
}

describe('the workspace at work', () => {
  test('comes back as it was', () => {
    const first = desk();
    first.workspace.show(LAYOUT);
    first.workspace.choose('NKY');
    first.workspace.close();
    const second = desk(first.storage);
    expect(second.workspace.layout.get()).toEqual(LAYOUT);
    expect(second.workspace.links.get().A).toBe('NKY');
    expect(second.told()).toEqual([]);
  });
  test.each(['{', '[]', '{"version":9}', '{"version":1,"layout":{"panes":{},"parts":5}}', 'x'.repeat(5_000_000)])('%.30j that is kept is the plain desk and one line', (text) => {
    const { workspace, told } = desk(memory({ 'frontrow.workspace': text }));
    expect(workspace.layout.get()).toBeNull();
    expect(told()).toHaveLength(1);
    expect(told()[0]).toMatch(/^The panes of last time can't be read/);
  });
  test('named workspaces that can\'t be read are set aside, not lost', () => {
    const { storage, told } = desk(memory({ 'frontrow.workspaces': '{broken' }));
    expect(told()[0]).toMatch(/^The named workspaces can't be read/);
    expect(storage.stored['frontrow.workspaces.broken']).toBe('{broken');
  });
  test('a storage that refuses costs the memory, not the page', () => {
    const { workspace, told } = desk({ stored: {}, getItem: () => { throw new Error('no'); }, setItem: () => { throw new Error('full'); } });
    workspace.show(LAYOUT);
    workspace.flush();
    expect(told()).toEqual(['This browser keeps no more: panes and workspaces last as long as this page']);
  });
});

describe('named workspaces', () => {
  const make = () => {
    const one = desk();
    const match = vi.fn();
    const actions = workspaceActions({ workspace: one.workspace, windows: { match }, notices: one.notices, dialog: createCell(false), download: () => {} });
    return { ...one, actions, match };
  };
  const names = ({ workspace }: Pick<ReturnType<typeof desk>, 'workspace'>) => workspace.named.get().map(({ name }) => name);

  test('save, switch, rename, delete and its undo', () => {
    const made = make();
    const { workspace, actions, notices } = made;
    workspace.show(LAYOUT);
    expect(actions.saveAs('  Morning   desk ')).toBeNull();
    actions.reset();
    expect(workspace.layout.get()).toBeNull();
    expect(actions.saveAs('Plain')).toBeNull();
    actions.open('Morning desk');
    expect(workspace.layout.get()).toEqual(LAYOUT);
    expect(workspace.name.get()).toBe('Morning desk');
    expect(actions.rename('Morning desk', 'Plain')).toMatch(/already/);
    expect(actions.rename('Morning desk', 'Early')).toBeNull();
    expect([names(made), workspace.name.get()]).toEqual([['Early', 'Plain'], 'Early']);
    actions.remove('Early');
    expect([names(made), workspace.name.get()]).toEqual([['Plain'], null]);
    notices.list.get()[0]?.action?.run();
    expect([names(made), workspace.name.get()]).toEqual([['Early', 'Plain'], 'Early']);
    expect(names(desk(made.storage))).toEqual(['Early', 'Plain']);
  });
  test('a reset can be had back, with its name and windows', () => {
    const { workspace, actions, notices, match } = make();
    workspace.put({ layout: LAYOUT, links: workspace.links.get(), windows: [{ id: 'wwww', layout: oneGroup([pane('dddd')], 'dddd'), bounds: null }], name: null });
    actions.reset();
    expect(workspace.windows.get()).toEqual([]);
    notices.list.get()[0]?.action?.run();
    expect([workspace.layout.get(), workspace.windows.get().length, match.mock.calls.length]).toEqual([LAYOUT, 1, 2]);
  });
  test('what is exported is imported elsewhere; a name that is taken gets a number', async () => {
    const { workspace, actions } = make();
    workspace.show(LAYOUT);
    actions.saveAs('Desk');
    const text = workspace.exported();
    const other = make();
    const file = (content: string) => ({ size: content.length, text: async () => content });
    expect(await other.actions.import(file(text))).toBeNull();
    expect(await other.actions.import(file(text))).toBeNull();
    expect(names(other)).toEqual(['Desk', 'Desk 2']);
    other.actions.open('Desk 2');
    expect(other.workspace.layout.get()).toEqual(LAYOUT);
    for (const bad of ['', '{}', '{"version":1}', '{"version":1,"workspaces":[{}]}', '{"version":1,"workspaces":[{"name":"x","layout":{}}]}', JSON.stringify({ version: 1, workspaces: Array.from({ length: 51 }, (_, at) => ({ name: `w${at}` })) })]) {
      expect(await other.actions.import(file(bad))).toMatch(/; use a file that Frontrow exported$/);
    }
    expect(await other.actions.import({ size: 5_000_000, text: () => Promise.reject(new Error('not read')) })).toMatch(/MB/);
    expect(names(other)).toEqual(['Desk', 'Desk 2']);
  });
  test.each(['', '   ', 'x'.repeat(61), 'a\u0000b', 'a\u202eb'])('%j is no name', (name) => expect(make().actions.saveAs(name)).toMatch(/name/));
  test('an imported text is checked before anything of it counts', () => {
    expect(parseNamed(JSON.stringify({ version: 1, workspaces: [{ name: 'ok', layout: null }, { name: 'bad', layout: { panes: 1 } }] }))).toMatchObject({ ok: false, error: { what: expect.stringContaining('workspace bad') as string } });
  });
});

describe('linked panes', () => {
  const open = () => {
    const made = desk();
    const view = createView(made.storage);
    made.workspace.show(plainLayout(pane('aaaa', { link: 'A', index: null, settings: { range: '1h' } }), pane('bbbb', { kind: 'tape', link: 'B', index: null }), pane('cccc', { index: 'UKX', settings: { range: '1M' } }), 900, 600));
    made.workspace.active.set('aaaa');
    const stop = followActive(made.workspace, view);
    return { ...made, view, stop };
  };
  test('the list chooses for the active pane: its link, or itself; and shows what that pane shows', () => {
    const { workspace, view } = open();
    view.chosen.set('SX5E');
    expect(workspace.links.get()).toMatchObject({ A: 'SX5E', B: null });
    workspace.active.set('cccc');
    expect(view.chosen.get()).toBe('UKX');
    view.chosen.set('NKY');
    expect([workspace.panes.get('cccc')?.index, workspace.links.get().A]).toEqual(['NKY', 'SX5E']);
    workspace.active.set('aaaa');
    expect(view.chosen.get()).toBe('SX5E');
    workspace.links.set({ ...workspace.links.get(), A: 'SPX' }); // another window chose
    expect(view.chosen.get()).toBe('SPX');
  });
  test('a pane that joins a link follows it, or gives it its index; one that leaves keeps what it shows', () => {
    const { workspace } = open();
    workspace.choose('SX5E');
    workspace.link('cccc', 'C');
    expect(workspace.links.get().C).toBe('UKX');
    workspace.link('cccc', 'A');
    expect(workspace.panes.get('cccc')).toMatchObject({ link: 'A', index: null });
    workspace.link('cccc', null);
    expect(workspace.panes.get('cccc')).toMatchObject({ link: null, index: 'SX5E' });
  });
  test('keys of ranges mean the active chart, else the one before', () => {
    const { workspace, view } = open();
    expect(view.range.get()).toBe('1h');
    workspace.active.set('cccc');
    expect(view.range.get()).toBe('1M');
    workspace.active.set('bbbb');
    view.range.set('1Y');
    expect(paneChart(workspace, 'cccc').get().range).toBe('1Y');
    expect(paneChart(workspace, 'aaaa').get().range).toBe('1h');
  });
  test('two instants last while other panes are active; any range chosen then takes their place, also the one before', () => {
    const { workspace, view } = open();
    const own = { from: 1_000, to: 2_000 };
    const chart = paneChart(workspace, 'aaaa');
    for (const other of ['1h', '1D', '1D'] as const) {
      chart.set({ ...chart.get(), range: own });
      workspace.active.set('cccc');
      workspace.active.set('aaaa');
      expect(chart.get().range).toEqual(own);
      view.range.set(other);
      expect(chart.get().range).toBe(other);
    }
  });
});

/** Both sides on one channel, as two pages of one browser. */
describe('windows of panes', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  function browser() {
    const listeners = new Map<string, Set<(message: unknown) => void>>();
    const opened: string[] = [];
    let refuses = false;
    const hostOf = (name: string): WindowHost & { closed: boolean } => ({
      closed: false,
      open: ({ id }) => {
        if (!refuses) opened.push(id);
        return !refuses;
      },
      post(message) {
        const text = JSON.stringify(message);
        for (const [other, each] of listeners) if (other !== name) for (const listener of each) listener(JSON.parse(text));
      },
      subscribe(listener) {
        const own = listeners.get(name) ?? new Set();
        listeners.set(name, own.add(listener));
        return () => own.delete(listener);
      },
      bounds: () => [1, 2, 600, 400],
      closeSelf() {
        this.closed = true;
      },
      own() {},
    });
    return { opened, hostOf, refuse: (now: boolean) => { refuses = now; }, say: (message: unknown) => { for (const each of listeners.values()) for (const listener of each) listener(message); } };
  }
  function main(storage = memory(), web = browser()) {
    const made = desk(storage);
    if (made.workspace.layout.get() === null) made.workspace.show(LAYOUT);
    const bring = vi.fn();
    const take = vi.fn();
    const windows = openPaneWindows({ workspace: made.workspace, host: web.hostOf('desk'), notices: made.notices, bring, take });
    return { ...made, windows, bring, take, web };
  }
  function popup(of: ReturnType<typeof main>, id: string) {
    const host = of.web.hostOf(id);
    const made = desk(of.storage, id);
    return { ...made, host, side: openInPaneWindow({ id, workspace: made.workspace, host, kept: () => of.storage.getItem('frontrow.workspace') }) };
  }
  const popOut = (of: ReturnType<typeof main>) => {
    of.windows.popOut([of.workspace.panes.get('aaaa')!], 'aaaa');
    return of.workspace.windows.get()[0]!.id;
  };

  test('a pane is in one window only; the new one finds it, and what is done there is kept', () => {
    const of = main();
    const id = popOut(of);
    expect([of.web.opened, of.take.mock.calls]).toEqual([[id], [[['aaaa']]]]);
    expect(Object.keys(of.workspace.layout.get()!.panes)).toEqual(['bbbb', 'cccc']);
    const there = popup(of, id);
    expect(Object.keys(there.workspace.layout.get()!.panes)).toEqual(['aaaa']);
    expect(there.told()).toEqual([]);
    there.workspace.change('aaaa', { link: null, index: 'UKX' });
    vi.advanceTimersByTime(1000);
    expect(of.workspace.windows.get()[0]).toMatchObject({ bounds: [1, 2, 600, 400], layout: { panes: { aaaa: { index: 'UKX' } } } });
  });
  test('links are the same everywhere', () => {
    const of = main();
    const there = popup(of, popOut(of));
    of.workspace.choose('NKY');
    expect(there.workspace.links.get().A).toBe('NKY');
    there.workspace.choose('SPX');
    expect(of.workspace.links.get().A).toBe('SPX');
  });
  test('closed: its panes come back; loaded anew: they stay', () => {
    const of = main();
    const id = popOut(of);
    popup(of, id).side.close();
    vi.advanceTimersByTime(1000);
    const again = popup(of, id);
    vi.advanceTimersByTime(5000);
    expect(of.bring).not.toHaveBeenCalled();
    again.side.close();
    vi.advanceTimersByTime(5000);
    expect(of.bring).toHaveBeenCalledOnce();
    expect(of.workspace.windows.get()).toEqual([]);
  });
  test('returned by hand, from either side, at once', () => {
    const of = main();
    const there = popup(of, popOut(of));
    there.side.giveBack();
    expect([there.host.closed, of.bring.mock.calls.length]).toEqual([true, 1]);
    const second = main();
    const other = popup(second, popOut(second));
    second.windows.returnAll();
    expect([other.host.closed, second.bring.mock.calls.length, second.workspace.windows.get()]).toEqual([true, 1, []]);
    other.side.close();
    vi.advanceTimersByTime(5000);
    expect(second.bring).toHaveBeenCalledOnce();
  });
  test('a browser that refuses costs a line; the pane stays where it is', () => {
    const of = main();
    of.web.refuse(true);
    of.windows.popOut([of.workspace.panes.get('aaaa')!], 'aaaa');
    expect([of.workspace.layout.get(), of.workspace.windows.get(), of.take.mock.calls.length]).toEqual([LAYOUT, [], 0]);
    expect(of.told()[0]).toMatch(/allow pop-ups/);
  });
  test('after a restart: windows that live answer, the others are opened; refused, they wait for a click', () => {
    const of = main();
    const id = popOut(of);
    of.workspace.flush();
    of.windows.close();
    const again = main(of.storage, browser());
    vi.advanceTimersByTime(2000);
    expect(again.web.opened).toEqual([id]);
    const living = browser();
    const first = main(of.storage, living);
    popup(first, id);
    vi.advanceTimersByTime(2000);
    expect(living.opened).toEqual([]);
    const refusing = browser();
    refusing.refuse(true);
    const third = main(of.storage, refusing);
    vi.advanceTimersByTime(2000);
    refusing.refuse(false);
    third.notices.list.get()[0]?.action?.run();
    expect(refusing.opened).toEqual([id]);
  });
  test('what is no message is no message', () => {
    const of = main();
    popOut(of);
    for (const message of [null, 5, 'x', {}, { kind: 'here' }, { kind: 'here', window: { id: 'zzzz', layout: {} } }, { kind: 'return', id: '../x' }, { kind: 'leave', id: 'zzzz' }, { kind: 'shutdown' }]) of.web.say(message);
    vi.advanceTimersByTime(5000);
    expect(of.workspace.windows.get()).toHaveLength(1);
    expect(of.bring).not.toHaveBeenCalled();
  });
});
