/** How a chart's series is shown; each may change while the chart lives. */
import type { Detail, Kind, PriceScaleKind } from './settings.ts';

export interface ChartLook {
  readonly kind: Kind;
  readonly scale: PriceScaleKind;
  /** Zone of labels. */
  readonly zone: string;
  readonly collapse: boolean;
  readonly detail: Detail;
  /** Instant that percent starts from, milliseconds; null: the left edge. */
  readonly rebase: number | null;
}
