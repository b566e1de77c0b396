import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planFamilies } from '../../../electron/bigtable/admin.ts';
import { describeRetention, type Retention, retentionOf, ruleOf, sameRetention, shortens } from '../../../electron/bigtable/gcRule.ts';

const retention: fc.Arbitrary<Retention> = fc.record({ maxAgeSeconds: fc.option(fc.integer({ min: 1, max: 1e9 })), maxVersions: fc.option(fc.integer({ min: 1, max: 100 })) });
const keeps = (rule: Retention, age: number, newer: number): boolean => age <= (rule.maxAgeSeconds ?? Infinity) && newer < (rule.maxVersions ?? Infinity);

describe('rules', () => {
  test('a retention survives the protocol', () =>
    fc.assert(fc.property(retention, (given) => {
      expect(retentionOf(ruleOf(given))).toEqual(given);
    })));

  test('shortens exactly where some cell is kept now and deleted then', () =>
    fc.assert(fc.property(retention, retention, (from, to) => {
      const ages = [from.maxAgeSeconds, to.maxAgeSeconds].flatMap((age) => (age === null ? [2e9] : [age, age + 1]));
      const newer = [from.maxVersions, to.maxVersions].flatMap((most) => (most === null ? [200] : [most - 1, most]));
      const loses = ages.some((age) => newer.some((count) => keeps(from, age, count) && !keeps(to, age, count)));
      expect(shortens(from, to)).toBe(loses);
      expect(shortens(from, from)).toBe(false);
      expect(sameRetention(from, { ...from })).toBe(true);
    })));

  test('of nested unions the tightest limit counts, an intersection is no limit of ours', () => {
    const nested = { union: { rules: [{ maxAge: { seconds: '86400' } }, { union: { rules: [{ maxNumVersions: 3 }, { maxAge: { seconds: 3600, nanos: 500_000_000 } }] } }] } };
    expect(retentionOf(nested)).toEqual({ maxAgeSeconds: 3600.5, maxVersions: 3 });
    const both = { intersection: { rules: [{ maxNumVersions: 1 }, { maxAge: { seconds: 1 } }] } };
    expect(retentionOf(both)).toBeUndefined();
    expect(retentionOf({ union: { rules: [{ maxNumVersions: 1 }, both] } })).toBeUndefined();
    expect(shortens(undefined, { maxAgeSeconds: null, maxVersions: 1 })).toBe(true);
  });

  test.each([
    [{ maxAgeSeconds: null, maxVersions: null }, 'deletes nothing'],
    [{ maxAgeSeconds: 86_400, maxVersions: null }, 'deletes cells older than 1 day'],
    [{ maxAgeSeconds: 90 * 86_400, maxVersions: 1 }, 'deletes cells older than 90 days, and all but the newest version'],
    [{ maxAgeSeconds: 7200, maxVersions: 2 }, 'deletes cells older than 2 hours, and all but the newest 2 versions'],
    [{ maxAgeSeconds: 90, maxVersions: null }, 'deletes cells older than 90 s'],
  ])('%o is told as "%s"', (given, text) => expect(describeRetention(given)).toBe(text));
});

describe('plans', () => {
  const plan = (current: Parameters<typeof planFamilies>[1], days = 90) => planFamilies('t', current, days);
  const actions = (current: Parameters<typeof planFamilies>[1], days?: number) => plan(current, days).families.map(({ family, action, shortens: shorter }) => `${family} ${action}${shorter ? ' shortens' : ''}`);
  const done = { q: ruleOf({ maxAgeSeconds: 90 * 86_400, maxVersions: 1 }), h: { maxNumVersions: 1 }, b: { maxNumVersions: 1 }, v: { maxNumVersions: 1 }, m: { maxNumVersions: 1 } };

  test('without a table everything is made', () => expect(actions(null)).toEqual(['q create', 'h create', 'b create', 'v create', 'm create']));
  test('what is right is kept, whatever else the table has', () => expect(actions({ ...done, other: null })).toEqual(['q keep', 'h keep', 'b keep', 'v keep', 'm keep']));
  test('a family that keeps all is shortened only knowingly', () => expect(actions({ ...done, h: null })).toContain('h change shortens'));
  test('longer retention is no loss', () => expect(actions(done, 91)[0]).toBe('q change'));
  test('shorter retention is', () => expect(actions(done, 89)[0]).toBe('q change shortens'));
  test('a missing family is made beside the others', () => expect(actions({ q: done.q })).toEqual(['q keep', 'h create', 'b create', 'v create', 'm create']));
});
