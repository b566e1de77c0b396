import { expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { mountPage } from './mountPage.tsx';

let taken: Record<string, string> = {};
let saved: { readonly name: string; readonly address: string }[] = [];
async function ready() {
  taken = {};
  vi.spyOn(DataTransfer.prototype, 'setData').mockImplementation((type, text) => {
    taken[type] = text;
  });
  saved = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function press(this: HTMLAnchorElement) {
    saved.push({ name: this.download, address: this.href });
  });
  const mounted = await mountPage({ indices: 3, stored: { index: 'SPX', look: JSON.stringify({ locale: 'de-DE' }) } });
  await expect.poll(() => document.querySelector('.chart')?.getAttribute('data-status'), { timeout: 10_000 }).toBe('ready');
  await expect.poll(() => document.querySelector('.chart-tag-last') !== null && document.querySelector('.chart-tick') !== null && document.querySelector('.chart-cursor') !== null).toBe(true);
  return mounted;
}
const told = (): string => [...document.querySelectorAll('.notice[role="status"]')].map(({ textContent }) => textContent).join('|');

test('the data on screen, by its keys: numbers of a spreadsheet, and said', async () => {
  await ready();
  await userEvent.keyboard('{Alt>}{Shift>}D{/Shift}{/Alt}');
  await expect.poll(told).toMatch(/Copied \d+ rows of SPX/);
  const [heads, ...lines] = (taken['text/plain'] ?? '').trimEnd().split('\n');
  expect(heads).toBe('time\ttime in America/New_York\tprice');
  expect(lines.length).toBeGreaterThan(10);
  for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z\t\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\t\d+\.\d+$/);
  expect(taken['text/html']).toContain('x:num="');
});

test('the picture: to the clipboard, or as a file where that is refused', async () => {
  const { handles } = await ready();
  const figure = document.querySelector('.chart')!;
  const size = [(figure.clientWidth + 24) * 2, (figure.clientHeight + 58) * 2]; // before the notice takes a line
  const written: ClipboardItem[] = [];
  const write = vi.spyOn(navigator.clipboard, 'write').mockImplementation(async (items) => void written.push(...items));
  expect(handles.commands.run('copy.picture')).toBe(true);
  await expect.poll(told, { timeout: 10_000 }).toContain('Copied the picture of SPX');
  const picture = await createImageBitmap(await written[0]!.getType('image/png'));
  expect([picture.width, picture.height]).toEqual(size);
  // something of the chart is on it: many colours, not only the ground
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const context = canvas.getContext('2d')!;
  context.drawImage(picture, 0, 0);
  const { data } = context.getImageData(24, 200, picture.width - 48, picture.height - 400);
  expect(new Set(new Uint32Array(data.buffer)).size).toBeGreaterThan(20);

  write.mockRejectedValue(new DOMException('no', 'NotAllowedError'));
  handles.commands.run('copy.picture');
  await expect.poll(told, { timeout: 10_000 }).toContain('The clipboard was refused. Saved as SPX_');
  expect(saved.map(({ name }) => name)).toEqual([expect.stringMatching(/^SPX_\d{14}Z\.png$/)]);
});

test('a file of the data, from the menu by the keyboard', async () => {
  await ready();
  const box = document.querySelector<HTMLElement>('.chart-cursor')!;
  box.focus();
  box.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 900, clientY: 500 }));
  await expect.poll(() => document.activeElement?.getAttribute('role')).toBe('menuitem');
  await userEvent.keyboard('{End}{Enter}');
  await expect.poll(told).toMatch(/Saved as SPX_\d{14}Z\.csv/);
  const text = await (await fetch(saved[0]!.address)).text();
  expect(text).toMatch(/^time,time in America\/New_York,price\r\n\d{4}-\d\d-\d\dT/);
  expect([document.querySelector('.copy-menu'), document.activeElement]).toEqual([null, box]);
});
