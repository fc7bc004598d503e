/**
 * `npm test`: types, lint and format, then every test; `npm run e2e` (`node tools/test.ts e2e`): the browser tests alone.
 *
 * Tests that passed on their second try only are named at the end. The last line is `N passed, N failed`, with
 * `, N skipped` where some were; a failed check counts as a failure. The exit status is 1 when anything failed.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChecks } from './check.ts';
import { root } from './source-files.ts';
import { runStepInView } from './step.ts';
import { type Counts, countTests, noTests, secondTries, sum, summary } from './test-counts.ts';

type Project = 'unit' | 'server' | 'e2e';

const onlyBrowser = process.argv[2] === 'e2e';
const retried: string[] = [];
const reports = mkdtempSync(join(tmpdir(), 'kc-tests-'));
try {
  const counts = onlyBrowser ? [await runProject('e2e')] : await runEverything();
  const total = sum(counts);
  if (retried.length > 0) {
    console.log(`\nPASSED ON SECOND TRY: ${retried.length}. Each is a defect to be mended:`);
    for (const line of retried) console.log(`  ${line}`);
  }
  console.log(`\n${summary(total)}`);
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
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
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
  });
  const text = readReport(report);
  retried.push(...secondTries(text, root));
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
