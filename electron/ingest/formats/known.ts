/** Every format that files are recognised by. */
import { failed, ok, problem, type Result } from '../../../shared/result.ts';
import type { Format } from '../format.ts';
import { leanQuote, leanTrade } from './lean.ts';
import { mplfinance } from './mplfinance.ts';

export const formats: readonly Format[] = [mplfinance, leanTrade, leanQuote];

/** The format called `wanted`, or with `auto` the one that the first lines fit best. `head`: the first lines, without line ends. */
export function chooseFormat(wanted: string, head: readonly string[], fileName: string): Result<Format> {
  const names = formats.map((format) => format.name).join(', ');
  if (wanted !== 'auto') {
    const named = formats.find((format) => format.name === wanted);
    return named ? ok(named) : failed(problem('BAD_INPUT', `no format called ${JSON.stringify(wanted.slice(0, 40))}`, `give --format one of: auto, ${names}`));
  }
  let best: { format: Format; sure: number } | null = null;
  for (const format of formats) {
    const sure = format.detect(head, fileName);
    if (sure > (best?.sure ?? 0)) best = { format, sure };
  }
  return best ? ok(best.format) : failed(problem('BAD_INPUT', `${fileName}: its format is none of ${names}`, 'give --format, or convert the file'));
}
