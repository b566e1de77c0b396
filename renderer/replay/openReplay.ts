/** The replay from a page's side: what it asks of the desk's clock, what it was refused, and who else changed it. */
import type { ClockRequest, StoredRange } from '../../shared/channels.ts';
import type { EpochMicros } from '../../shared/time.ts';
import type { Command, Commands } from '../commands/commands.ts';
import type { Notices } from '../shell/notices.ts';
import { showClock, showDate } from '../state/shown.ts';
import { type Cell, createCell } from '../store/cell.ts';
import type { PageDesk } from '../store/pageDesk.ts';
import { localDate } from '../../shared/zone.ts';

export interface ReplayHandles {
  /** The transport bar shows. */
  readonly open: Cell<boolean>;
  /** Why the last wish was refused; null when none was. */
  readonly refused: Cell<string | null>;
  /** For screen readers: what the clock was last made to do. */
  readonly said: Cell<string>;
  /** Counts wishes to enter an instant: the bar's field takes the focus. */
  readonly asking: Cell<number>;
  /** What the table holds of the shown index; null: nothing, undefined: not known yet. */
  readonly stored: Cell<StoredRange | null | undefined>;
  readonly ask: (request: ClockRequest, words?: string) => Promise<void>;
  readonly toggle: () => void;
  readonly step: (by: 'tick' | 'minute', back: boolean) => void;
  readonly jump: (time: EpochMicros) => void;
  readonly live: () => void;
}

interface Context {
  readonly desk: PageDesk;
  readonly selected: Cell<string | null>;
  readonly commands: Commands;
  readonly notices: Notices;
}

const GROUP = 'Replay';
/** Controls that want the space bar for themselves. */
const WANTS_SPACE = 'button, a[href], input, select, textarea, summary, [contenteditable], [data-keys], [role="grid"], [role="listbox"], [role="tab"], [role="slider"]';

export function openReplay({ desk, selected, commands, notices }: Context): ReplayHandles & { readonly close: () => void } {
  const open = createCell(false);
  const refused = createCell<string | null>(null);
  const said = createCell('');
  const asking = createCell(0);
  const stored = createCell<StoredRange | null | undefined>(undefined);
  let known = -1;
  let own = 0;
  let rangeOf = '';

  const replaying = (): boolean => desk.beat.get()?.kind === 'replay';
  const zoneOf = (): string => desk.info.get(selected.get() ?? '')?.zone ?? 'UTC';
  const words = (time: EpochMicros): string => `${showDate(localDate(zoneOf(), time), true)} ${showClock(zoneOf(), time)}`;

  async function ask(request: ClockRequest, about?: string): Promise<void> {
    own += 1;
    const result = await desk.request('clock', request);
    own -= 1;
    refused.set(result.ok ? null : `${result.error.what}; ${result.error.next}`);
    if (!result.ok) return;
    known = Math.max(known, result.value.turn ?? 0);
    said.set(about ?? (result.value.live === undefined && result.value.kind !== 'replay' ? 'Back to live.' : `Replay ${result.value.paused ? 'paused' : 'runs'} at ${words(BigInt(result.value.nowMicros) as EpochMicros)}.`));
  }

  const heard = (): void => {
    const beat = desk.beat.get();
    if (beat === null) return;
    const turn = beat.turn ?? 0;
    if (beat.live !== undefined && known < 0) open.set(true);
    // The answer to a wish of this page's own may come after the beat that it caused.
    if (turn > known && known >= 0 && own === 0) notices.tell(beat.live === undefined ? 'Another page changed the clock' : 'Another page changed the replay: all pages of this desk share one clock');
    if (own === 0 || known < 0) known = Math.max(known, turn);
    if (turn > 0 && beat.live !== undefined) open.set(true);
  };

  const lookUp = (): void => {
    const id = selected.get();
    if (!open.get() || id === null) return;
    const key = `${id} ${desk.epoch.get()}`;
    if (key === rangeOf) return;
    if (rangeOf.split(' ')[0] !== id) stored.set(undefined);
    rangeOf = key;
    void desk.request('stored', { index: id }).then((result) => {
      if (rangeOf === key) stored.set(result.ok ? result.value : null);
      return result;
    });
  };

  const step = (by: 'tick' | 'minute', back: boolean): void => {
    const index = selected.get();
    if (index === null) return;
    open.set(true);
    void ask({ step: { by, index, back } });
  };
  const toggle = (): void => {
    const beat = desk.beat.get();
    if (beat !== null) void ask({ paused: !beat.paused });
  };
  const live = (): void => void ask({ live: true });
  const faster = (by: 1 | -1) => (): void => {
    const beat = desk.beat.get();
    const chosen = beat?.chosenSpeed ?? 1;
    const speeds = [1, 2, 5, 10, 20, 30, 60, ...(beat?.live === undefined ? [] : [120, 300, 600])];
    const next = by === 1 ? speeds.find((speed) => speed > chosen) : speeds.findLast((speed) => speed < chosen);
    if (next !== undefined) void ask({ speed: next }, `Replay at ${next} times.`);
  };
  const freeForSpace = (): boolean => replaying() && document.querySelector('dialog[open]') === null && document.activeElement?.closest(WANTS_SPACE) == null;

  const command = (id: string, title: string, keys: readonly string[], run: () => void, more: Partial<Command> = {}): Command => ({ id: `replay.${id}`, title, group: GROUP, keys, words: 'replay time travel past', run, ...more });
  const stops = [
    commands.register([
      command('open', 'Replay...', ['Alt+R'], () => open.set(!open.get())),
      command('jump', 'Jump to an instant', ['Alt+J'], () => {
        open.set(true);
        asking.set(asking.get() + 1);
      }),
      command('play', 'Play or pause', ['Space'], toggle, { enabled: freeForSpace }),
      command('pause', 'Play or pause the replay', ['Alt+P'], toggle, { enabled: replaying }),
      command('tick', 'One tick on', ['Alt+.'], () => step('tick', false)),
      command('tickBack', 'One tick back', ['Alt+,'], () => step('tick', true)),
      command('minute', 'One minute on', ['Mod+Alt+.'], () => step('minute', false)),
      command('minuteBack', 'One minute back', ['Mod+Alt+,'], () => step('minute', true)),
      command('faster', 'Faster', [], faster(1), { enabled: replaying }),
      command('slower', 'Slower', [], faster(-1), { enabled: replaying }),
      command('live', 'Back to live', ['Alt+L'], live, { enabled: () => desk.beat.get()?.live !== undefined }),
    ]),
    desk.beat.subscribe(heard), open.subscribe(lookUp), selected.subscribe(lookUp), desk.epoch.subscribe(lookUp),
  ];
  return {
    open, refused, said, asking, stored, ask, toggle, step, live,
    jump: (time) => void ask({ atMicros: String(time) }),
    close() {
      for (const stop of stops) stop();
    },
  };
}
