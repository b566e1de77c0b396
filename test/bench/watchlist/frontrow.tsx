/** The product's own watchlist on the page's own stores, fed by messages as its host sends them. */
import '../../../renderer/theme/theme.css';
import '../../../renderer/shell/page.css';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { openPage } from '../../../renderer/shell/openPage.ts';
import { PageContext } from '../../../renderer/store/hooks.ts';
import { Watchlist } from '../../../renderer/watchlist/Watchlist.tsx';
import type { ClockView, EventName, Events, Market, Message } from '../../../shared/channels.ts';
import { failed, ok, problem } from '../../../shared/result.ts';
import type { Make } from './contender.ts';

/** `lines` per index for the trend column, by the request that the page makes. */
export const frontrow: Make = (place, indices, quotes) => {
  let listener: ((message: Message) => void) | undefined;
  const next = new Map<EventName, number>();
  const send = <K extends EventName>(channel: K, data: Events[K]): void => {
    const sequence = next.get(channel) ?? 0;
    next.set(channel, sequence + 1);
    listener?.({ channel, sequence, data } as Message);
  };
  const beat = (): void => send('heartbeat', { kind: 'wall', nowMicros: String(Date.now() * 1000), speed: 1, paused: false, note: null } satisfies ClockView);
  const market = {
    host: 'browser',
    request: (name: string, request: { readonly indices?: readonly string[]; readonly points?: number }) =>
      Promise.resolve(name === 'sparklines' ? ok((request.indices ?? []).map((index) => ({ index, ...lineOf(index, request.points ?? 40) }))) : failed(problem('NOT_FOUND', 'not on the bench', 'nothing'))),
    subscribe(one: (message: Message) => void) {
      listener = one;
      queueMicrotask(() => {
        beat();
        send('indices', indices);
        send('quotes', { kind: 'snapshot', quotes });
      });
      return () => {};
    },
  } as Market;
  const beats = setInterval(beat, 1000);
  const handles = openPage(market, { getItem: () => null, setItem: () => {} });
  const root = createRoot(place);
  flushSync(() => root.render(<PageContext value={handles}><div style={{ display: 'grid', height: '100%', gridTemplateAreas: '"list"', gridTemplateRows: 'minmax(0, 1fr)' }}><Watchlist selected={null} /></div></PageContext>));
  return {
    push: (changed) => send('quotes', { kind: 'changes', quotes: changed }),
    destroy() {
      clearInterval(beats);
      flushSync(() => root.unmount());
      handles.close();
    },
  };
};

/** The same walk for every list of trend lines. */
export function lineOf(id: string, points: number): { times: string[]; prices: string[] } {
  let [state, value] = [id.length * 7919 + (id.codePointAt(id.length - 1) ?? 0), 100];
  const prices = Array.from({ length: points }, () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    value += (state / 4_294_967_296 - 0.5) * 0.4;
    return value.toFixed(3);
  });
  return { times: prices.map((_, at) => String(at * 60_000_000)), prices };
}
