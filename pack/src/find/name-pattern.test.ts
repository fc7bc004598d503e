import { expect, test } from 'vitest';
import { hitKind } from './find-fallback.ts';
import { compilePattern, isProblem, type NamePattern } from './name-pattern.ts';

function compiled(pattern: string): NamePattern {
  const made = compilePattern(pattern);
  if (isProblem(made)) throw new Error(made.reason);
  return made;
}

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
