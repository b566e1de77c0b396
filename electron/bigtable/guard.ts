/** Keeps a failure of the sign-in layer from ending the process. Installed once, at the root. */
import type { Problem } from '../../shared/result.ts';
import { isCredentialsFailure, problemOf } from './problems.ts';
import type { StoreAddress } from './reader.ts';

/**
 * Without usable credentials the official client rejects the call, and besides it a promise of its own that nobody can reach
 * (@google-cloud/bigtable 7.2.0); Node ends a process for that. `report` gets it as a Problem, a state like any other; the call that
 * caused it fails by itself. Every other unhandled rejection is a defect and goes to `defect`. Returns the way to take the guard off.
 */
export function guardRejections(address: StoreAddress, report: (problem: Problem) => void, defect: (reason: unknown) => void): () => void {
  const listener = (reason: unknown): void => {
    if (isCredentialsFailure(reason)) report(problemOf(reason, address));
    else defect(reason);
  };
  process.on('unhandledRejection', listener);
  return () => process.off('unhandledRejection', listener);
}
