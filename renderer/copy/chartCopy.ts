/** The chart used last, taken elsewhere: its picture and its data, to the clipboard or as a file; each told on screen and to screen readers. */
import { fromMillis } from '../../shared/time.ts';
import { formatTime } from '../../shared/format.ts';
import type { ChartModel } from '../chart/chartModel.ts';
import type { Command } from '../commands/commands.ts';
import type { Notices } from '../shell/notices.ts';
import { barData, type ChartData, pointData } from './chartData.ts';
import { copyPicture, copyToClipboard } from './clipboard.ts';
import { pictureOf } from './picture.ts';
import { saveFile } from './saveFile.ts';
import { tableCopy, tableCsv } from './table.ts';

export interface CopySource {
  readonly id: string;
  /** The chart as it stands on the page; null before it does. */
  readonly element: () => HTMLElement | null;
  /** `wall`, or what the clock is instead; null before the host told. */
  readonly clock: () => string | null;
  readonly tell: Notices['tell'];
}

interface Handle {
  readonly model: () => ChartModel | null;
  /** Desk time, milliseconds. */
  readonly now: () => number;
  readonly copy: CopySource;
}

/** What is of use on screen only. */
const LEAVE_OUT = '.chart-cursor, .chart-hidden, button, kbd, [aria-live], .sr';
const TOLD_MS = 8000;

/** Null while nothing is drawn. */
function dataOf({ model: of, now }: Handle): ChartData | null {
  const model = of();
  const frame = model?.seen().frame;
  if (!model || !frame) return null;
  const sight = { from: frame.from, to: Math.min(frame.to, now()), zone: frame.zone };
  const bars = model.bars();
  return bars === null ? pointData(model.points, sight) : barData(bars, sight);
}

const stamp = (time: number): string => formatTime('UTC', fromMillis(Math.trunc(time)), 'date-second', { locale: 'en', hours: '24' });
const fileName = ({ copy, now }: Handle, ending: string): string => `${copy.id.replaceAll(/[^\w.-]/g, '_')}_${stamp(now()).replaceAll(/[-: ]/g, '')}Z.${ending}`;

function picture({ copy, now }: Handle, element: HTMLElement): Promise<Blob> {
  const [look, clock] = [element.dataset['look'] ?? '', copy.clock()];
  const mark = clock === null || clock === 'wall' ? '' : `${clock.toUpperCase()} · `;
  return pictureOf(element, { title: element.getAttribute('aria-label') ?? copy.id, foot: `${mark}${look} · ${stamp(now())} UTC · Frontrow` }, LEAVE_OUT);
}

export function chartCopyCommands(of: () => Handle | undefined): readonly Command[] {
  const say = ({ copy }: Handle, words: string, bad = false): void => {
    const dismiss = copy.tell(words, bad ? { tone: 'bad' } : {});
    setTimeout(dismiss, TOLD_MS);
  };
  const withData = (run: (handle: Handle, data: ChartData) => Promise<void> | void) => () => {
    const handle = of();
    const data = handle && dataOf(handle);
    if (!handle) return;
    if (!data || data.rows.length === 0) say(handle, `No data of ${handle.copy.id} on screen to copy.`, true);
    else void run(handle, data);
  };
  const withPicture = (run: (handle: Handle, made: Promise<Blob>) => Promise<void>) => async (): Promise<void> => {
    const handle = of();
    const element = handle?.copy.element();
    if (!handle) return;
    try {
      if (!element) throw new Error('the chart is not drawn yet');
      await run(handle, picture(handle, element));
    } catch (error) {
      say(handle, `No picture of ${handle.copy.id}: ${error instanceof Error ? error.message : 'the browser could not draw it'}.`, true);
    }
  };
  const save = (handle: Handle, name: string, blob: Blob, why = ''): void => {
    saveFile(name, blob);
    say(handle, `${why}Saved as ${name}.`);
  };
  const copyData = withData(async (handle, { heads, rows }) => {
    const done = await copyToClipboard(tableCopy(heads, rows));
    if (done) say(handle, `Copied ${rows.length} rows of ${handle.copy.id}.`);
    else save(handle, fileName(handle, 'csv'), csvOf({ heads, rows }), 'The clipboard was refused. ');
  });
  const saveData = withData((handle, data) => save(handle, fileName(handle, 'csv'), csvOf(data)));
  const copyImage = withPicture(async (handle, made) => {
    if (await copyPicture(made)) say(handle, `Copied the picture of ${handle.copy.id}.`);
    else save(handle, fileName(handle, 'png'), await made, 'The clipboard was refused. ');
  });
  const saveImage = withPicture(async (handle, made) => save(handle, fileName(handle, 'png'), await made));
  const command = (id: string, title: string, keys: readonly string[], run: () => void, words: string): Command => ({ id: `copy.${id}`, title, group: 'Chart', keys, words, run });
  return [
    command('picture', "Copy the chart's picture", ['Alt+Shift+C'], () => void copyImage(), 'clipboard image png screenshot'),
    command('savePicture', "Save the chart's picture as a file", [], () => void saveImage(), 'download image png export'),
    command('data', "Copy the chart's data", ['Alt+Shift+D'], copyData, 'clipboard spreadsheet tsv excel'),
    command('saveData', "Save the chart's data as a file", [], saveData, 'download csv export spreadsheet'),
  ];
}

const csvOf = ({ heads, rows }: ChartData): Blob => new Blob([tableCsv(heads, rows)], { type: 'text/csv;charset=utf-8' });
