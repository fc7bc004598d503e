// Shows SEC-35.
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test, vi } from 'vitest';
import { sampled } from '../../test/support/sampled.ts';
import { hitKind } from './find-fallback.ts';
import { compilePattern, isProblem, maxProgram, type NamePattern } from './name-pattern.ts';
import { maxPatternLength } from './text-query.ts';

function compiled(pattern: string): NamePattern {
  const made = compilePattern(pattern);
  if (isProblem(made)) throw new Error(made.reason);
  return made;
}

// Shows P15.6.
test('an error points at its character', () => {
  const problems = ['a(b)c(d', 'a)b', 'x[abc', '[z-a]', '*a', 'a**b', 'ab{2,1}', 'ab\\', 'a\\y', 'a(?=b)', '(a)\\1'];
  expect(Object.fromEntries(problems.map((pattern) => [pattern, compilePattern(pattern)]))).toEqual({
    'a(b)c(d': { at: 5, reason: 'unclosed-group' },
    'a)b': { at: 1, reason: 'unopened-group' },
    'x[abc': { at: 1, reason: 'unclosed-class' },
    '[z-a]': { at: 3, reason: 'bad-class' },
    '*a': { at: 0, reason: 'nothing-to-repeat' },
    'a**b': { at: 2, reason: 'bad-repeat' },
    'ab{2,1}': { at: 6, reason: 'bad-repeat' },
    'ab\\': { at: 2, reason: 'bad-escape' },
    'a\\y': { at: 2, reason: 'bad-escape' },
    'a(?=b)': { at: 2, reason: 'unsupported' },
    '(a)\\1': { at: 4, reason: 'bad-escape' },
  });
});

test('patterns that would take too long are rejected', () => {
  expect(compilePattern('a'.repeat(201))).toEqual({ at: 200, reason: 'too-long' });
  expect(compilePattern('((a{10}){10}){10}x{1000}y{1000}')).toMatchObject({
    reason: expect.stringMatching(/too-large|bad-repeat/),
  });
});

test.each([
  ['a group of 170 letters a thousand times', `(?:${'abcdefghij'.repeat(17)}){1000}`],
  ['letters a thousand times, twenty-five times', 'a{1000}'.repeat(25)],
  ['repetitions in repetitions', `${'(?:(?:a{10}){10}){10}'.repeat(9)}`],
  ['a sign that is eighteen letters when it is folded', 'ﷺ{1000}'],
  ['a letter with all its vowel signs', `क${'ि'.repeat(150)}{1000}`],
  ['a group after a quoted bracket', `\\Q[\\E(${'x'.repeat(150)}){1000}]`],
  ['a group after a bracket in a class', `[[](${'x'.repeat(150)}){1000}[]]`],
  ['a group after an escaped bracket', `\\[(${'x'.repeat(150)}){1000}]`],
])('%s is refused before it is compiled', (_what, pattern) => {
  const compile = vi.spyOn(RE2JS, 'compile');
  expect(compilePattern(pattern)).toMatchObject({ reason: 'too-large' });
  expect(compile).not.toHaveBeenCalled();
});

test.each(['[a-z]{500}', '(a|b){300}', String.raw`\p{L}{1000}`, String.raw`\x{1000}`, 'a{1,3}b{2,}', '[{1000}]'])(
  '%s is not too large',
  (pattern) => {
    expect(compilePattern(pattern)).not.toMatchObject({ reason: 'too-large' });
  },
);

test('no program that is compiled has more than 4,000 instructions, whatever the pattern', () => {
  const compile = vi.spyOn(RE2JS, 'compile');
  const piece = fc.constantFrom(
    ...[
      'a',
      'ﬃ',
      'ﷺ',
      'कि',
      '(',
      '(?:',
      '(?P<n>',
      ')',
      '[',
      '[^',
      ']',
      '[[:alpha:]',
      '{20}',
      '{2,40}',
      '{7,}',
      '{1000}',
    ],
    ...[
      '|',
      '*',
      '+?',
      '.',
      String.raw`\pL`,
      String.raw`\p{Lu}`,
      String.raw`\x{100}`,
      String.raw`\Q`,
      String.raw`\E`,
      '\\',
    ],
  );
  const inner = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''));
  const whole = fc.array(
    fc.oneof(
      inner,
      fc.tuple(inner, inner).map(([one, other]) => `(?:${one}(${other}){30}){20}`),
    ),
  );
  fc.assert(
    fc.property(whole, (parts) => {
      compilePattern(parts.join('').slice(0, maxPatternLength));
    }),
    { numRuns: sampled(300), seed: 3 },
  );
  const sizes = compile.mock.results.flatMap(({ type, value }) => (type === 'return' ? [value.programSize()] : []));
  expect(sizes.length).toBeGreaterThan(sampled(50));
  // The program also begins and ends.
  expect(Math.max(...sizes)).toBeLessThanOrEqual(2 * maxProgram + 4);
});

test('a pattern that is exponential in a backtracking engine is fast', () => {
  // A backtracking engine would take 2 to the power of 5,000 steps.
  expect(compiled('^(a+)+$').matches(`${'a'.repeat(5000)}b`)).toBe(false);
  expect(compiled('(x+x+)+y').matches('x'.repeat(5000))).toBe(false);
});

test('a name is ranked by its first match', () => {
  const { kindOf } = compiled('run\\w*');
  expect(['running', 'running shoes', 'trail running', 'overrun', 'shoes'].map(kindOf)).toEqual([
    hitKind.whole,
    hitKind.beginning,
    hitKind.word,
    hitKind.part,
    hitKind.none,
  ]);
});

test('matches are reported by position, without empty ones', () => {
  expect(compiled('[0-9]+').spansIn('a12b3')).toEqual([
    [1, 3],
    [4, 5],
  ]);
  expect(compiled('x*').spansIn('ab')).toEqual([]);
});
