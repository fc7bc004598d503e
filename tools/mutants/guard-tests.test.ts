import { expect, test } from 'vitest';
import { allTests, namedTests, testsOf } from './guard-tests.ts';

test('every test that is named exists', () => {
  expect(namedTests.filter((file) => !allTests.includes(file))).toEqual([]);
});

test('a guard of every route is tried on the access matrix', () => {
  expect(testsOf('server/src/accounts/require.ts')).toContain('server/test/system/access-matrix.test.ts');
});

test('a file without a test of its own gets the tests of its folder', () => {
  expect(testsOf('server/src/backup/manifest.ts')).toEqual([
    'server/src/backup/backup-of-drafts.test.ts',
    'server/src/backup/backup.test.ts',
    'server/src/backup/scheduled-backups.test.ts',
  ]);
});
