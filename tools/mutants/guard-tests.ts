/**
 * Which tests can notice that a guard was removed. `mutate-guards.ts` runs them. Slow tests of the whole server are
 * chosen only where no smaller test can notice it.
 */
import { filesUnder } from '../source-files.ts';

/** All tests that a mutant can be tried on. */
export const allTests: readonly string[] = filesUnder(['rules/src', 'server/src', 'server/test'], /\.test\.ts$/);

/** Files with the guards of every route. Only the access matrix calls every route. */
const guardsEveryRoute =
  /accounts\/(require|events|deletion-routes|activity-export)|visualizations\/(access|files|export\/export-routes|upload\/receive-upload)|avatars\/start|server\/src\/app/;
const accessMatrix = ['server/test/system/access-matrix.test.ts', 'server/test/system/access-objects.test.ts'];
/** Tests of a file in addition to the one next to it, the fastest first. */
const testsByFile: readonly (readonly [files: RegExp, tests: readonly string[]])[] = [
  [/^rules\/src\/(reading-)?api/, ['server/test/support/routes.test.ts']],
  [/cross-site/, ['server/test/system/cross-site-matrix.test.ts']],
  [/deletion-routes|server\/src\/app|require/, ['server/test/system/odd-texts.test.ts']],
  [
    /accounts\/(sign-|limits|sessions|require|settings)/,
    ['server/src/accounts/identity.test.ts', 'server/src/accounts/settings.test.ts'],
  ],
  [
    /accounts\/(sign-up|bot-check|limits)/,
    ['server/src/accounts/sign-up.test.ts', 'server/src/accounts/bot-check.test.ts'],
  ],
  [/accounts\/(claim|built-in|tokens|sessions)/, ['server/src/accounts/identity.test.ts']],
  [/accounts\/(sign-|claim|reset|verify|own-account|delete)/, ['server/src/accounts/limits.test.ts']],
  [/accounts\/(sign-in|require|routes)/, ['server/src/accounts/known-devices.test.ts']],
  [
    /accounts\/(admin-actions|claim|reset|delete|sign-in)/,
    [
      'server/src/accounts/create-user.test.ts',
      'server/src/accounts/races.test.ts',
      'server/src/accounts/google/identity-races.test.ts',
    ],
  ],
  [
    /accounts\/(verify|reset|link-mails|tokens|own-account|sessions|limits|claim)/,
    ['server/src/accounts/links.test.ts'],
  ],
  [
    /accounts\/(step-up|deletion|delete|limits|queries|audit)/,
    ['server/src/accounts/step-up.test.ts', 'server/src/accounts/delete-account.test.ts'],
  ],
  [
    /accounts\/(admin-actions|events|queries|presence|routes|sessions|require)/,
    ['server/src/accounts/administration.test.ts'],
  ],
  [/accounts\/(activity|audit|require|settings)/, ['server/src/accounts/activity.test.ts']],
  [
    /accounts\/(admin-check|duplicates|queries)/,
    ['server/src/accounts/admin-check.test.ts', 'server/src/accounts/duplicates.test.ts'],
  ],
  [
    /visualizations\/(receive|upload)/,
    ['server/src/visualizations/upload/upload.test.ts', 'server/src/visualizations/upload/upload-faults.test.ts'],
  ],
  [
    /visualizations\/(access|files|routes|queries|slices|search)/,
    ['server/src/visualizations/query/explore.test.ts', 'server/src/visualizations/delete-visualization.test.ts'],
  ],
  [
    /visualizations\/(activate|run-ingest|ingest)/,
    ['server/src/visualizations/ingest/activate.test.ts', 'server/src/visualizations/upload/upload.test.ts'],
  ],
  [/avatars\//, ['server/src/avatars/avatars.test.ts']],
  [/http\//, ['server/src/accounts/identity.test.ts', 'server/src/accounts/links.test.ts']],
];

/**
 * The tests to run against a mutant of a file, in this order. A server file for which no test is named gets all tests
 * of its folder.
 */
export function testsOf(file: string): string[] {
  const nextToIt = file.replace(/\.ts$/, '.test.ts');
  const named = testsByFile.filter(([files]) => files.test(file)).flatMap(([, tests]) => tests);
  const folder = file.replace(/[^/]+$/, '');
  const inFolder =
    file.startsWith('server/') && named.length === 0 ? allTests.filter((test) => test.startsWith(folder)) : [];
  const ofRoutes = guardsEveryRoute.test(file) ? accessMatrix : [];
  return [...new Set([...(allTests.includes(nextToIt) ? [nextToIt] : []), ...named, ...inFolder, ...ofRoutes])];
}

/** Every test that is named here. */
export const namedTests: readonly string[] = [...accessMatrix, ...testsByFile.flatMap(([, tests]) => tests)];
