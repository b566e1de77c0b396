/** `frontrow keys`: the row key codec as a tool. Loads nothing but the codec: it answers at once. */
import { decodeKey, indexIdOf, tickKey } from '../../shared/rowKey.ts';
import { failed, ok, problem } from '../../shared/result.ts';
import { formatIso, parseTime } from '../../shared/time.ts';
import type { Command } from './command.ts';

export const keys: Command = {
  summary: 'encode and decode row keys',
  usage: 'keys encode ID TIME [SEQ] | keys decode KEY',
  options: {},
  positionals: { min: 2, max: 4 },
  async run({ positionals, values }, streams) {
    const [action, ...words] = positionals;
    const json = values['json'] === true;
    if (action === 'encode' && words.length >= 2) {
      const [id = '', time = '', sequence = '0'] = words;
      if (!/^\d{1,6}$/.test(sequence)) return failed(problem('BAD_INPUT', `not a sequence: ${sequence.slice(0, 40)}`, 'give 0 to 999999'));
      try {
        const key = tickKey(indexIdOf(id), parseTime(time), Number(sequence));
        await streams.out(json ? JSON.stringify({ key }) : key);
        return ok(0);
      } catch (error) {
        return failed(problem('BAD_INPUT', error instanceof Error ? error.message : String(error), 'run `frontrow keys encode SPX 2019-11-06T14:20:00Z`'));
      }
    }
    if (action === 'decode' && words.length === 1) {
      const [key = ''] = words;
      const decoded = decodeKey(key);
      if (!decoded) return failed(problem('BAD_INPUT', `not a row key of the canonical layout: ${JSON.stringify(key.slice(0, 80))}`, 'keys look like SPX#9221788276254775807#999999'));
      const time = 'time' in decoded ? decoded.time : null;
      await streams.out(JSON.stringify({
        index: 'index' in decoded ? decoded.index : decoded.name,
        kind: decoded.kind,
        eventTime: time === null ? null : formatIso(time),
        eventMicros: time === null ? null : String(time),
        sequence: decoded.kind === 'tick' ? decoded.sequence : null,
        shard: decoded.kind === 'tick' ? decoded.shard : null,
        resolution: decoded.kind === 'bar' ? decoded.resolution : null,
      }));
      return ok(0);
    }
    return failed(problem('BAD_INPUT', `unknown: keys ${positionals.slice(0, 4).join(' ').slice(0, 80)}`, `use ${keys.usage}`));
  },
};
