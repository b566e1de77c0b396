/** One index: wakes for its own quote alone. */
import { memo, useEffect, useRef } from 'react';
import type { IndexView, QuoteView } from '../../shared/channels.ts';
import { Arrow, directionOf } from '../state/Change.tsx';
import { chipsOf, notesOf } from '../state/notes.ts';
import { NoteMark } from '../state/NoteMark.tsx';
import { showPercent, showPrice, showSigned } from '../state/shown.ts';
import { StateShape } from '../state/StateShape.tsx';
import { stateWords } from '../state/words.ts';
import { useInfo, useQuote } from '../store/hooks.ts';
import { Age } from './Age.tsx';
import { DayRange } from './DayRange.tsx';
import { flash } from './flash.ts';
import { ROW_HEIGHT } from './rowHeight.ts';
import { Sparkline } from './Sparkline.tsx';

interface Props {
  readonly id: string;
  readonly domId: string;
  readonly at: number;
  readonly selected: boolean;
  readonly active: boolean;
  readonly onChoose: (id: string) => void;
}

function Last({ quote, info }: { readonly quote: QuoteView | undefined; readonly info: IndexView | undefined }) {
  const cell = useRef<HTMLSpanElement>(null);
  const before = useRef<string | null>(null);
  const price = quote?.price ?? null;
  const live = quote?.state === 'live' || quote?.state === 'quiet';
  useEffect(() => {
    if (live && before.current !== null && price !== null && before.current !== price && cell.current) flash(cell.current, before.current, price);
    before.current = price;
  }, [price, live]);
  return (
    <span role="gridcell" className="last" ref={cell}>
      {price === null ? <span className="none">–</span> : <span className="price">{showPrice(price, info?.decimals)}</span>}
    </span>
  );
}

/** All that a row leaves out for want of room, for the pointer. */
const titleOf = (id: string, info: IndexView | undefined, notes: readonly string[], baseNote: string | null | undefined): string =>
  [info?.name ?? id, info?.label, ...notes, baseNote].filter(Boolean).join('\n');

export const IndexRow = memo(
  function IndexRow({ id, domId, at, selected, active, onChoose }: Props) {
    const quote = useQuote(id);
    const info = useInfo(id);
    const state = quote?.state ?? 'nodata';
    const direction = directionOf(quote?.changePercent ?? null);
    const notes = quote ? notesOf(quote) : [];
    const noteWords = notes.map(({ words }) => words);
    const unchanged = quote?.price != null && quote.changePercent === null;
    return (
      // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid above takes the keys
      <div
        role="row" id={domId} aria-rowindex={at + 2} aria-selected={selected} className="cells row" data-index={id} data-state={state} data-active={active || undefined}
        style={{ top: at * ROW_HEIGHT }} title={titleOf(id, info, noteWords, quote?.baseNote)} onClick={() => onChoose(id)}
      >
        <span role="gridcell" className="state"><StateShape state={state} /><span className="sr">{[quote ? stateWords(quote) : 'no data', ...noteWords].join(', ')}</span></span>
        <span role="rowheader" className="index">
          <span className="id">{id}</span>{info ? chipsOf(info).map((chip) => <i key={chip} className="label">{chip}</i>) : null}<NoteMark notes={notes} />
        </span>
        <span role="gridcell" className="trend"><Sparkline id={id} price={quote?.price ?? null} /></span>
        <Last quote={quote} info={info} />
        <span role="gridcell" className="percent change" data-direction={direction}>
          {quote?.changePercent ? <><Arrow direction={direction} />{showPercent(quote.changePercent)}</> : null}
          {unchanged ? <span className="none">–<span className="sr">{quote.baseNote ?? 'no change'}</span></span> : null}
        </span>
        <span role="gridcell" className="points change" data-direction={direction}>{quote?.change ? showSigned(quote.change, info?.decimals) : null}</span>
        <span role="gridcell" className="range"><DayRange quote={quote} /></span>
        <span role="gridcell" className="age"><Age quote={quote} zone={info?.zone} /></span>
      </div>
    );
  },
  (a, b) => a.id === b.id && a.at === b.at && a.selected === b.selected && a.active === b.active,
);
