/**
 * `npm test`: types, lint and format, then every test. `npm run e2e` (`node tools/test.ts e2e`): the browser tests
 * alone. `npm run test:changed` (`node tools/test.ts changed main`): the checks and the tests near the files changed since
 * a commit, without one since the last; see `checksOf` and `testsNear`.
 *
 * At the end it lists the time of each part, the ten slowest files and what failed. The last line is
 * `N passed, N failed`, with `, N skipped` if there are any; a failed check counts as a failure. The exit status is 1 if
 * anything failed.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChecks } from './check.ts';
import { testsNear } from './near-tests.ts';
import { root } from './source-files.ts';
import { runStep, runStepInView, type Step } from './step.ts';
import {
  type Counts,
  countTests,
  failedTests,
  fileTimes,
  noTests,
  type Report,
  slowest,
  sum,
  summary,
  type Time,
  timeLines,
} from './test-counts.ts';

type Project = 'unit' | 'component' | 'server' | 'e2e';
type RunStep = (step: Step) => Promise<{ readonly passed: boolean }>;

const [mode, since] = process.argv.slice(2);
if (mode !== undefined && mode !== 'e2e' && mode !== 'changed') {
  console.error('Say e2e, or changed and a commit, or nothing');
  process.exit(1);
}
const changed = mode === 'changed' ? changedSince(since ?? 'HEAD') : undefined;
/** Test files; all without it. */
const chosen = changed && testsNear(changed);
const shown = 10;
const parts: Time[] = [];
const files: Time[] = [];
const failures: string[] = [];
const reports = mkdtempSync(join(tmpdir(), 'kc-tests-'));
try {
  const counts = mode === 'e2e' ? [await runProject('e2e')] : await runEverything();
  const total = sum(counts);
  console.log(`\nThe time of each part:\n${timeLines(parts)}`);
  if (files.length > 0) console.log(`\nThe slowest files:\n${timeLines(slowest(files, shown))}`);
  if (failures.length > 0) console.log(`\nFailed:\n${list(failures)}`);
  console.log(`\n${summary(total)}`);
  const mayBeNone = mode === 'changed';
  process.exitCode = total.failed > 0 || (total.passed === 0 && !mayBeNone) ? 1 : 0;
} finally {
  rmSync(reports, { recursive: true, force: true });
}

/**
 * The tests in a browser run beside the others, and are printed when they end: the component tests have one page, and servers
 * and databases wait for each other, so either alone leaves a core idle.
 */
async function runEverything(): Promise<Counts[]> {
  const withoutBrowser = async () => [await runAllChecks(), await runProject('unit'), await runProject('server')];
  const inBrowser = async () => [await runProject('component', runStep), await runProject('e2e', runStep)];
  return (await Promise.all([withoutBrowser(), inBrowser()])).flat();
}

async function runAllChecks(): Promise<Counts> {
  const failed = (await timed('checks', () => runChecks(changed))).filter((check) => !check.passed);
  failures.push(...failed.map(({ step }) => step.name));
  return { ...noTests, failed: failed.length };
}

async function runProject(project: Project, run: RunStep = runStepInView): Promise<Counts> {
  if (chosen?.[project].length === 0) return noTests;
  if (run === runStepInView) console.log(`\n${project} tests`);
  const { report, passed } = await timed(project, () => runTests(project, run, chosen?.[project] ?? []));
  files.push(...fileTimes(report, root));
  const counts = countTests(report, passed);
  const names = failedTests(report, root);
  failures.push(...(counts.failed > 0 && names.length === 0 ? [`${project} tests, outside of any file`] : names));
  return counts;
}

/** Changed files, and new ones that git does not ignore. */
function changedSince(commit: string): string[] {
  const git = (...asked: string[]) => execFileSync('git', asked, { cwd: root, encoding: 'utf8' }).split('\n');
  return [
    ...git('diff', '--name-only', '--relative', commit),
    ...git('ls-files', '--others', '--exclude-standard'),
  ].filter(Boolean);
}

/** @param chosenFiles all without one */
async function runTests(project: Project, run: RunStep, chosenFiles: readonly string[]) {
  const file = join(reports, `${project}.json`);
  rmSync(file, { force: true });
  const { passed } = await run({
    name: `${project} tests`,
    command: [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project',
      project,
      ...chosenFiles,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ],
  });
  return { report: readReport(file), passed };
}

async function timed<T>(name: string, run: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await run();
  parts.push({ name, ms: performance.now() - begun });
  return result;
}

function readReport(file: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function list(names: readonly string[]): string {
  return names.map((name) => `  ${name}`).join('\n');
}
