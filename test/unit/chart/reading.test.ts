import { describe, expect, test } from 'vitest';
import { createPoints } from '../../../renderer/chart/points.ts';
import { createReading } from '../../../renderer/chart/reading.ts';
import type { HistoryAnswer, HistoryRequest } from '../../../shared/channels.ts';
import { ok, type Result } from '../../../shared/result.ts';

const MINUTE = 60_000;
const FROM = Date.UTC(2024, 0, 2);
const WISH = { from: FROM, to: FROM + 40_000 * MINUTE + 17, resolution: '1m', figures: false, pixels: 800, grain: 1 } as const;

/** A host with a bar every ten minutes, stamped at its end. */
function host(asked: HistoryRequest[], priceAt: (end: number) => string = (end) => `${end / MINUTE}.5`) {
  return (request: HistoryRequest): Promise<Result<HistoryAnswer>> => {
    asked.push(request);
    const [from, to] = [Number(request.fromMicros) / 1000, Number(request.toMicros) / 1000];
    const [times, prices]: [string[], string[]] = [[], []];
    for (let end = Math.ceil(from / MINUTE / 10) * 10 * MINUTE; end - MINUTE <= to; end += 10 * MINUTE) {
      times.push(String(end * 1000 - 1));
      prices.push(priceAt(end));
    }
    return Promise.resolve(ok({ index: 'SPX', times, sequences: times.map(() => 0), prices, resolution: '1m', kind: 'own', rows: times.length, truncated: false }));
  };
}

describe('a forced resolution over a long window', () => {
  test('is read part by part, from bar to bar, and is one series without a hole or a twin', async () => {
    const asked: HistoryRequest[] = [];
    const answer = await createReading('SPX', { load: host(asked) }).read(WISH, true, false);
    expect(asked.length).toBe(3);
    expect(asked.slice(1).every(({ fromMicros }) => Number(fromMicros) % (MINUTE * 1000) === 0)).toBe(true);
    const whole = await host([])({ index: 'SPX', fromMicros: String(FROM * 1000), toMicros: String(WISH.to * 1000), resolution: '1m', pixels: 1 });
    if (answer?.ok !== true || !whole.ok) throw new Error('no answer');
    expect([answer.value.times, answer.value.prices, answer.value.rows]).toEqual([whole.value.times, whole.value.prices, whole.value.rows]);
    const [read, plain] = [createPoints(), createPoints()];
    for (const points of [read, plain]) points.beginHistory(WISH.to * 1000, FROM * 1000);
    expect(read.putHistory(answer.value)).toBe(plain.putHistory(whole.value));
    expect([read.times, read.values, read.texts]).toEqual([plain.times, plain.values, plain.texts]);
    read.putTick({ eventMicros: String(WISH.to * 1000 + 5e6), sequence: 0, price: '7' });
    expect(answer.value.numbers?.times.length, 'the answer stays as it came').toBe(whole.value.times.length);
  });

  test('one price that is none costs that one only', async () => {
    const answer = await createReading('SPX', { load: host([], (end) => (end === FROM + 20_000 * MINUTE ? 'n/a' : '5.25')) }).read(WISH, true, false);
    if (answer?.ok !== true) throw new Error('no answer');
    const points = createPoints();
    points.beginHistory(WISH.to * 1000, FROM * 1000);
    expect(points.putHistory(answer.value)).toBe(1);
    expect(points.length).toBe(answer.value.times.length - 1);
  });

  test('asks for nothing more once nobody wants it', async () => {
    const asked: HistoryRequest[] = [];
    const long = { ...WISH, from: FROM - 400_000 * MINUTE };
    expect(await createReading('SPX', { load: host(asked) }).read(long, true, false, () => asked.length < 4)).toBeNull();
    expect(asked.length).toBeLessThan(8);
  });
});
