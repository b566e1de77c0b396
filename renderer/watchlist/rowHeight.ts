/** Pixels of a row or a group's title, by density. */
import type { Density } from './lists.ts';

export const ROW_HEIGHTS: Readonly<Record<Density, number>> = { compact: 22, normal: 28, comfortable: 36 };
