/** The link to the store as a state machine: connecting, live, broken after two failed cycles, filling until its gaps are read. */
import type { HealthView } from '../../shared/channels.ts';
import type { StateInput } from '../../shared/state.ts';
import type { Problem } from '../../shared/result.ts';
import type { EpochMicros } from '../../shared/time.ts';

export interface Link {
  readonly state: HealthView['link'];
  /** Consecutive cycles in which every read failed. */
  readonly failedCycles: number;
  readonly problem: Problem | null;
  readonly brokenSince: EpochMicros | null;
}

export const CONNECTING: Link = { state: 'connecting', failedCycles: 0, problem: null, brokenSince: null };
const BROKEN_AFTER = 2;

export function afterFailure(link: Link, problem: Problem, now: EpochMicros): Link {
  const failedCycles = link.failedCycles + 1;
  return { state: failedCycles >= BROKEN_AFTER ? 'broken' : link.state, failedCycles, problem, brokenSince: link.brokenSince ?? now };
}

/** A read succeeded. What was missed in a broken link's time must be read before it counts as live. */
export function afterSuccess(link: Link): Link {
  if (link.failedCycles === 0 && link.state !== 'connecting') return link.problem === null ? link : { ...link, problem: null, brokenSince: null };
  return { state: link.state === 'connecting' ? 'live' : link.state === 'broken' ? 'filling' : link.state, failedCycles: 0, problem: null, brokenSince: null };
}

export const afterResume = (link: Link): Link => ({ ...link, state: link.state === 'live' ? 'filling' : link.state, failedCycles: 0 });
export const afterFilling = (link: Link): Link => (link.state === 'filling' && link.failedCycles === 0 ? { ...link, state: 'live' } : link);

/** Whom to blame on screen. A store on this machine is never behind a network. */
export function blame(problem: Problem, remote: boolean): NonNullable<StateInput['failure']> {
  switch (problem.code) {
    case 'CREDENTIALS_MISSING':
    case 'CREDENTIALS_REFUSED':
    case 'CREDENTIALS_EXPIRED':
      return 'credentials';
    case 'STORE_UNREACHABLE':
      return remote ? 'network' : 'store';
    case 'STORE_TIMEOUT': case 'STORE_BUSY': case 'TABLE_MISSING': case 'FAMILY_MISSING': case 'CANCELLED': case 'BAD_DATA': case 'BAD_INPUT':
    case 'NOT_FOUND': case 'PORT_IN_USE': case 'DATA_FOLDER_LOCKED': case 'DATA_FOLDER_CORRUPT': case 'INTERNAL':
      return 'store';
  }
}
