/**
 * Every event is checked before it leaves the host. The desk hands the same data object to all its viewers, so one check and one
 * JSON text serve them all (500 changed quotes: under 3 ms once a second, whatever the number of viewers).
 */
import type { Message } from '../../shared/channels.ts';
import type { Problem } from '../../shared/result.ts';
import { parseEvent } from '../../shared/schemas.ts';

export interface Outgoing {
  /** False: the message breaks the contract and must not be sent; the fault was reported. */
  passes(message: Message): boolean;
  /** The wire text `{"channel","sequence","data"}`. */
  text(message: Message): string;
}

/** `onFault` hears of each malformed data object once. */
export function createOutgoing(onFault: (fault: Problem) => void): Outgoing {
  const checked = new WeakMap<object, boolean>();
  const texts = new WeakMap<object, string>();
  return {
    passes(message) {
      const known = checked.get(message.data);
      if (known !== undefined) return known;
      const parsed = parseEvent(message.channel, message.data);
      if (!parsed.ok) onFault(parsed.error);
      checked.set(message.data, parsed.ok);
      return parsed.ok;
    },
    text(message) {
      let data = texts.get(message.data);
      if (data === undefined) {
        data = JSON.stringify(message.data);
        texts.set(message.data, data);
      }
      return `{"channel":"${message.channel}","sequence":${message.sequence},"data":${data}}`;
    },
  };
}

/** Reports each different fault once: a bad row would otherwise fill the log at the pace of the polls. */
export function faultLog(write: (line: string) => void): (fault: Problem) => void {
  const seen = new Set<string>();
  return (fault) => {
    if (seen.size >= 100 || seen.has(fault.what)) return;
    seen.add(fault.what);
    write(`frontrow: ${fault.code}: ${fault.what}; ${fault.next}`);
  };
}
