/** `frontrow export`: the rows of `history` into a file. */
import { resolve } from 'node:path';
import { failed, ok, problem } from '../../shared/result.ts';
import { RESOLUTIONS } from '../../shared/rowKey.ts';
import { deskClock } from '../desk/deskClock.ts';
import { exportFile } from '../history/exportFile.ts';
import { printedPages } from '../history/printed.ts';
import type { Command } from './command.ts';
import { errorLine } from './exit.ts';
import { historyRequest, nothingThere, skippedRows } from './history.ts';
import { withStore } from './withStore.ts';

const text = { type: 'string' } as const;

export const exportCommand: Command = {
  summary: 'ticks or bars of a time range into a CSV or JSON file',
  usage: `export ID --from T --to T --format csv|json -o FILE [--resolution tick|${RESOLUTIONS.join('|')}|auto] [--order newest|oldest] [--json]   (a file of that name is replaced once the new one is whole)`,
  options: { from: text, to: text, format: text, output: { ...text, short: 'o' }, resolution: text, order: text },
  positionals: { min: 1, max: 1 },
  async run(parsed, streams, signal) {
    const { format = 'csv', output } = parsed.values;
    if (format !== 'csv' && format !== 'json') return failed(problem('BAD_INPUT', `--format ${JSON.stringify(String(format).slice(0, 20))} is neither csv nor json`, 'give one of them'));
    if (typeof output !== 'string') return failed(problem('BAD_INPUT', 'export needs a file to write', 'give -o FILE'));
    const asked = historyRequest('export', parsed.positionals[0] ?? '', { resolution: 'tick', ...parsed.values }, signal);
    if (!asked.ok) return asked;
    const { span, resolution } = asked.value;
    return withStore(parsed, async (store, settings) => {
      const skipped = skippedRows();
      const context = { reader: store.reader, clock: deskClock(settings.testNow), retentionDays: settings.retentionDays, skipped: skipped.add };
      const done = await exportFile(resolve(output), printedPages(context, span, resolution, format), format, { empty: nothingThere(span, resolution), signal });
      const left = skipped.told();
      if (left) streams.err(errorLine(left).trimEnd());
      if (!done.ok) return done;
      const { rows, bytes, sha256 } = done.value;
      await streams.out(parsed.values['json'] === true ? JSON.stringify({ file: resolve(output), format, rows, bytes, sha256 }) : `${output}: ${rows} rows, ${bytes} bytes, SHA-256 ${sha256}`);
      return ok(0);
    }, { mustExist: true });
  },
};
