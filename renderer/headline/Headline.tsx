/** The chosen index in full: last, change with its base, the session's figures, state and age, source. */
import './headline.css';
import type { IndexView, QuoteView } from '../../shared/channels.ts';
import { parseDecimal, percentChange } from '../../shared/decimal.ts';
import { Arrow, directionOf } from '../state/Change.tsx';
import { cityOf } from '../state/places.ts';
import { showDate, showMinute, showPrice, showSigned, showSignedPercent } from '../state/shown.ts';
import { StateShape } from '../state/StateShape.tsx';
import { reasonWords, stateWord } from '../state/words.ts';
import { useInfo, useQuote } from '../store/hooks.ts';
import { useTape } from '../tape/useTape.ts';
import { Age } from '../watchlist/Age.tsx';
import { baseWords, flagWords } from './captions.ts';
import { parseTime } from '../../shared/time.ts';
import { localDate } from '../../shared/zone.ts';

function Change({ quote, info }: { readonly quote: QuoteView; readonly info: IndexView | undefined }) {
  const direction = directionOf(quote.change);
  return (
    <div className="headline-change">
      {quote.change === null || quote.changePercent === null ? (
        <span className="no-change">no change</span>
      ) : (
        <span className="change big" data-direction={direction}>
          <Arrow direction={direction} /> {showSigned(quote.change, info?.decimals)}{'  '}{showSignedPercent(quote.changePercent)}
        </span>
      )}
      <span className="base">{baseWords(quote, info?.decimals)}</span>
    </div>
  );
}

function fromOpen(quote: QuoteView): string | null {
  const [open, last] = [quote.day && parseDecimal(quote.day.open), quote.price === null ? undefined : parseDecimal(quote.price)];
  const percent = open && last ? percentChange(open, last, 2) : undefined;
  return percent === undefined ? null : showSignedPercent(percent);
}

function Figures({ quote, info }: { readonly quote: QuoteView; readonly info: IndexView | undefined }) {
  const { day } = quote;
  const figures: [string, string | null][] = [
    ['open', day && showPrice(day.open, info?.decimals)], ['high', day && showPrice(day.high, info?.decimals)],
    ['low', day && showPrice(day.low, info?.decimals)], ['from open', fromOpen(quote)],
  ];
  return (
    <dl className="figures">
      {figures.map(([name, value]) => (
        <div key={name}><dt>{name}</dt><dd>{value ?? '–'}</dd></div>
      ))}
    </dl>
  );
}

export function Headline({ id }: { readonly id: string }) {
  const quote = useQuote(id);
  const info = useInfo(id);
  const tape = useTape(id);
  const state = quote?.state ?? 'nodata';
  const source = tape.kind === 'rows' ? (tape.rows[0]?.tick.source ?? null) : null;
  const zone = info?.zone ?? 'UTC';
  const flags = quote ? flagWords(quote) : [];
  return (
    <header className="headline" data-index-headline={id} data-state={state}>
      <h1>
        <b>{id}</b> <span className="full-name">{info?.name ?? id}</span>
        <span className="where">{[cityOf(info?.mic ?? null, zone), info?.currency].filter(Boolean).join(' · ')}</span>
        {info?.label ? <span className="chip">{info.label}</span> : null}
      </h1>
      <div className="headline-main">
        <span className="headline-last">{quote?.price == null ? <span className="none">–</span> : <span className="price">{showPrice(quote.price, info?.decimals)}</span>}</span>
        {quote ? <Change quote={quote} info={info} /> : null}
        <div className="headline-state">
          <span className="state-line"><StateShape state={state} /> {stateWord(state)} · <Age quote={quote} zone={zone} /></span>
          <span className="dim details">
            {quote ? stateDetails(quote, zone, source) : ''}
          </span>
        </div>
      </div>
      <div className="figure-line">
        {quote ? <Figures quote={quote} info={info} /> : null}
        {flags.length > 0 ? <ul className="flags" aria-label="Notes on this value">{flags.map(({ words, bad }) => <li key={words} data-tone={bad ? 'bad' : undefined}>{words}</li>)}</ul> : null}
      </div>
    </header>
  );
}

/** Why, and what comes next: a night or weekend is told by the next open alone. */
function stateDetails({ state, reason, nextOpen }: QuoteView, zone: string, source: string | null): string {
  const next = state === 'closed' && nextOpen !== null ? `opens ${openWords(zone, nextOpen)}` : null;
  const why = reason === null || (next !== null && (reason === 'night' || reason === 'weekend')) ? null : reasonWords(reason);
  return [why, next ?? (source === null ? null : `source ${source}`)].filter((words) => words !== null).join(' · ');
}

function openWords(zone: string, iso: string): string {
  try {
    const time = parseTime(iso);
    return `${showDate(localDate(zone, time))} ${showMinute(zone, time)}`;
  } catch {
    return iso.slice(0, 30);
  }
}
