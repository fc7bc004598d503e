/**
 * `npm run mutate`: whether a test fails when a guard is removed (SECURITY.md, SEC-03).
 *
 * Each mutant of `guard-mutants.ts` is given to the tests of its file in memory: no source is written. `npm run mutate
 * -- TEXT…` tries only mutants whose file and line contain one of the texts. The exit status is 1 if a mutant survives
 * that is not in `equivalentMutants`, or if an entry of that list matches none.
 */
import { stripTypeScriptTypes } from 'node:module';
import { resolve } from 'node:path';
import { createVitest, type Vitest } from 'vitest/node';
import { equivalentMutants } from './equivalent-mutants.ts';
import { applied, type Mutant, mutantsOf } from './guard-mutants.ts';
import { filesUnder, readText, root } from './source-files.ts';

/** Files that are rules as a whole. In all other files, only the guards are mutated. */
const thorough = new Set([
  'rules/src/access.ts',
  'rules/src/account.ts',
  'server/src/accounts/require.ts',
  'server/src/accounts/sessions.ts',
  'server/src/accounts/step-up.ts',
  'server/src/accounts/tokens.ts',
  'server/src/http/cross-site.ts',
  'server/src/http/rate-limits.ts',
  'server/src/visualizations/access.ts',
]);

/** Files whose guards run before everything else: only the matrix covers every route behind them. */
const isDoor =
  /accounts\/(require|events|deletion-routes|activity-export)|visualizations\/(access|files|receive-upload)|avatars\/route|server\/src\/app/;
const matrix = ['server/test/system/access-matrix.test.ts', 'server/test/system/access-objects.test.ts'];
/** Tests that know more about a file than the one beside it, the fastest to fail first. */
const testsBy: readonly (readonly [files: RegExp, tests: readonly string[]])[] = [
  [/^rules\/src\/api/, ['server/test/support/routes.test.ts']],
  [/^rules\/src\/(\w+)/, []],
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

function testsOf(file: string): string[] {
  const beside = file.replace(/\.ts$/, '.test.ts');
  const known = testsBy.filter(([files]) => files.test(file)).flatMap(([, tests]) => tests);
  const folder = file.replace(/[^/]+$/, '');
  const near =
    file.startsWith('server/') && known.length === 0 ? allTests.filter((test) => test.startsWith(folder)) : [];
  const doors = isDoor.test(file) ? matrix : [];
  return [...new Set([beside, ...doors, ...known, ...near])].filter((test) => allTests.includes(test));
}

const allTests = filesUnder(['rules/src', 'server/src'], /\.test\.ts$/);
const sources = ['rules/src/access.ts', 'rules/src/account.ts', 'rules/src/api.ts', 'rules/src/settings.ts'];
/** Files that respond to no request: those that start the server, tests, and code behind the guards. */
const elsewhere =
  /(\.test|\.conformance|\/testing-[\w-]+)\.ts$|^server\/src\/(storage|jobs|mail|commands|database)\/|ingest|^server\/src\/(account-machine|config|secret|unbuilt-parts)|\/sample\.ts$/;
const guarded = [...sources, ...filesUnder(['server/src'], /\.ts$/)].filter((file) => !elsewhere.test(file));

let current: Mutant | undefined;

/** Gives the tests the source of the mutant instead of the file on disk. */
const mutation = {
  name: 'mutation',
  enforce: 'pre' as const,
  transform: (code: string, id: string) =>
    current && id.split('?')[0] === resolve(root, current.file)
      ? { code: applied(current, code), map: null }
      : undefined,
};

async function openVitest(): Promise<Vitest> {
  const vitest = await createVitest(
    {
      root,
      config: false,
      watch: false,
      bail: 1,
      // Cached by the content on disk: otherwise a mutant would be taken for the source, and the source for every
      // mutant.
      fsModuleCache: false,
      reporters: [{}],
      include: ['rules/src/**/*.test.ts', 'server/src/**/*.test.ts'],
      globalSetup: ['server/test/support/cluster.ts'],
      testTimeout: 30_000,
      hookTimeout: 60_000,
      fileParallelism: false,
      env: { TZ: 'UTC' },
    },
    { plugins: [mutation] },
  );
  await vitest.standalone();
  return vitest;
}

/** Whether a test fails. @param tests run one after another until one fails */
async function fails(vitest: Vitest, tests: readonly string[]): Promise<boolean> {
  for (const test of tests) {
    const specifications = vitest.getModuleSpecifications(resolve(root, test));
    const found =
      specifications.length > 0 ? specifications : [vitest.getRootProject().createSpecification(resolve(root, test))];
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(found);
    if (unhandledErrors.length > 0 || testModules.some((module) => !module.ok())) return true;
  }
  return false;
}

const nameOf = ({ file, line, text, from, to }: Mutant): string =>
  `${file}:${line} ${text.slice(0, 90)}  [${from.trim().slice(0, 60)} → ${to.trim().slice(0, 30)}]`;

const wanted = process.argv.slice(2);
const mutants = guarded
  .flatMap((file) => mutantsOf(file, readText(file), thorough.has(file)))
  .filter((mutant) => wanted.length === 0 || wanted.some((text) => nameOf(mutant).includes(text)));
const excuses = equivalentMutants.map((excuse) => ({
  excuse,
  mutants: mutants.filter(
    ({ file, text, from, to }) =>
      file === excuse.file && text.includes(excuse.line) && `${from} → ${to}`.includes(excuse.change),
  ),
}));
const stale = wanted.length === 0 ? excuses.filter((excused) => excused.mutants.length !== 1) : [];
for (const { excuse, mutants: found } of stale)
  console.log(`names ${found.length} mutants, not one: ${excuse.file} ${excuse.line}`);
const excused = new Set(excuses.flatMap((one) => one.mutants));
const tried = mutants.filter((mutant) => !excused.has(mutant));

const vitest = await openVitest();
const survivors: Mutant[] = [];
const began = performance.now();
for (const [index, mutant] of tried.entries()) {
  // Every test would fail on a file that does not compile, which would prove nothing.
  stripTypeScriptTypes(applied(mutant, readText(mutant.file)));
  current = mutant;
  vitest.invalidateFile(resolve(root, mutant.file));
  const killed = await fails(vitest, testsOf(mutant.file));
  vitest.invalidateFile(resolve(root, mutant.file));
  if (!killed) survivors.push(mutant);
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`${index + 1}/${tried.length} ${seconds} s ${killed ? 'killed  ' : 'SURVIVED'} ${nameOf(mutant)}`);
}
current = undefined;
await vitest.close();
console.log(`\n${tried.length - survivors.length} of ${tried.length} killed, ${excused.size} excused`);
for (const survivor of survivors) console.log(`survived: ${nameOf(survivor)}`);
process.exitCode = survivors.length > 0 || stale.length > 0 ? 1 : 0;
