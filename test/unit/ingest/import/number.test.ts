import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COMMA, numberEvidence, type NumberStyle, POINT, readNumber } from '../../../../electron/ingest/import/number.ts';
import { decimal, parseDecimal } from '../../../../shared/decimal.ts';

const value = (text: string, style: NumberStyle): string => {
  const read = readNumber(text, style);
  return read.kind === 'number' ? read.value : read.kind;
};
const verdict = (...cells: string[]): string => {
  const evidence = numberEvidence();
  for (const cell of cells) evidence.see(cell);
  const found = evidence.verdict();
  return found.kind === 'style' ? found.style.decimal : found.kind;
};

/** A number written in a style, as people write it. */
function written(whole: string, fraction: string, style: NumberStyle, group: string): string {
  const grouped = group === '' ? whole : whole.replace(/\B(?=(\d{3})+$)/g, group);
  return fraction === '' ? grouped : `${grouped}${style.decimal}${fraction}`;
}

const whole = fc.bigInt({ min: 0n, max: 10n ** 15n }).map(String);
const fraction = fc.stringMatching(/^\d{0,9}$/);

test('what a style writes, the same style reads back exactly', () => {
  fc.assert(fc.property(whole, fraction, fc.boolean(), fc.constantFrom('own', 'none', "'", '’', '\u00A0', '\u202F'), fc.boolean(), (w, f, comma, grouping, negative) => {
    const style = comma ? COMMA : POINT;
    const group = grouping === 'own' ? (comma ? '.' : ',') : grouping === 'none' ? '' : grouping;
    const text = `${negative ? '-' : ''}${written(w, f, style, group)}`;
    expect(value(text, style)).toBe(decimal(`${negative ? '-' : ''}${w}.${f === '' ? '0' : f}`));
  }));
});

test('evidence never contradicts the style that a column was written in', () => {
  fc.assert(fc.property(fc.array(fc.tuple(whole, fraction), { minLength: 1, maxLength: 20 }), fc.boolean(), (numbers, comma) => {
    const style = comma ? COMMA : POINT;
    const cells = numbers.map(([w, f]) => written(w, f, style, comma ? '.' : ','));
    const found = verdict(...cells);
    // plain digits read alike in both
    if (cells.some((cell) => /[.,]/.test(cell))) expect([style.decimal, 'undecided']).toContain(found);
  }));
});

test('any text is a number, absent, NaN or bad; never a throw, never digits that are not there', () => {
  fc.assert(fc.property(fc.stringMatching(/^[-0-9.,+eEkKmM$% ']*$/), fc.boolean(), (text, comma) => {
    const read = readNumber(text, comma ? COMMA : POINT);
    if (read.kind === 'number') {
      expect(parseDecimal(read.value)).toBe(read.value);
      const digits = (all: string): string => all.replaceAll(/[^1-9]/g, '');
      expect(digits(read.value)).toBe(digits(text.replace(/e.*$/i, '')));
    }
  }));
});

test.each([
  ['594.69M', POINT, '594690000'], ['1.2M', POINT, '1200000'], ['1,2M', COMMA, '1200000'], ['3K', POINT, '3000'], ['1.5B', POINT, '1500000000'], ['2T', POINT, '2000000000000'],
  ['$20391.97', POINT, '20391.97'], ['-$5', POINT, '-5'], ['12,5 €', COMMA, '12.5'], ['2.81E+01', POINT, '28.1'], ['5E-3', POINT, '0.005'], ['18.424', COMMA, '18424'], ['18.424', POINT, '18.424'],
  ["18'526.49", POINT, '18526.49'], ['18 526,49', COMMA, '18526.49'], ['12,34,567.5', POINT, '1234567.5'], ['5111.0200000000000', POINT, '5111.02'], ['\u22125', POINT, '-5'], ['.5', POINT, '0.5'], ['-0.0', POINT, '0'],
  ['', POINT, 'absent'], ['N/A', POINT, 'absent'], ['--', POINT, 'absent'], ['null', POINT, 'absent'], ['NaN', POINT, 'nan'], ['-inf', POINT, 'nan'],
  ['1,2', POINT, 'bad'], ['18.4', COMMA, 'bad'], ['1.2.3', POINT, 'bad'], ['12 apples', POINT, 'bad'], ['0x10', POINT, 'bad'], ['1e999', POINT, 'bad'], ['%', POINT, 'bad'],
] as const)('%s in %o is %s', (text, style, want) => expect(value(text, style)).toBe(want));

describe('the evidence of a file', () => {
  test.each([
    [['18.424', '18.526,49'], ','], [['61.022.140', '18.424'], ','], [['18,424.5'], '.'], [['5461.839844'], '.'], [['18.424', '18.425'], 'undecided'], [['1,234'], 'undecided'],
    [['18.5', '18,5'], 'mixed'], [['100', '200'], '.'], [['N/A', '$1,234.50'], '.'], [['0.123'], '.'], [['1234.567'], '.'], [["18'424.55"], '.'],
  ] as const)('%o: %s', (cells, want) => expect(verdict(...cells)).toBe(want));
});
