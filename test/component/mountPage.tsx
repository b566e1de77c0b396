/** The whole page on a directed host in a real browser; a console warning or error fails the test that caused it. */
import '../../renderer/theme/theme.css';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { openPage, type PageHandles } from '../../renderer/shell/openPage.ts';
import { Page } from '../../renderer/shell/Page.tsx';
import { createFakeMarket, type FakeMarket, type FakeOptions } from './fakeMarket.ts';

export interface Mounted {
  readonly market: FakeMarket;
  readonly handles: PageHandles;
  /** Moves the page's own monotonic clock ahead. */
  readonly pass: (ms: number) => void;
  readonly row: (id: string) => HTMLElement;
}

export const SIZES = { wide: [1440, 900], narrow: [1024, 700], zoomed: [720, 450] } as const;

let open: PageHandles | undefined;
const complaints: string[] = [];

beforeEach(() => {
  complaints.length = 0;
  for (const level of ['warn', 'error'] as const) vi.spyOn(console, level).mockImplementation((...words: unknown[]) => void complaints.push(words.map(String).join(' ')));
});
afterEach(() => {
  open?.close();
  open = undefined;
  delete document.documentElement.dataset['theme'];
  vi.restoreAllMocks();
  expect(complaints).toEqual([]);
});

export async function mountPage(options: FakeOptions & { size?: keyof typeof SIZES; stored?: Record<string, string>; keep?: boolean } = {}): Promise<Mounted> {
  const [width, height] = SIZES[options.size ?? 'wide'];
  await page.viewport(width, height);
  const market = createFakeMarket(options);
  let ahead = 0;
  const storage = { getItem: (key: string) => options.stored?.[key.replace('frontrow.', '')] ?? null, setItem: (key: string, value: string) => {
    if (options.keep && options.stored) options.stored[key.replace('frontrow.', '')] = value;
  } };
  const handles = openPage(market, storage, { elapsed: () => performance.now() + ahead });
  open = handles;
  await render(<Page handles={handles} />);
  return {
    market, handles,
    pass(ms) {
      ahead += ms;
    },
    row(id) {
      const found = document.querySelector<HTMLElement>(`[data-index="${CSS.escape(id)}"]`);
      if (!found) throw new Error(`no row of ${id}`);
      return found;
    },
  };
}
