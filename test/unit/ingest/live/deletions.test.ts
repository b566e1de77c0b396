import fc from 'fast-check';
import { expect, test } from 'vitest';
import { identityText, parseIdentity } from '../../../../electron/ingest/live/deletions.ts';
import { indexIdOf, shardedTickKey, tickKey } from '../../../../shared/rowKey.ts';
import { MAX_MICROS, micros, MIN_MICROS } from '../../../../shared/time.ts';

const identity = fc.record({ index: fc.stringMatching(/^[A-Z^][A-Z0-9.]{0,10}$/).map(indexIdOf), time: fc.bigInt({ min: MIN_MICROS, max: MAX_MICROS }).map(micros), sequence: fc.nat(999_999) });

test('an identity is the same in every way to write it, before 1970 too', () => {
  fc.assert(fc.property(identity, fc.nat(99), (one, shard) => {
    const { index, time, sequence } = one;
    for (const line of [tickKey(index, time, sequence), shardedTickKey(index, shard, time, sequence), identityText(one), `${index},${time},${sequence}`, ` ${index}\t${time}  ${sequence} `, JSON.stringify({ index, eventMicros: String(time), sequence, price: '5' })]) expect(parseIdentity(line)).toEqual(one);
  }));
});

test.each([
  ['SPX', /not a row key/], ['SPX 2024-03-11T13:30:00 0', /no zone/], ['spx 1 0', /not an index id/], ['SPX 1 1000000', /not a sequence/], ['SPX@1m#9223372036854775807', /not a row key/], ['SPX#9223372036854775807', /without a sequence/],
  ['{"index":"SPX","eventMicros":5,"sequence":0}', /eventMicros/], ['{"index":', /complete JSON/], ['SPX 99999999999999999999 0', /not a time/], ['!latest#SPX', /not a row key/],
])('%s is refused', (line, want) => expect(parseIdentity(line)).toMatch(want));

test('no text throws', () => fc.assert(fc.property(fc.string(), (text) => { parseIdentity(text); })));
