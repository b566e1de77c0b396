import { expect, test } from 'vitest';
import type { RequestName } from '../../../../shared/channels.ts';
import { ok } from '../../../../shared/result.ts';
import { createCell } from '../../../../renderer/store/cell.ts';
import type { PageDesk } from '../../../../renderer/store/pageDesk.ts';
import { openWatched } from '../../../../renderer/store/watched.ts';
import { openTapes } from '../../../../renderer/tape/tapeStore.ts';

function fakeDesk() {
  const asked: [RequestName, unknown][] = [];
  const epoch = createCell(1);
  const request = (async (name: RequestName, data: unknown) => {
    asked.push([name, data]);
    return ok(name === 'tape' ? [] : null);
  }) as PageDesk['request'];
  const desk = { request, epoch, onTicks: () => () => {} } as unknown as PageDesk;
  const watchedIn = () => asked.filter(([name]) => name === 'watch').map(([, data]) => (data as { indices: string[] }).indices.join(' '));
  return { desk, epoch, asked, watchedIn };
}
const settle = () => new Promise((resolve) => { setTimeout(resolve, 5); });

test('panes of one index tell the host once, and it stays until the last of them goes', async () => {
  const { desk, watchedIn } = fakeDesk();
  const watched = openWatched(desk);
  const [one, two, other] = [watched.hold('SPX'), watched.hold('SPX'), watched.hold('NKY')];
  await settle();
  expect(watchedIn()).toEqual(['SPX NKY']);
  one.release();
  one.release(); // twice is once
  await settle();
  expect(watchedIn()).toHaveLength(1);
  two.release();
  await settle();
  expect(watchedIn().at(-1)).toBe('NKY');
  other.release();
});

test('a new connection of the host is told again; never more than it takes', async () => {
  const { desk, epoch, watchedIn } = fakeDesk();
  const watched = openWatched(desk);
  for (let at = 0; at < 70; at += 1) watched.hold(`I${at}`);
  await settle();
  expect(watchedIn().at(-1)?.split(' ')).toHaveLength(64);
  epoch.set(2);
  await settle();
  expect(watchedIn()).toHaveLength(2);
  watched.close();
  epoch.set(3);
  await settle();
  expect(watchedIn()).toHaveLength(2);
});

test('a tape is read after its index is watched, once for all its panes, and dropped with the last', async () => {
  const { desk, asked, epoch } = fakeDesk();
  const tapes = openTapes(desk, openWatched(desk));
  const release = [tapes.hold('SPX'), tapes.hold('SPX')];
  await settle();
  expect(asked.map(([name]) => name)).toEqual(['watch', 'tape']);
  expect(tapes.tapes.get('SPX')).toEqual({ kind: 'rows', index: 'SPX', rows: [] });
  epoch.set(2);
  await settle();
  expect(asked.filter(([name]) => name === 'tape')).toHaveLength(2);
  for (const drop of release) drop();
  await settle();
  expect(tapes.tapes.get('SPX')).toBeUndefined();
  expect(asked.at(-1)).toEqual(['watch', { indices: [] }]);
});
