/** What a chart needs from its surroundings; all calls may fail as values, never throw. */
import type { HistoryAnswer, HistoryRequest, SessionsRequest, SessionWindow } from '../../shared/channels.ts';
import type { Result } from '../../shared/result.ts';

export interface ChartSource {
  readonly load: (request: HistoryRequest) => Promise<Result<HistoryAnswer>>;
  readonly sessions: (request: SessionsRequest) => Promise<Result<readonly SessionWindow[]>>;
  /** Desk time, microseconds. */
  readonly now: () => bigint;
}
