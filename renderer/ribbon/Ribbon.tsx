/** 24 hours of sessions: who trades now, who is next; the line is desk time. */
import './ribbon.css';
import { memo, useEffect, useRef, useState } from 'react';
import { HOUR, micros } from '../../shared/time.ts';
import { cityOf } from '../state/places.ts';
import { showMinute } from '../state/shown.ts';
import { useCell, useInfo, usePage, usePulse } from '../store/hooks.ts';
import { type Exchange, labels, type Lane, lanes, percentAt, type RibbonSpan, ribbonSpan } from './lanes.ts';

/** Average advance of a character at the ribbon's 10 px text. */
const CHARACTER_PX = 6.1;

const LaneBoxes = memo(function LaneBoxes({ lane, width }: { readonly lane: Lane; readonly width: number }) {
  const names = labels(lane, (CHARACTER_PX / Math.max(300, width)) * 100);
  return (
    <div className="lane">
      {lane.boxes.map((box) => (
        <span key={box.key} className="session" style={{ left: `${box.left}%`, width: `${box.width}%` }} title={[box.cities.join(', '), ...box.notes].join('\n')} />
      ))}
      {lane.boxes.map((box) => (names.has(box.key) ? <span key={`${box.key} name`} className="session-name" style={{ left: `${box.left}%` }}>{names.get(box.key)}</span> : null))}
    </div>
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

function Hours({ span, zone }: { readonly span: RibbonSpan; readonly zone: string }) {
  return Array.from({ length: 7 }, (_, at) => {
    const hour = BigInt(at * 4) * HOUR - ((span.from / HOUR) % 4n) * HOUR + 4n * HOUR;
    const time = micros(span.from + hour);
    return hour >= 24n * HOUR ? null : <span key={String(time)} className="hour" style={{ left: `${percentAt(span, time)}%` }}><i>{showMinute(zone, time)}</i></span>;
  });
}

export function Ribbon({ selected }: { readonly selected: string | null }) {
  const { desk, sessions } = usePage();
  const indices = useCell(desk.indices) ?? [];
  const book = useCell(sessions.sessions);
  const info = useInfo(selected ?? '');
  const zone = info?.zone ?? 'UTC';
  const from = usePulse(({ now }) => (now === undefined ? '' : String(ribbonSpan(now).from)));
  const [element, width] = useWidth();
  const exchanges = [...new Map(indices.flatMap(({ mic, zone: own, region }): [string, Exchange][] => (mic === null ? [] : [[mic, { mic, city: cityOf(mic, own), region }]]))).values()];
  const span = from === '' ? undefined : { from: micros(BigInt(from)), to: micros(BigInt(from) + 24n * HOUR) };
  const openNow = usePulse(({ now }) =>
    now === undefined ? '' : [...new Set(exchanges.filter(({ mic }) => book.get(mic)?.some((window) => window.open <= now && now < window.close)).map(({ city }) => city))].join(', '));
  return (
    <section className="ribbon" aria-label="Sessions">
      <div className="ribbon-day" ref={element} role="img" aria-label={openNow === '' ? 'Sessions of 24 hours; no exchange is open now' : `Sessions of 24 hours; open now: ${openNow}`}>
        {span ? <Hours span={span} zone={zone} /> : null}
        {span ? lanes(exchanges, book, span).map((lane) => <LaneBoxes key={lane.region} lane={lane} width={width} />) : null}
        <NowLine />
        <i className="ribbon-zone">{info ? `${cityOf(info.mic, zone)} time` : 'UTC'}</i>
      </div>
    </section>
  );
}
