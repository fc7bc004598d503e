import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyFormula, type PlainNodeFigures } from '../../test/support/formula-oracle.ts';
import { sampled } from '../../test/support/sampled.ts';
import { evaluatorOf, type FormulaColumns } from './evaluate-formula.ts';
import { formulaFigures } from './expression.ts';
import { parseFormula } from './parse-formula.ts';

const [unknown, volume, difficulty] = [Number.NaN, 200, 40];
const columns: FormulaColumns = {
  figure: (figure) => ({
    kind: 'same',
    number: figure === 'volume' ? volume : figure === 'difficulty' ? difficulty : unknown,
  }),
  knownShare: () => ({ kind: 'same', number: 0.25 }),
  intentWeight: ([i, n, c, t]) => ({ kind: 'same', number: i + 10 * n + 100 * c + 1000 * t }),
};

function computed(text: string): number {
  const parsed = parseFormula(text);
  if (!parsed.ok) expect.fail(`${text}: ${parsed.problem.kind} at ${parsed.problem.at}`);
  const value = new Float64Array(1);
  evaluatorOf(parsed.expression, columns)(0, 1, value);
  return value[0]!;
}

// Worked out by hand, with volume 200, difficulty 40, and everything else unknown.
test.each<[string, number]>([
  ['volume * (1 - difficulty / 100)', 120],
  ['1 + 2 * 3 ^ 2', 19],
  ['2 ^ 3 ^ 2', 512],
  ['-2 ^ 2', -4],
  ['10 - 4 - 3', 3],
  ['100 / 10 / 2', 5],
  ['2 * -3', -6],
  ['not 1 < 2', 0],
  ['not 0 and 0', 0],
  ['1 or 1 and 0', 1],
  ['volume > 100 and difficulty <= 40', 1],
  ['1 + (2 > 1)', 2],
  ['round(2.5)', 3],
  ['round(-2.5)', -3],
  ['round(1234.567, 1)', 1234.6],
  ['round(1234.567, -2)', 1200],
  ['log(1000)', 3],
  ['ln(1)', 0],
  ['clamp(volume, 0, 50)', 50],
  ['ctrAt(1)', 0.28],
  ['ctrAt(0.2)', 0.28],
  ['ctrAt(1.5)', 0.215],
  ['ctrAt(20)', 0.01],
  ['ctrAt(20.5)', 0.005],
  ['ctrAt(21)', 0],
  ['ctrAt(1000)', 0],
  ['knownShare(volume)', 0.25],
  ['intentWeight(1, 2, 3, 4)', 4321],
  ['cpc + 1', unknown],
  ['cpc = cpc', unknown],
  ['cpc ^ 0', unknown],
  ['not cpc', unknown],
  ['cpc and 0', 0],
  ['0 and cpc', 0],
  ['cpc and 1', unknown],
  ['cpc or 1', 1],
  ['1 or cpc', 1],
  ['cpc or 0', unknown],
  ['if(volume > 100, 1, cpc)', 1],
  ['if(volume > 1000, 1, cpc)', unknown],
  ['if(cpc > 1, 1, 2)', unknown],
  ['max(volume, cpc)', unknown],
  ['ifUnknown(cpc, 3)', 3],
  ['ifUnknown(volume, 3)', 200],
  ['isKnown(cpc) + 10 * isKnown(volume)', 10],
  ['1 / 0', unknown],
  ['0 / 0', unknown],
  ['log(0)', unknown],
  ['ln(-1)', unknown],
  ['sqrt(-1)', unknown],
  ['2 ^ 53', 2 ** 53],
  ['2 ^ 53 + 2', unknown],
  ['10 ^ 300', unknown],
  ['(-8) ^ (1 / 3)', unknown],
])('%s is %d', (text, expected) => {
  const found = computed(text);
  if (Number.isNaN(expected)) expect(found).toBeNaN();
  else expect(found).toBeCloseTo(expected, 12);
});

test('any formula has the value of a naive interpreter, for known and unknown figures, over several blocks', () => {
  const names = [...formulaFigures, 'field:Visits'];
  const cell = fc.option(
    fc.integer({ min: -4, max: 20 }).map((n) => n / 4),
    { nil: undefined, freq: 4 },
  );
  let known = 0;
  fc.assert(
    fc.property(
      anyFormula(formulaFigures, ['Visits']),
      fc.array(fc.array(cell, { minLength: names.length, maxLength: names.length }), { minLength: 1, maxLength: 5 }),
      ({ text, value }, rows) => {
        const parsed = parseFormula(text);
        // The generator now and then exceeds a limit.
        if (!parsed.ok) return;
        const count = 2500;
        const numbersOf = (name: string) =>
          Float64Array.from({ length: count }, (_, at) => rows[at % rows.length]![names.indexOf(name)] ?? Number.NaN);
        const found = new Float64Array(count);
        evaluatorOf(parsed.expression, {
          figure: (figure) => ({ kind: 'numbers', numbers: numbersOf(figure) }),
          knownShare: (figure) => ({
            kind: 'numbers',
            numbers: numbersOf(figure).map((n) => (Number.isNaN(n) ? 0 : 1)),
          }),
          intentWeight: ([one]) => ({ kind: 'same', number: one }),
        })(0, count, found);
        for (const at of [...rows.keys(), 1023, 1024, 2499]) {
          const figure = (name: string) => rows[at % rows.length]![names.indexOf(name)];
          const of: PlainNodeFigures = {
            figure,
            knownShare: (name) => (figure(name) === undefined ? 0 : 1),
            intentWeight: ([one]) => one,
          };
          const expected = value(of) ?? Number.NaN;
          if (!Number.isNaN(expected)) known++;
          expect(isNear(found[at]!, expected), `${text}: ${found[at]} instead of ${expected}`).toBe(true);
        }
      },
    ),
    { numRuns: sampled(1500), seed: 5 },
  );
  expect(known).toBeGreaterThan(sampled(1500));
});

/** Equal except for the last digits. */
const isNear = (one: number, other: number): boolean =>
  Object.is(one, other) || Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one), Math.abs(other));

test('a part of the nodes has the same values as all of them', () => {
  const parsed = parseFormula('volume ^ 2 - 1');
  if (!parsed.ok) expect.fail();
  const evaluate = evaluatorOf(parsed.expression, {
    ...columns,
    figure: () => ({ kind: 'numbers', numbers: Float64Array.from({ length: 5000 }, (_, at) => at) }),
  });
  const some = new Float64Array(1500);
  evaluate(2000, 3500, some);
  expect([some[0], some[1024], some[1499]]).toEqual([2000 ** 2 - 1, 3024 ** 2 - 1, 3499 ** 2 - 1]);
});
