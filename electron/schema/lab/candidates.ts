/** All candidates, the canonical one first: the others are measured against it. */
import { ascending, canonical, hashOfEvent, hashOfId, regionFirst, tablePerIndex, tablePerIndexAscending, timeBucketFirst } from './keyedCandidates.ts';
import type { MakeLayout } from './layout.ts';
import { derivedRegionTime, timeFirst } from './timeFirst.ts';
import { cellVersions, hourlyRows, qualifierPerEvent } from './wideRows.ts';

export const CANDIDATES: Readonly<Record<string, MakeLayout>> = {
  canonical,
  ascending,
  'table-per-index': tablePerIndex,
  'table-per-index-ascending': tablePerIndexAscending,
  'time-first': timeFirst,
  'time-bucket-first': timeBucketFirst,
  'region-first': regionFirst,
  'hash-of-id': hashOfId,
  'hash-of-event': hashOfEvent,
  'hourly-rows': hourlyRows,
  'qualifier-per-event': qualifierPerEvent,
  'cell-versions': cellVersions,
  'derived-region-time': derivedRegionTime,
};
