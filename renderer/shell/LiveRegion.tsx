/** For screen readers, politely and not more than every few seconds: trouble, its end, and the chosen index. */
import { useEffect, useRef, useState } from 'react';
import { showPrice } from '../state/shown.ts';
import { stateWords } from '../state/words.ts';
import { useCell, useInfo, usePage } from '../store/hooks.ts';

const EVERY_MS = 5000;

export function LiveRegion({ selected }: { readonly selected: string | null }) {
  const { desk } = usePage();
  const { trouble, allDisconnected } = useCell(desk.arrangement);
  const info = useInfo(selected ?? '');
  const [said, setSaid] = useState('');
  const last = useRef({ at: -Infinity, text: '' });
  const state = selected === null ? undefined : desk.quotes.get(selected)?.state;
  const words = [
    allDisconnected ? 'All indices disconnected.' : trouble.length > 0 ? `Trouble: ${trouble.slice(0, 5).join(', ')}${trouble.length > 5 ? ` and ${trouble.length - 5} more` : ''}.` : '',
    selected === null || info === undefined ? '' : `Showing ${info.name}, ${state ?? 'no data'}.`,
  ].join(' ').trim();

  useEffect(() => {
    if (words === last.current.text) return undefined;
    const wait = Math.max(300, last.current.at + EVERY_MS - performance.now());
    const timer = setTimeout(() => {
      const quote = selected === null ? undefined : desk.quotes.get(selected);
      last.current = { at: performance.now(), text: words };
      setSaid(quote?.price == null ? words : `${words} ${showPrice(quote.price, info?.decimals)}, ${stateWords(quote)}.`);
    }, wait);
    return () => clearTimeout(timer);
  }, [words, selected, desk, info]);
  return <output className="sr" aria-live="polite">{said}</output>;
}
