import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyFormula } from '../../test/support/formula-oracle.ts';
import { sampled } from '../../test/support/sampled.ts';
import { formulaFigures } from './expression.ts';
import type { FormulaProblem } from './formula-problem.ts';
import { writeFormula, writeReadable } from './formula-text.ts';
import { type FileFigures, parseFormula } from './parse-formula.ts';

const canonical = (text: string): string => {
  const parsed = parseFormula(text);
  return parsed.ok ? writeFormula(parsed.expression) : `${parsed.problem.kind} at ${parsed.problem.at}`;
};
const problemOf = (text: string, file?: FileFigures): FormulaProblem => {
  const parsed = parseFormula(text, file);
  return parsed.ok ? expect.fail(writeFormula(parsed.expression)) : parsed.problem;
};

test.each([
  ['volume * (1 - difficulty / 100)', 'volume*(1-difficulty/100)'],
  ['VOLUME×(1−Difficulty÷100)', 'volume*(1-difficulty/100)'],
  ['((volume))', 'volume'],
  ['1 + 2 * 3 ^ 2', '1+2*3^2'],
  ['(1 + 2) * 3', '(1+2)*3'],
  ['1 - (2 - 3)', '1-(2-3)'],
  ['(1 - 2) - 3', '1-2-3'],
  ['-2 ^ 2', '-2^2'],
  ['(-2) ^ 2', '(-2)^2'],
  ['2 ^ -cpc', '2^-cpc'],
  ['2 ^ 3 ^ 2', '2^3^2'],
  ['(2 ^ 3) ^ 2', '(2^3)^2'],
  ['not volume < 3 and cpc > 1 or 0', '!volume<3&&cpc>1||0'],
  ['(volume ≥ 3) == 1', '(volume>=3)=1'],
  ['if(isKnown(position), 1, .5)', 'if(isKnown(position),1,0.5)'],
  ['1000000 * 1e-3', '1e6*1e-3'],
  ['field("Say ""hi""") + 1', 'field("Say ""hi""")+1'],
  ['field(“Visits”)', 'field("Visits")'],
  ['knownShare(field("Visits"))', 'knownShare(field("Visits"))'],
  ['intentWeight(0.5, 0.1, 1, 1 + 0.5)', 'intentWeight(0.5,0.1,1,1+0.5)'],
])('%s is %s in a link', (typed, expected) => {
  expect(canonical(typed)).toBe(expected);
  expect(canonical(expected)).toBe(expected);
});

test('a formula for people has blanks and words, and means the same', () => {
  const parsed = parseFormula('!volume<3&&max(cpc,1)^2>1-difficulty');
  if (!parsed.ok) expect.fail();
  expect(writeReadable(parsed.expression)).toBe('not volume < 3 and max(cpc, 1)^2 > 1 - difficulty');
  expect(canonical(writeReadable(parsed.expression))).toBe(writeFormula(parsed.expression));
});

// Shows P15.20.
test.each<[string, FormulaProblem]>([
  [
    'volume * (1 - dificulty / 100)',
    { kind: 'unknown-name', at: 15, length: 9, text: 'dificulty', suggestion: 'difficulty' },
  ],
  ['1 + banana', { kind: 'unknown-name', at: 5, length: 6, text: 'banana' }],
  ['mex(1, 2)', { kind: 'unknown-function', at: 1, length: 3, text: 'mex', suggestion: 'max' }],
  ['volume * 30 %', { kind: 'percent', at: 13, length: 1 }],
  ['🙂', { kind: 'unexpected', at: 1, length: 1, text: '🙂' }],
  ['volume × 🙂', { kind: 'unexpected', at: 10, length: 1, text: '🙂' }],
  ['1 < 2 < 3', { kind: 'unexpected', at: 7, length: 1, text: '<' }],
  ['--1', { kind: 'unexpected', at: 2, length: 1, text: '-' }],
  ['volume cpc', { kind: 'unexpected', at: 8, length: 3, text: 'cpc' }],
  ['volume)', { kind: 'unexpected', at: 7, length: 1, text: ')' }],
  ['volume; cpc', { kind: 'unexpected', at: 7, length: 1, text: ';' }],
  ['volume *', { kind: 'incomplete', at: 9, length: 0 }],
  ['2 * (1 + 3', { kind: 'missing-bracket', at: 5, length: 1 }],
  ['clamp(volume, 1)', { kind: 'arguments', at: 1, length: 5, text: 'clamp', least: 3, most: 3, given: 2 }],
  ['abs()', { kind: 'arguments', at: 1, length: 3, text: 'abs', least: 1, most: 1, given: 0 }],
  ['field(Visits)', { kind: 'not-a-text', at: 1, length: 5, text: 'field' }],
  ['field("Visits', { kind: 'unclosed-text', at: 7, length: 7 }],
  ['knownShare(1)', { kind: 'not-a-figure', at: 1, length: 10, text: 'knownShare' }],
  ['intentWeight(1, 1, 1, volume)', { kind: 'not-a-number', at: 1, length: 12, text: 'intentWeight' }],
  ['1e300', { kind: 'number-too-large', at: 1, length: 5 }],
  ['  ', { kind: 'empty', at: 3, length: 0 }],
])('%s is refused at its character', (text, problem) => {
  expect(problemOf(text)).toEqual(problem);
});

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'prototype', 'this', 'globalThis'])(
  'the name %s of JavaScript is no figure and no function',
  (name) => {
    expect(problemOf(name).kind).toBe('unknown-name');
    expect(problemOf(`${name}(1)`).kind).toBe('unknown-function');
    expect(problemOf(`volume.${name}`)).toMatchObject({ kind: 'unexpected', at: 7 });
    expect(problemOf(`volume["${name}"]`)).toMatchObject({ kind: 'unexpected', at: 7 });
  },
);

test('a formula has at most 500 characters, 100 parts and 16 levels of brackets', () => {
  const sum = (parts: number) => Array.from({ length: parts }, () => '1').join('+');
  // Fifty numbers and the signs between them are 99 parts.
  expect(canonical(sum(50))).toBe(sum(50));
  expect(problemOf(`${sum(50)}+1`)).toEqual({ kind: 'too-many-parts', at: 100, length: 1, most: 100 });
  const nested = (depth: number) => `${'('.repeat(depth)}1${')'.repeat(depth)}`;
  expect(canonical(nested(16))).toBe('1');
  expect(problemOf(nested(17))).toEqual({ kind: 'too-deep', at: 17, length: 1, most: 16 });
  expect(problemOf(nested(240))).toMatchObject({ kind: 'too-deep', at: 17 });
  expect(canonical(`1${' '.repeat(499)}`)).toBe('1');
  expect(problemOf(`1${' '.repeat(501)}`)).toEqual({ kind: 'too-long', at: 501, length: 2, most: 500 });
  // Reading the characters of a long text may take quadratic time, so its length comes first.
  expect(problemOf('%'.repeat(60_000))).toMatchObject({ kind: 'too-long', at: 501 });
  expect(problemOf('2^'.repeat(240)).kind).toBe('too-many-parts');
});

test('a figure that the file lacks is refused, with the closest field', () => {
  const file: FileFigures = {
    has: (figure) => figure === 'volume' || figure === 'field:Visits',
    fields: ['Visits'],
    standardName: (name) => ({ sv: 'volume', kd: 'difficulty' })[name],
  };
  expect(problemOf('volume * cpc', file)).toEqual({ kind: 'missing-figure', at: 10, length: 3, text: 'cpc' });
  expect(problemOf('field("Vists")', file)).toEqual({
    kind: 'missing-figure',
    at: 7,
    length: 7,
    text: 'Vists',
    suggestion: 'field("Visits")',
  });
  expect(problemOf('visits', file)).toMatchObject({ kind: 'unknown-name', suggestion: 'field("Visits")' });
  expect(problemOf('dificulty', file)).not.toHaveProperty('suggestion');
  expect(problemOf('sv', file)).toMatchObject({ kind: 'unknown-name', suggestion: 'volume' });
  expect(problemOf('kd', file)).not.toHaveProperty('suggestion');
  expect(parseFormula('volume + field("Visits")', file).ok).toBe(true);
});

test('any text is a formula or is refused inside the text, and a formula is read again from its text', () => {
  const pieces = fc.constantFrom(
    ...formulaFigures,
    'max(',
    'if(',
    'not ',
    '(',
    ')',
    ',',
    '-',
    '<',
    '=',
    '!',
    '"',
    'x',
    '%',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.array(pieces).map((all) => all.join('')),
      ),
      (text) => {
        const parsed = parseFormula(text);
        if (parsed.ok) {
          expect(canonical(writeFormula(parsed.expression))).toBe(writeFormula(parsed.expression));
          return;
        }
        const { at, length } = parsed.problem;
        expect(at).toBeGreaterThanOrEqual(1);
        expect(at + length).toBeLessThanOrEqual(Array.from(text).length + 1);
      },
    ),
    { numRuns: sampled(2000), seed: 3 },
  );
});

test('spelling does not change the text in a link', () => {
  fc.assert(
    fc.property(anyFormula(formulaFigures, ['Visits']), ({ text }) => {
      const parsed = parseFormula(text);
      if (!parsed.ok) return;
      const written = writeFormula(parsed.expression);
      expect(parseFormula(written)).toEqual(parsed);
      expect(parseFormula(writeReadable(parsed.expression))).toEqual(parsed);
      expect(written).not.toMatch(/[ ×÷≤≥]/);
    }),
    { numRuns: sampled(1000), seed: 4 },
  );
});
