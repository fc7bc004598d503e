import { expect, test } from 'vitest';
import { checksOf } from './check.ts';

const namesFor = (...changed: string[]) => checksOf(changed).map(({ name }) => name);

test('a screen selects the types of the web and its own lint', () => {
  const checks = checksOf(['web/src/explore/panels/plan/plan-cell-editor.tsx']);
  expect(checks.map(({ name }) => name)).toEqual(['types of web', 'lint and format']);
  expect(checks.at(-1)!.command.at(-1)).toBe('web/src/explore/panels/plan/plan-cell-editor.tsx');
});

test('a rule selects the types of all that import it, and its test only those of the tests', () => {
  expect(namesFor('rules/src/access.ts')).toEqual(
    expect.arrayContaining(['types of rules', 'types of rules/tsconfig.test.json', 'types of server', 'types of web']),
  );
  expect(namesFor('rules/src/access.test.ts')).toEqual(['types of rules/tsconfig.test.json', 'lint and format']);
});

test('a file that is gone selects the types of what still imports it, and no lint', () => {
  expect(namesFor('server/src/no-such-file.ts')).toEqual(['types of server']);
});

test('a text selects no types, and what every check depends on selects all of them', () => {
  expect(namesFor('README.md')).toEqual(['lint and format']);
  expect(namesFor('package-lock.json')).toEqual(checksOf().map(({ name }) => name));
});
