/** The chosen index in full: last, change with its base, the session's figures, state and age, source. */
import './headline.css';
import type { IndexView, QuoteView } from '../../shared/channels.ts';
import { parseDecimal, percentChange } from '../../shared/decimal.ts';
import { Arrow, directionOf } from '../state/Change.tsx';
import { notesOf } from '../state/notes.ts';
import { NoteMark } from '../state/NoteMark.tsx';
import { cityOf } from '../state/places.ts';
import { showPrice, showSigned, showSignedPercent } from '../state/shown.ts';
import { StateShape } from '../state/StateShape.tsx';
import { stateWord } from '../state/words.ts';
import { useInfo, useQuote } from '../store/hooks.ts';
import { useTape } from '../tape/useTape.ts';
import { Age } from '../watchlist/Age.tsx';
import { rangePercent } from '../watchlist/rangePercent.ts';
import { baseWords, stateDetails } from './captions.ts';

function Change({ quote, info }: { readonly quote: QuoteView; readonly info: IndexView | undefined }) {
  const direction = directionOf(quote.change);
  const words = baseWords(quote, info?.decimals);
  return (
    <div className="headline-change">
      {quote.change === null || quote.changePercent === null ? (
        <span className="no-change">change unknown</span>
      ) : (
        <span className="change big" data-direction={direction}>
          <Arrow direction={direction} /> {showSigned(quote.change, info?.decimals)}{'  '}{showSignedPercent(quote.changePercent)}
        </span>
      )}
      <span className="base" title={words}>{words}</span>
    </div>
  );
}

function fromOpen(quote: QuoteView): string | null {
  const [open, last] = [quote.day && parseDecimal(quote.day.open), quote.price === null ? undefined : parseDecimal(quote.price)];
  const percent = open && last ? percentChange(open, last, 2) : undefined;
  return percent === undefined ? null : showSignedPercent(percent);
}

/** Low and high at the ends of a bar, the last price where it lies between them. */
function Range({ quote, info }: { readonly quote: QuoteView; readonly info: IndexView | undefined }) {
  const { day, price } = quote;
  if (day === null || price === null) return null;
  const at = rangePercent(price, day.low, day.high);
  const [low, high] = [showPrice(day.low, info?.decimals), showPrice(day.high, info?.decimals)];
  return (
    <div className="day-range" role="img" aria-label={`day's range ${low} to ${high}${at === undefined ? '' : `, now at ${Math.round(at)} % of it`}`} title="the day's low and high">
      <span className="dim">day</span> {low} <span className="bar">{at === undefined ? null : <span className="mark" style={{ left: `${at}%` }} />}</span> {high}
    </div>
  );
}

function Figures({ quote, info }: { readonly quote: QuoteView; readonly info: IndexView | undefined }) {
  const figures: [string, string | null][] = [['open', quote.day && showPrice(quote.day.open, info?.decimals)], ['from open', fromOpen(quote)]];
  return (
    <div className="figures">
      <Range quote={quote} info={info} />
      <dl>
        {figures.map(([name, value]) => (
          <div key={name}><dt>{name}</dt><dd>{value ?? '–'}</dd></div>
        ))}
      </dl>
    </div>
  );
}

function Notes({ quote }: { readonly quote: QuoteView }) {
  const notes = notesOf(quote);
  if (notes.length === 0) return null;
  return (
    <ul className="flags" aria-label="Notes on this value">
      {notes.map((note) => <li key={note.words} data-tone={note.bad ? 'bad' : undefined}><NoteMark notes={[note]} /> {note.words}</li>)}
    </ul>
  );
}

export function Headline({ id }: { readonly id: string }) {
  const quote = useQuote(id);
  const info = useInfo(id);
  const tape = useTape(id);
  const state = quote?.state ?? 'nodata';
  const source = tape.kind === 'rows' ? (tape.rows[0]?.tick.source ?? null) : null;
  const zone = info?.zone ?? 'UTC';
  const details = quote ? stateDetails(quote, zone) : null;
  return (
    <header className="headline" data-index-headline={id} data-state={state}>
      <div className="headline-name">
        <h1><b>{id}</b> <span className="full-name" title={info?.name}>{info?.name ?? id}</span></h1>
        <span className="where">{[cityOf(info?.mic ?? null, zone), info?.currency].filter(Boolean).join(' · ')}</span>
        {info?.label ? <span className="chip headline-label" title={info.label}>{info.label}</span> : null}
      </div>
      <div className="headline-main">
        <span className="headline-last">{quote?.price == null ? <span className="none">–</span> : <span className="price">{showPrice(quote.price, info?.decimals)}</span>}</span>
        {quote ? <Change quote={quote} info={info} /> : null}
        <div className="headline-state">
          <span className="state-line"><StateShape state={state} /> {stateWord(state)} · <Age quote={quote} zone={zone} /></span>
          {details === null ? null : <span className="dim details" title={details}>{details}</span>}
          {source === null ? null : <span className="dim details source" title={`source ${source}`}>source {source}</span>}
        </div>
      </div>
      {quote ? <div className="figure-line"><Figures quote={quote} info={info} /><Notes quote={quote} /></div> : null}
    </header>
  );
}
