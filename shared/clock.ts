/** The injected clock: desk time for everything shown, elapsed time for timers and deadlines. */
import type { EpochMicros } from './time.ts';

export interface Clock {
  readonly kind: 'wall' | 'test' | 'replay';
  /** Desk time: the wall's, a test clock's, or the replayed day's. */
  now(): EpochMicros;
  /** Elapsed milliseconds from an arbitrary origin; never steps back, ignores every wall clock change. */
  elapsed(): number;
  /** Desk seconds per elapsed second: 1, or the replay's speed; 0 while paused. */
  speed(): number;
  /** Why the desk's time jumped or will, or null. */
  note(): string | null;
}
