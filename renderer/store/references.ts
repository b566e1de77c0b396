/** Prices of the past that changes are measured from, asked for while something shows them: changes themselves are counted here with every price. */
import type { ReferenceView } from '../../shared/channels.ts';
import { createKeyed, type Keyed } from './cell.ts';
import type { PageDesk } from './pageDesk.ts';

export interface References {
  readonly of: Keyed<ReferenceView>;
  /** Wants the references of these until `release`; the same ones by several are asked for once. */
  hold(ids: () => readonly string[]): () => void;
  close(): void;
}

const GROUP = 100;
const DESK_PERIOD_MS = 60_000;
const MIN_PERIOD_MS = 10_000;
/** After a failure, and where other indices are wanted than were asked for. */
const SOON_MS = 2_000;

export function openReferences(desk: PageDesk): References {
  const of = createKeyed<ReferenceView>();
  const holders = new Set<() => readonly string[]>();
  let [asking, closed] = [false, false];
  let askedAt = -Infinity;
  let asked = new Set<string>();
  let askedEpoch = -1;

  async function ask(ids: readonly string[]): Promise<void> {
    for (let at = 0; at < ids.length; at += GROUP) {
      const result = await desk.request('references', { indices: ids.slice(at, at + GROUP) });
      if (closed) return;
      if (!result.ok) {
        askedEpoch = -1; // tried again soon; what is there stays, with its dates
        return;
      }
      for (const reference of result.value) of.set(reference.index, reference);
    }
  }

  const look = (): void => {
    if (asking || holders.size === 0 || desk.host.get().kind !== 'live') return;
    const period = Math.max(MIN_PERIOD_MS, DESK_PERIOD_MS / Math.max(1, desk.beat.get()?.speed ?? 1));
    const since = desk.elapsed() - askedAt;
    if (since < SOON_MS) return;
    const ids = [...new Set([...holders].flatMap((holder) => holder()))].filter((id) => desk.info.get(id) !== undefined);
    if (ids.length === 0 || (since < period && askedEpoch === desk.epoch.get() && ids.every((id) => asked.has(id)))) return;
    [askedAt, asked, askedEpoch, asking] = [desk.elapsed(), new Set(ids), desk.epoch.get(), true];
    void ask(ids).finally(() => {
      asking = false;
    });
  };
  const stop = desk.pulse.subscribe(look);
  return {
    of,
    hold(ids) {
      holders.add(ids);
      return () => {
        holders.delete(ids);
      };
    },
    close() {
      closed = true;
      stop();
    },
  };
}
