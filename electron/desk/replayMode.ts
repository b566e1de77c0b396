/**
 * The desk's clock, live or over what is stored. A page's jump or step makes the desk replay: its clock stands at the chosen instant and runs on at
 * a speed, until a page goes back to live or it has caught up with it. One clock for all pages of a host.
 */
import type { ClockRequest, ClockView } from '../../shared/channels.ts';
import type { Clock } from '../../shared/clock.ts';
import { failed, ok, problem, type Result } from '../../shared/result.ts';
import { indexIdOf } from '../../shared/rowKey.ts';
import { type EpochMicros, micros, MINUTE, MIN_MICROS, parseMicros } from '../../shared/time.ts';
import { createReplayClock, MAX_STORED_SPEED, type ReplayClock } from '../ingest/replayClock.ts';
import type { StoredTimes } from './storedTimes.ts';

/** `jumped`: what was read may be of another time; `stepped`: on by so little that it is read on. */
export type ClockMove = 'entered' | 'left' | 'jumped' | 'stepped';

export interface ReplayModeOptions {
  readonly live: Clock;
  /** The live clock where it is itself a replay: the demo's. */
  readonly demo: ReplayClock | null;
  /** Pages may not change the clock. */
  readonly fixed: boolean;
  readonly times: Pick<StoredTimes, 'tickAfter' | 'tickBefore'>;
  readonly onMove: (move: ClockMove) => void;
  /** The view is another one: pages must be told. */
  readonly onChange: () => void;
}

export interface ReplayMode {
  /** Of the whole desk; its kind changes with the mode. */
  readonly clock: Clock;
  /** The instant after which nothing may show; null while the desk is live. */
  asOf(): EpochMicros | null;
  view(): ClockView;
  /** One after another: a step counts from where the one before ended. */
  request(request: ClockRequest): Promise<Result<ClockView>>;
  close(): void;
}

const NOTE = 'replays what is stored; nothing is written';
const LOOK_MS = 250;
/** A step on that is longer is read anew. */
const READ_ON = 10n * MINUTE;
const FIXED = problem('BAD_INPUT', 'this host keeps its clock', 'ask who runs it, or open a desk of your own');

export function createReplayMode({ live, demo, fixed, times, onMove, onChange }: ReplayModeOptions): ReplayMode {
  let replay: ReplayClock | null = null;
  let turn = 0;
  let timer: NodeJS.Timeout | null = null;
  let queue: Promise<unknown> = Promise.resolve();
  let why: string | null = null;

  const active = (): Clock => replay ?? live;
  const now = (): EpochMicros => {
    const [there, here] = [live.now(), replay?.now()];
    return here === undefined || here > there ? there : here;
  };
  const clock: Clock = {
    get kind() {
      return active().kind;
    },
    now, elapsed: () => live.elapsed(), speed: () => active().speed(), note: () => active().note() ?? why,
  };

  function leave(reason: string | null): void {
    if (replay === null) return;
    replay = null;
    if (timer !== null) clearInterval(timer);
    timer = null;
    why = reason;
    onMove('left');
  }

  function go(to: EpochMicros, stepped: boolean): void {
    const from = now();
    if (replay === null) {
      why = null;
      replay = createReplayClock({ start: to, elapsed: () => live.elapsed(), speed: 1, highest: MAX_STORED_SPEED, paused: true, note: NOTE });
      timer = setInterval(() => {
        if (replay === null || replay.now() < live.now()) return;
        leave('the replay has caught up');
        onChange();
      }, LOOK_MS);
      onMove('entered');
      return;
    }
    replay.jump(to);
    onMove(stepped && to >= from && to - from <= READ_ON ? 'stepped' : 'jumped');
  }

  async function targetOf({ atMicros, step }: ClockRequest): Promise<Result<EpochMicros | null>> {
    if (atMicros !== undefined) return ok(parseMicros(atMicros));
    if (step === undefined) return ok(null);
    const from = now();
    if (step.by === 'minute') return ok(micros(step.back ? from - MINUTE : from + MINUTE));
    const id = indexIdOf(step.index);
    const shown = step.back ? await times.tickBefore(id, micros(from + 1n)) : ok(null);
    if (!shown.ok) return shown;
    const found = step.back ? (shown.value === null ? shown : await times.tickBefore(id, shown.value)) : await times.tickAfter(id, from, live.now());
    if (!found.ok) return found;
    return found.value === null ? failed(problem('NOT_FOUND', `no ${step.back ? 'earlier' : 'later'} price of ${id} is stored near by`, 'step by minutes, or choose an instant')) : found;
  }

  async function handle(request: ClockRequest): Promise<Result<ClockView>> {
    if (fixed) return failed(FIXED);
    const target = await targetOf(request);
    if (!target.ok) return target;
    if (target.value !== null) {
      if (target.value > live.now()) return failed(problem('BAD_INPUT', 'that instant has not come yet', 'choose one in the past, or go back to live'));
      if (target.value < MIN_MICROS) return failed(problem('BAD_INPUT', 'nothing can be stored so early', 'choose a later instant'));
    }
    const { speed } = request;
    const highest = target.value !== null || replay !== null ? MAX_STORED_SPEED : 60;
    if (speed !== undefined && speed > highest) return failed(problem('BAD_INPUT', `replay speed ${speed} is out of range`, `choose 1 to ${highest}`));
    if (request.live === true) leave(null);
    if (target.value !== null) go(target.value, request.step !== undefined);
    const paused = request.step === undefined ? request.paused : true;
    const running = replay ?? demo;
    if (speed !== undefined || paused !== undefined || (target.value === null && request.live !== true)) {
      if (running === null) return failed(problem('BAD_INPUT', 'this clock is not a replay', 'choose an instant to replay from, or start with --demo'));
      const set = running.set({ speed, paused });
      if (!set.ok) return set;
    }
    turn += 1;
    onChange();
    return ok(view());
  }

  function view(): ClockView {
    const { kind } = clock;
    const speed = clock.speed();
    const chosen = (replay ?? demo)?.chosenSpeed();
    return {
      kind, nowMicros: String(now()), speed, paused: speed === 0, note: clock.note(),
      ...(chosen === undefined ? {} : { chosenSpeed: chosen }), ...(replay === null ? {} : { live: { kind: live.kind, nowMicros: String(live.now()) } }),
      ...(turn === 0 ? {} : { turn }), ...(fixed ? { fixed } : {}),
    };
  }

  return {
    clock, view,
    asOf: () => (replay === null ? null : now()),
    request(request) {
      const answer = queue.then(() => handle(request));
      queue = answer.catch(() => {});
      return answer;
    },
    close() {
      if (timer !== null) clearInterval(timer);
    },
  };
}
