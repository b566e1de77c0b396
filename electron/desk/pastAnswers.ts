/** What lies behind the newest price, for pages: of the time that the desk shows. An answer that was read for another time is read anew. */
import { failed, problem, type Result } from '../../shared/result.ts';
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
const JUMPED = problem('CANCELLED', 'the desk went over to another time', 'ask again', true);

/** `open` makes readers that keep nothing yet. */
export function pastAnswers(open: () => Past): PastAnswers {
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
      history: (request) => ask(({ charts }) => charts.history(request)),
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
