/** Age of a price, counted by the page. */
import { usePulse } from '../store/hooks.ts';
import { type Aged, ageText } from './ageText.ts';

interface Props {
  readonly quote: Aged | undefined;
  readonly zone: string | undefined;
}

export function Age({ quote, zone }: Props) {
  return usePulse(({ now }) => ageText(quote, zone, now));
}
