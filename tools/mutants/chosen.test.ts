import { existsSync } from 'node:fs';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { evidenceIn, faultsOf } from '../named-tests.ts';
import { readText, root } from '../source-files.ts';
import { type ChosenMutant, changeOf, chosenMutants, mutantGroups, testsOf } from './chosen.ts';
import { changed } from './mutation.ts';

const all = mutantGroups.flatMap((group) => chosenMutants[group]);

/** What is wrong with a mutant: its text does not occur once, or what it leaves cannot be parsed. */
function faultIn(mutant: Pick<ChosenMutant, 'file' | 'from' | 'to'>, source = readText(mutant.file)): string[] {
  try {
    const { errors } = parseSync(mutant.file, changed(changeOf(mutant, source), source));
    return errors.map(({ message }) => `${mutant.file}: ${message}`);
  } catch (error) {
    return [(error as Error).message];
  }
}

test('every group has its mutants', () => {
  const counts = Object.values(chosenMutants).map((some) => some.length);
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(10);
  expect(all.length).toBeGreaterThanOrEqual(80);
});

test('the text of every mutant occurs once, and what it leaves is a source', () => {
  expect(all.flatMap((mutant) => faultIn(mutant))).toEqual([]);
});

test('no two mutants are the same', () => {
  const names = all.map(({ file, from, to }) => JSON.stringify([file, from, to]));
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test('every mutant is left to a short test or to a story', () => {
  const alone = all.filter((mutant) => testsOf(mutant).length === 0 && mutant.story === undefined);
  expect(alone.map(({ file }) => file)).toEqual([]);
});

test('the short tests and stories that mutants name exist, and the stories assert something', () => {
  expect(all.flatMap(({ tests = [] }) => tests).filter((file) => !existsSync(root + file))).toEqual([]);
  const stories = all.flatMap(({ story }) => (story === undefined ? [] : [story]));
  expect(stories.filter((story) => evidenceIn(story).length !== 1)).toEqual([]);
  expect(faultsOf(stories.flatMap(evidenceIn))).toEqual([]);
});

test('a text that has moved, or is there twice, and a mutant that is no source are detected', () => {
  const planted = { file: 'a/b.ts', from: 'one', to: 'two' };
  expect(faultIn(planted, 'const one = 1;')).toEqual([]);
  expect(faultIn(planted, 'const two = 1;')).toEqual(['a/b.ts has 0 times: one']);
  expect(faultIn(planted, 'one + one;')).toEqual(['a/b.ts has 2 times: one']);
  expect(faultIn({ ...planted, to: ')' }, 'const one = 1;')).toHaveLength(1);
});

test('a mutant is tried on its own tests, those that import it, and those of screens around it', () => {
  const tests = ['web/src/a/b.test.ts', 'web/src/a/c.test.ts', 'web/src/a/d.ui.test.tsx', 'web/src/e.ui.test.tsx'];
  const importsOf = (test: string) => (test === tests[1] ? ['web/src/a/b', 'web/src/g'] : ['web/src/a/b']);
  const of = (file: string, named: readonly string[] = []) =>
    testsOf({ file, from: '', to: '', breaks: '', tests: named }, tests, importsOf);
  expect(of('web/src/a/b.ts')).toEqual(tests);
  expect(of('web/src/a/b.ts', ['x.test.ts'])).toEqual(['x.test.ts', tests[0], ...tests.slice(2)]);
  expect(of('web/src/g.ts')).toEqual([tests[1], tests[3]]);
  expect(of('web/src/a/h.ts'), 'without any, those of its folder').toEqual(tests);
  expect(of('web/src/f/g.ts', ['x.test.ts'])).toEqual(['x.test.ts', tests[3]]);
});
