/** 24 hours of sessions: who trades now, who is next, who does not trade at all; the line is desk time. */
import './ribbon.css';
import { memo, useEffect, useRef, useState } from 'react';
import { HOUR, micros } from '../../shared/time.ts';
import { localDate } from '../../shared/zone.ts';
import { cityOf } from '../state/places.ts';
import { showDate, showMinute } from '../state/shown.ts';
import { useCell, useInfo, usePage, usePulse } from '../store/hooks.ts';
import type { Sessions } from '../store/sessionBook.ts';
import { absent, type Exchange, groups, percentAt, type Placed, place, type RibbonSpan, ribbonSpan } from './lanes.ts';

/** Widest average advance of a character at the ribbon's 10 px text. */
const CHARACTER_PX = 6.2;

interface GroupProps {
  readonly group: Placed;
  readonly zone: string;
  /** Start of the box that trades now; empty: none does. */
  readonly open: string;
  /** The chosen index's exchange. */
  readonly own: boolean;
}

const GroupBoxes = memo(function GroupBoxes({ group, zone, open, own }: GroupProps) {
  const top = `calc(3px + ${group.row} * var(--ribbon-row))`;
  return (
    <>
      {group.boxes.map((box) => (
        <span
          key={String(box.open)} className="session" data-open={open === String(box.open) || undefined} data-own={own || undefined} style={{ top, left: `${box.left}%`, width: `${box.width}%` }}
          title={[group.cities.join(', '), `${showMinute(zone, box.open)} to ${showMinute(zone, box.close)}`, ...group.notes].join('\n')}
        />
      ))}
      {group.names.map(({ text, left }) => <span key={left} className="session-name" data-own={own || undefined} style={{ top, left: `${left}%` }}>{text}</span>)}
    </>
  );
});

function useWidth(): [React.RefObject<HTMLDivElement | null>, number] {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(1440);
  useEffect(() => {
    if (!element.current) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 1440)));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}

function NowLine() {
  const left = usePulse(({ now }) => (now === undefined ? -1 : Math.round(percentAt(ribbonSpan(now), now) * 100) / 100));
  return left < 0 ? null : <span className="now-line" style={{ left: `${left}%` }} />;
}

/** Room at the left edge that the zone's name takes. */
const ZONE_PX = 110;

function Hours({ span, zone, width }: { readonly span: RibbonSpan; readonly zone: string; readonly width: number }) {
  return Array.from({ length: 7 }, (_, at) => {
    const hour = BigInt(at * 4) * HOUR - ((span.from / HOUR) % 4n) * HOUR + 4n * HOUR;
    const time = micros(span.from + hour);
    return hour >= 24n * HOUR ? null : <span key={String(time)} className="hour" style={{ left: `${percentAt(span, time)}%` }}>{(percentAt(span, time) / 100) * width < ZONE_PX ? null : <i>{showMinute(zone, time)}</i>}</span>;
  });
}

/** `no session: Tokyo until Thu, Nov 7`; empty where everybody trades. */
function absentWords(exchanges: readonly Exchange[], book: Sessions, span: RibbonSpan, zone: string): string {
  const missing = absent(exchanges, book, span);
  if (missing.length === 0) return '';
  const days = new Map<string, string[]>();
  for (const { city, opens, own } of missing) {
    const until = `${opens === null ? '' : ` until ${showDate(localDate(zone, opens))}`}${own ? ' (your date)' : ''}`;
    days.set(until, [...(days.get(until) ?? []), city]);
  }
  return `no session: ${[...days].map(([until, cities]) => `${cities.length > 4 ? `${cities.slice(0, 3).join(', ')} +${cities.length - 3}` : cities.join(', ')}${until}`).join('; ')}`;
}

/** Exchanges that trade at an instant, each with the start of its session; kept as one text so that a pulse can compare it. */
function useOpen(exchanges: readonly Exchange[], book: Sessions): ReadonlyMap<string, string> {
  const text = usePulse(({ now }) => {
    if (now === undefined) return '';
    return exchanges.flatMap(({ mic }) => {
      const window = book.get(mic)?.find(({ open, close }) => open <= now && now < close);
      return window ? [`${mic} ${window.open}`] : [];
    }).join('\n');
  });
  return new Map(text.split('\n').map((line): [string, string] => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]));
}

export function Ribbon({ selected }: { readonly selected: string | null }) {
  const { desk, sessions } = usePage();
  const indices = useCell(desk.indices) ?? [];
  const book = useCell(sessions.sessions);
  const info = useInfo(selected ?? '');
  const zone = info?.zone ?? 'UTC';
  const from = usePulse(({ now }) => (now === undefined ? '' : String(ribbonSpan(now).from)));
  const [element, width] = useWidth();
  const exchanges = [...new Map(indices.flatMap(({ mic, zone: own }): [string, Exchange][] => (mic === null ? [] : [[mic, { mic, city: cityOf(mic, own) }]]))).values()];
  const open = useOpen(exchanges, book);
  if (exchanges.length === 0) return null; // nothing listed trades by a calendar: no day to draw
  const span = from === '' ? undefined : { from: micros(BigInt(from)), to: micros(BigInt(from) + 24n * HOUR) };
  const placed = span ? place(groups(exchanges, book, span), (CHARACTER_PX / Math.max(300, width)) * 100) : [];
  const rows = Math.max(1, ...placed.map(({ row }) => row + 1));
  const openNow = [...new Set(exchanges.filter(({ mic }) => open.has(mic)).map(({ city }) => city))].join(', ');
  const missing = span ? absentWords(exchanges, book, span, zone) : '';
  const special = placed.filter(({ notes }) => notes.length > 0).map(({ cities, notes }) => `${cities.join(', ')}: ${notes.join(', ')}`);
  const words = [openNow === '' ? 'Sessions of 24 hours; no exchange is open now' : `Sessions of 24 hours; open now: ${openNow}`, missing, ...special].filter((part) => part !== '').join('; ');
  return (
    <section className="ribbon" aria-label="Sessions">
      <div className="ribbon-day" ref={element} role="img" aria-label={words} style={{ '--ribbon-rows': rows } as React.CSSProperties}>
        {span ? <Hours span={span} zone={zone} width={width} /> : null}
        {placed.map((group) => (
          <GroupBoxes key={group.key} group={group} zone={zone} open={group.mics.map((mic) => open.get(mic)).find((start) => start !== undefined) ?? ''} own={info?.mic != null && group.mics.includes(info.mic)} />
        ))}
        <NowLine />
        <i className="ribbon-zone">{info ? `${cityOf(info.mic, zone)} time` : 'UTC'}</i>
        {missing === '' ? null : <i className="ribbon-absent">{missing}</i>}
      </div>
    </section>
  );
}
