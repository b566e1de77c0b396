/** `replay`: vendor files as a live market into a store, paced by a replay clock of their own; ends with the data. */
import { failed, ok, type Problem, problem, type Result } from '../../shared/result.ts';
import type { IndexId } from '../../shared/rowKey.ts';
import { type EpochMicros, formatIso, micros, MINUTE } from '../../shared/time.ts';
import type { Writer } from '../bigtable/reader.ts';
import { inTimeOrder, ticksOfMinute, type SourceTick } from './minuteTicks.ts';
import { daysBetween, isDate, moveDays } from './moveDays.ts';
import { BATCH, type Due, pace, type Sleep } from './pacer.ts';
import { type FileBars, readBars, type ReadOptions } from './readBars.ts';
import { createReplayClock, DEFAULT_SPEED, MAX_SPEED, MIN_SPEED, type ReplayClock } from './replayClock.ts';
import type { Rejected } from './sourceBar.ts';
import { tickRow, versionTimes } from './tickRow.ts';

export interface ReplayOptions extends ReadOptions {
  /** The day to replay, `YYYY-MM-DD`: a file that has it gives its bars alone; any other is moved so that its first day is this one. */
  readonly day: string | null;
  /** 1 to 60, or `max`: as fast as the store takes it. */
  readonly speed: number | 'max';
}

/** What was found in one file, told before the first price is written. */
export interface FileReport {
  readonly file: string;
  readonly format: string;
  readonly index: IndexId;
  readonly zone: string;
  /** Records read; bars and ticks replayed, those outside the day, whole days moved. */
  readonly read: number;
  readonly bars: number;
  readonly ticks: number;
  readonly otherDays: number;
  readonly movedDays: number;
  readonly rejectedCount: number;
  readonly rejected: readonly Rejected[];
  readonly warnings: readonly string[];
}

export interface ReplayProgress {
  readonly written: number;
  readonly total: number;
  /** Desk time of the newest tick written. */
  readonly time: EpochMicros;
}

export interface Replay {
  readonly files: readonly string[];
  readonly options: ReplayOptions;
  readonly writer: Writer;
  /** Milliseconds that never step back. */
  readonly elapsed: () => number;
  readonly sleep: Sleep;
  /** The machine's wall clock in milliseconds: version times. */
  readonly machineMillis: () => number;
  readonly onFile?: (report: FileReport) => void;
  readonly onProgress?: (progress: ReplayProgress) => void;
  readonly onProblem?: (problem: Problem | null) => void;
  /** Told once before the first tick, for hosts that show its time. */
  readonly onClock?: (clock: ReplayClock) => void;
  readonly signal: AbortSignal;
}

export interface ReplaySummary {
  readonly files: readonly FileReport[];
  readonly ticks: number;
  readonly from: EpochMicros;
  readonly to: EpochMicros;
}

const SILENCE = 30n * MINUTE; // a longer gap between ticks (a night) is skipped, unless time runs as it did
const PATIENCE = 60_000;
const NAP = 100;

/** Every file is read and checked before the first write: a refused file leaves the table as it was. */
export async function runReplay(replay: Replay): Promise<Result<ReplaySummary>> {
  const { options, signal, elapsed } = replay;
  const { speed } = options;
  if (speed !== 'max' && !(speed >= MIN_SPEED && speed <= MAX_SPEED)) {
    return failed(problem('BAD_INPUT', `replay speed ${speed} is out of range`, `give --speed ${MIN_SPEED} to ${MAX_SPEED}, or max`));
  }
  if (options.day !== null && !isDate(options.day)) return failed(problem('BAD_INPUT', `no such day: ${options.day}`, 'give --day YYYY-MM-DD'));
  const loaded = await load(replay);
  if (!loaded.ok) return loaded;
  const { due, reports } = loaded.value;
  const [first, last] = [due[0], due.at(-1)];
  if (first === undefined || last === undefined) return failed(problem('BAD_INPUT', 'the files hold no minute to replay', 'give files with bars of the day'));

  const clock = createReplayClock({ start: first.time, elapsed, speed: speed === 'max' ? DEFAULT_SPEED : speed });
  if (speed === 'max') clock.set({ paused: true }); // then only jumps move it
  replay.onClock?.(clock);
  const reach = async (time: EpochMicros, nth: number): Promise<void> => {
    if (speed === 'max') return clock.jump(due[Math.min(nth + BATCH, due.length) - 1]?.time ?? time);
    if (speed !== 1 && time - clock.now() > SILENCE) clock.jump(micros(time - MINUTE), `skipped a silence up to ${formatIso(time)}`);
    await replay.sleep(Math.min(NAP, clock.until(time) ?? NAP), signal);
  };
  const written = await pace({
    due, clock, reach, signal, writer: replay.writer, sleep: replay.sleep, version: versionTimes(replay.machineMillis), patienceMs: PATIENCE,
    onWritten: (count, time) => replay.onProgress?.({ written: count, total: due.length, time }),
    ...(replay.onProblem ? { onProblem: replay.onProblem } : {}),
  });
  return written.ok ? ok({ files: reports, ticks: written.value, from: first.time, to: last.time }) : written;
}

async function load(replay: Replay): Promise<Result<{ due: readonly Due[]; reports: readonly FileReport[] }>> {
  const sources = new Map<IndexId, string>();
  const ticks: SourceTick[] = [];
  const reports: FileReport[] = [];
  for (const path of replay.files) {
    const read = await readBars(path, replay.options, replay.signal);
    if (!read.ok) return read;
    const placed = placeOnDay(read.value, replay.options.day);
    if (!placed.ok) return placed;
    const { bars, ticks: prints, report } = placed.value;
    reports.push(report);
    replay.onFile?.(report);
    sources.set(read.value.index, `replay:${read.value.format}`);
    for (const bar of bars) ticks.push(...ticksOfMinute(read.value.index, bar));
    for (const { start, price } of prints) ticks.push({ index: read.value.index, time: start, sequence: 0, price });
  }
  const due = inTimeOrder(ticks).map((tick): Due => ({ time: tick.time, row: (ingest) => tickRow(tick, sources.get(tick.index) ?? 'replay', ingest) }));
  return ok({ due, reports });
}

/** The file's minutes and ticks on the asked-for day. */
export function placeOnDay(file: FileBars, day: string | null): Result<Pick<FileBars, 'bars' | 'ticks'> & { readonly report: FileReport }> {
  const minutes = file.bars.filter((bar) => bar.period === '1m');
  const all = [...minutes, ...file.ticks];
  const [first] = all;
  if (first === undefined) {
    const period = file.bars[0]?.period ?? null;
    const held = period === '1d' ? 'holds daily bars, and a day has no minutes to replay' : period === null ? 'how long its bars are can not be told' : `holds bars of ${period}, and a replay needs minutes or ticks`;
    return failed(problem('BAD_INPUT', `${file.file}: ${held}`, period === null ? 'give --period 1m if they are minutes' : 'give a file of minute bars or ticks'));
  }
  const has = day !== null && all.some(({ date }) => date === day);
  const chosen = <T extends { readonly date: string }>(list: readonly T[]): readonly T[] => (has ? list.filter(({ date }) => date === day) : list);
  const days = day === null || has ? 0n : daysBetween(first.date, day);
  const lost: Rejected[] = [];
  const bars = moveDays(chosen(minutes), file.zone, days, (one) => lost.push(one));
  const ticks = moveDays(chosen(file.ticks), file.zone, days, (one) => lost.push(one));
  return ok({
    bars, ticks,
    report: {
      file: file.file, format: file.format, index: file.index, zone: file.zone, read: file.read, bars: bars.length, ticks: ticks.length,
      otherDays: all.length - chosen(all).length, movedDays: Number(days),
      rejectedCount: file.rejectedCount + lost.length, rejected: [...file.rejected, ...lost], warnings: file.warnings,
    },
  });
}
