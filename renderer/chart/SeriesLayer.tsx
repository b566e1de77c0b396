/** The series in its kind, written straight to the DOM once per frame; React never sees a tick. */
import { memo, useLayoutEffect, useRef } from 'react';
import { areaText } from './areaText.ts';
import { BarLayer } from './BarLayer.tsx';
import type { ChartModel } from './chartModel.ts';
import type { Frame, Plot } from './frame.ts';
import type { Kind } from './settings.ts';

interface Props {
  readonly model: ChartModel;
  readonly frame: Frame;
  readonly plot: Plot;
  readonly clip: string;
  readonly kind: Kind;
}

export const SeriesLayer = memo(function SeriesLayer({ model, frame, plot, clip, kind }: Props) {
  useLayoutEffect(() => model.place(frame, plot), [model, frame, plot, kind]);
  return kind === 'candles' || kind === 'bars' ? <BarLayer model={model} clip={clip} style={kind} /> : <LineLayer model={model} plot={plot} clip={clip} area={kind === 'area'} />;
});

const LineLayer = memo(function LineLayer({ model, plot, clip, area }: Omit<Props, 'frame' | 'kind'> & { readonly area: boolean }) {
  const lines = useRef<SVGGElement>(null);
  const past = useRef<SVGPathElement>(null);
  const body = useRef<SVGGElement>(null);
  const tail = useRef<SVGPathElement>(null);
  const fill = useRef<SVGPathElement>(null);
  const tailFill = useRef<SVGPathElement>(null);
  const dot = useRef<SVGCircleElement>(null);

  useLayoutEffect(() => {
    let pastText = '';
    let bodyTexts: readonly string[] = [];
    let dense = false;
    let shift = 0;
    let tailText = '';
    let dotAt = '';
    return model.onPaint(({ ink, last }) => {
      if (ink.kind !== 'line') return;
      const bottom = plot.y + plot.height;
      if (area && (ink.body !== bodyTexts || ink.past !== pastText)) fill.current?.setAttribute('d', areaText(ink.past, bottom) + areaText(ink.body.join(''), bottom));
      if (ink.past !== pastText) {
        pastText = ink.past;
        past.current?.setAttribute('d', pastText);
      }
      if (ink.body !== bodyTexts) {
        if (body.current) writePieces(body.current, bodyTexts, ink.body);
        bodyTexts = ink.body;
      }
      if (ink.tail !== tailText) {
        tailText = ink.tail;
        tail.current?.setAttribute('d', tailText);
        if (area) tailFill.current?.setAttribute('d', areaText(tailText, bottom));
      }
      if (ink.shift !== shift) {
        ({ shift } = ink);
        lines.current?.setAttribute('transform', `translate(${shift.toFixed(1)})`);
      }
      if (ink.dense !== dense) {
        dense = ink.dense;
        lines.current?.setAttribute('data-dense', String(dense));
      }
      // Off screen rather than hidden: one attribute, no style work.
      const at = last && last.x >= plot.x && last.x <= plot.x + plot.width ? `translate(${last.x.toFixed(1)} ${last.y.toFixed(1)})` : 'translate(-99 -99)';
      if (at === dotAt) return;
      dotAt = at;
      dot.current?.setAttribute('transform', at);
    });
  }, [model, plot, area]);

  return (
    <g>
      <g clipPath={clip}>
        <g ref={lines}>
          {area && <g className="chart-area"><path ref={fill} data-part="area" /><path ref={tailFill} /></g>}
          <path ref={past} className="chart-line chart-line-past" />
          <g className="chart-line chart-line-current">
            <g ref={body} />
            <path ref={tail} data-part="tail" />
          </g>
        </g>
      </g>
      <circle ref={dot} className="chart-dot" r="3.5" transform="translate(-99 -99)" />
    </g>
  );
});

const SVG = 'http://www.w3.org/2000/svg';

/** A path per piece in `group`, of which the first hold `held`: only those that changed are written. */
function writePieces(group: SVGGElement, held: readonly string[], pieces: readonly string[]): void {
  for (let at = 0; at < pieces.length; at++) {
    let path = group.children[at];
    if (path !== undefined && held[at] === pieces[at]) continue;
    if (path === undefined) {
      path = document.createElementNS(SVG, 'path');
      path.setAttribute('data-part', 'body');
      group.append(path);
    }
    path.setAttribute('d', pieces[at] ?? '');
  }
  while (group.children.length > pieces.length) group.lastElementChild?.remove();
}
