import { type FileFigures, parseFormula } from '@kc/pack/formula/parse-formula';
import { expect, test } from 'vitest';
import { problemText, sayScore, unitsBefore } from './formula-field.tsx';

const file: FileFigures = {
  has: (figure) => figure === 'volume' || figure === 'difficulty',
  fields: [],
  standardName: () => undefined,
};

test.each([
  ['', 'Enter a formula.'],
  ['volume)', 'Character 7: “)” cannot be here.'],
  ['volume *', 'Character 9: the formula ends too early. A number or a name is missing.'],
  ['30%', 'Character 3: “%” has no meaning here. Write 0.3 for 30 %.'],
  ['volume * (1 - dificulty / 100)', 'Character 15: unknown field “dificulty”. Did you mean “difficulty”?'],
  ['banana', 'Character 1: unknown field “banana”.'],
  ['mex(1)', 'Character 1: unknown function “mex”. Did you mean “max”?'],
  ['cpc', 'Character 1: this file has no numbers in “cpc”.'],
  ['clamp(1, 2)', 'Character 1: “clamp” takes 3 values, not 2.'],
  ['abs()', 'Character 1: “abs” takes 1 value, not 0.'],
  ['round(1, 2, 3)', 'Character 1: “round” takes at most 2 values, not 3.'],
  ['min()', 'Character 1: “min” takes at least 1 value, not 0.'],
  ['knownShare(1)', 'Character 1: “knownShare” takes the name of a field, such as knownShare(difficulty).'],
  ['field(1)', 'Character 1: “field” takes a name in quotes, such as field("Visits").'],
  ['intentWeight(1, 2, 3, volume)', 'Character 1: “intentWeight” takes four numbers, without fields.'],
  ['2 * (1', 'Character 5: this bracket is not closed.'],
  ['field("x', 'Character 7: the quotes are not closed.'],
  ['1e99', 'Character 1: this number is too large. Numbers go up to 9,007,199,254,740,992.'],
  [' '.repeat(501), 'A formula has at most 500 characters.'],
  [Array.from({ length: 60 }, () => '1').join('+'), 'A formula has at most 100 numbers, names and operators.'],
  ['('.repeat(17), 'Character 17: brackets can be nested at most 16 deep.'],
])('%s is answered: %s', (text, expected) => {
  const parsed = parseFormula(text, file);
  if (parsed.ok) expect.fail();
  expect(problemText(parsed.problem)).toBe(expected);
});

test('an applied score is told with what uses it', () => {
  expect(sayScore('score/applied', { name: 'Volume × ease', uses: 'sort and size' })).toBe(
    'Volume × ease is set. Used for sort and size.',
  );
  expect(sayScore('score/applied', { name: 'Score', uses: '' })).toBe('Score is set. Nothing uses it yet.');
  expect(sayScore('score/removed')).toBe('The score is removed.');
});

test('a place counts characters, the browser units', () => {
  expect([unitsBefore('🙂 + x', 1), unitsBefore('🙂 + x', 2), unitsBefore('🙂 + x', 5)]).toEqual([0, 2, 5]);
});
