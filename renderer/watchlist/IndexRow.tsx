/** One index: wakes for its own quote alone. */
import { memo, useEffect, useRef } from 'react';
import type { IndexView, QuoteView } from '../../shared/channels.ts';
import { Arrow, directionOf } from '../state/Change.tsx';
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

/** Its kind where the label begins with one (`CFD mid, not the index`); the rest is told by title and headline. */
const shortLabel = (label: string): string => /^[A-Z]{2,6}\b/.exec(label)?.[0] ?? '';

export const IndexRow = memo(
  function IndexRow({ id, domId, at, selected, active, onChoose }: Props) {
    const quote = useQuote(id);
    const info = useInfo(id);
    const state = quote?.state ?? 'nodata';
    const direction = directionOf(quote?.changePercent ?? null);
    return (
      // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid above takes the keys
      <div
        role="row" id={domId} aria-rowindex={at + 2} aria-selected={selected} className="cells row" data-index={id} data-state={state} data-active={active || undefined}
        style={{ top: at * ROW_HEIGHT }} title={info ? `${info.name}${info.label === null ? '' : ` · ${info.label}`}` : id} onClick={() => onChoose(id)}
      >
        <span role="gridcell" className="state"><StateShape state={state} /><span className="sr">{quote ? stateWords(quote) : 'no data'}</span></span>
        <span role="rowheader" className="index">{id}{info?.label ? <i className="label">{shortLabel(info.label)}</i> : null}</span>
        <span role="gridcell" className="trend"><Sparkline id={id} price={quote?.price ?? null} /></span>
        <Last quote={quote} info={info} />
        <span role="gridcell" className="percent change" data-direction={direction}>
          {quote?.changePercent ? <><Arrow direction={direction} />{showPercent(quote.changePercent)}</> : null}
        </span>
        <span role="gridcell" className="points change" data-direction={direction}>{quote?.change ? showSigned(quote.change, info?.decimals) : null}</span>
        <span role="gridcell" className="range"><DayRange quote={quote} /></span>
        <span role="gridcell" className="age"><Age quote={quote} zone={info?.zone} /></span>
      </div>
    );
  },
  (a, b) => a.id === b.id && a.at === b.at && a.selected === b.selected && a.active === b.active,
);
