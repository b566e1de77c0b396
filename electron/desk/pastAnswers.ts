/** What lies behind the newest price, for pages: of the time that the desk shows. An answer that was read for another time is read anew. */
import type { HistoryAnswer, HistoryRequest } from '../../shared/channels.ts';
import { failed, ok, problem, type Result } from '../../shared/result.ts';
import { indexIdOf } from '../../shared/rowKey.ts';
import { type EpochMicros, HOUR, micros, parseMicros } from '../../shared/time.ts';
import { gather } from '../bigtable/pages.ts';
import type { History } from '../history/history.ts';
import type { Answers } from './connections.ts';

export interface PastAnswers {
  readonly answers: Pick<Answers, 'history' | 'sparklines' | 'references' | 'tape' | 'sessions'>;
  /** The desk's clock jumped: nothing that was kept is right any more. */
  forget(): void;
}

/** Readers of one time: bars as they are for charts, and as ticks where an index has no others. */
export interface Past {
  readonly charts: History;
  readonly ticks: History;
}

const TRIES = 3;
/** Of the bar under way. */
const MOST_SINCE = 500;
const JUMPED = problem('CANCELLED', 'the desk went over to another time', 'ask again', true);

/** `open` makes readers that keep nothing yet; `asOf`: the instant that the desk replays, null while it is live. */
export function pastAnswers(open: () => Past, asOf: () => EpochMicros | null): PastAnswers {
  let past = open();
  async function ask<T>(read: (past: Past) => Promise<Result<T>>): Promise<Result<T>> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const asked = past;
      const answer = await read(asked);
      if (asked === past) return answer;
    }
    return failed(JUMPED);
  }
  return {
    answers: {
      history: (request) => ask((readers) => chart(readers, request, asOf())),
      sparklines: (request) => ask(({ charts }) => charts.sparklines(request)),
      references: (request) => ask(({ ticks }) => ticks.references(request)),
      tape: (request) => ask(({ ticks }) => ticks.tape(request)),
      sessions: (request) => past.charts.sessions(request),
    },
    forget() {
      past = open();
    },
  };
}

/** Bars end with the last whole one: what the one under way tells so far follows as ticks, so that a chart ends with the price that is shown. */
async function chart({ charts, ticks }: Past, request: HistoryRequest, now: EpochMicros | null): Promise<Result<HistoryAnswer>> {
  const answer = await charts.history(request);
  if (!answer.ok || now === null) return answer;
  const { times, sequences, prices, resolution, kind, opens } = answer.value;
  const last = times.at(-1);
  if (last === undefined || opens !== undefined || kind === 'sampled' || resolution === 'tick' || resolution === '1d') return answer;
  const [from, asked] = [micros(parseMicros(last) + 1n), parseMicros(request.toMicros)];
  const to = asked < now ? asked : now;
  if (from > to || to - from > HOUR) return answer;
  const since = await gather(ticks.ticks({ index: indexIdOf(request.index), from, to, limit: MOST_SINCE }));
  if (!since.ok) return since;
  const added = since.value.toReversed();
  return ok({
    ...answer.value, times: [...times, ...added.map(({ time }) => String(time))], sequences: [...sequences, ...added.map(({ sequence }) => sequence)], prices: [...prices, ...added.map(({ price }) => price)],
  });
}
