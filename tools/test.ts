/**
 * `npm test`: types, lint and format, then every test. `npm run e2e` (`node tools/test.ts e2e`): the browser tests
 * alone. `npm run test:changed` (`node tools/test.ts changed main`): the checks, and the tests that import a file
 * changed since a commit; without a commit, an uncommitted one.
 *
 * At the end it lists the ten slowest files. The last line is `N passed, N failed`, with `, N skipped` if there are
 * any; a failed check counts as a failure. The exit status is 1 if anything failed.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChecks } from './check.ts';
import { root } from './source-files.ts';
import { runStepInView } from './step.ts';
import { type Counts, countTests, fileTimes, noTests, slowest, sum, summary } from './test-counts.ts';

type Project = 'unit' | 'server' | 'e2e';

const [mode, since] = process.argv.slice(2);
if (mode !== undefined && mode !== 'e2e' && mode !== 'changed') {
  console.error('Say e2e, or changed and a commit, or nothing');
  process.exit(1);
}
/** Vitest's arguments in addition to the project. */
const chosen = mode === 'changed' ? [since ? `--changed=${since}` : '--changed', '--passWithNoTests'] : [];
const shown = 10;
const times: ReturnType<typeof fileTimes> = [];
const reports = mkdtempSync(join(tmpdir(), 'kc-tests-'));
try {
  const counts = mode === 'e2e' ? [await runProject('e2e')] : await runEverything();
  const total = sum(counts);
  if (times.length > 0) console.log(`\nThe slowest files:\n${slowest(times, shown).join('\n')}`);
  console.log(`\n${summary(total)}`);
  const mayBeNone = mode === 'changed';
  process.exitCode = total.failed > 0 || (total.passed === 0 && !mayBeNone) ? 1 : 0;
} finally {
  rmSync(reports, { recursive: true, force: true });
}

async function runEverything(): Promise<Counts[]> {
  const checks = await runChecks();
  const failedChecks = { ...noTests, failed: checks.filter((check) => !check.passed).length };
  return [failedChecks, await runProject('unit'), await runProject('server'), await runProject('e2e')];
}

async function runProject(project: Project): Promise<Counts> {
  console.log(`\n${project} tests`);
  const report = join(reports, `${project}.json`);
  const { passed } = await runStepInView({
    name: `${project} tests`,
    command: [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project',
      project,
      ...chosen,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
  });
  const text = readReport(report);
  times.push(...fileTimes(text, root));
  return countTests(text, passed);
}

function readReport(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
