/** One line at the bottom: counts that agree with the list, the cost, the speed, what the feed met, what the market does next. */
import { durationWords } from '../state/duration.ts';
import { cityOf } from '../state/places.ts';
import { showCount, showFigure, showShare } from '../state/shown.ts';
import { useCell, useInfo, usePage, usePulse, useQuote } from '../store/hooks.ts';
import { nextEdge } from '../store/sessionBook.ts';
import { parseTime } from '../../shared/time.ts';
import { countWords } from './counts.ts';

function NextEdge({ id }: { readonly id: string }) {
  const { sessions } = usePage();
  const book = useCell(sessions.sessions);
  const info = useInfo(id);
  const quote = useQuote(id);
  const text = usePulse(({ now }) => {
    if (now === undefined || !info) return '';
    const edge = nextEdge((info.mic === null ? undefined : book.get(info.mic)) ?? [], now);
    const place = cityOf(info.mic, info.zone);
    if (edge) return `${place} ${edge.kind} in ${durationWords(edge.at - now)}`;
    if (!quote?.nextOpen) return '';
    try {
      return `${place} opens in ${durationWords(parseTime(quote.nextOpen) - now)}`;
    } catch {
      return '';
    }
  });
  return <span className="next-edge">{text}</span>;
}

export function HealthLine({ selected }: { readonly selected: string | null }) {
  const { desk } = usePage();
  const { total, counts } = useCell(desk.arrangement);
  const health = useCell(desk.health);
  return (
    <footer className="health-line" aria-label="Health">
      <span>{countWords(total, counts)}{health ? ` · ${showShare(health.nodeShare)} of a node` : ''}</span>
      {health ? (
        <>
          <span>{health.readMs ? `read p50 ${showFigure(health.readMs.p50)} ms · p99 ${showFigure(health.readMs.p99)} ms` : 'no read yet'}</span>
          <span className="optional">late {showCount(health.late)} · duplicate {showCount(health.duplicate)} · corrected {showCount(health.corrected)}</span>
        </>
      ) : null}
      {selected === null ? null : <NextEdge id={selected} />}
    </footer>
  );
}
