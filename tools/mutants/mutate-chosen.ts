import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readText, root } from '../source-files.ts';
import { type ChosenMutant, chosenMutants, type MutantGroup, mutated, testsOf } from './chosen.ts';
import { mutantVariable } from './mutation.ts';

/** The projects without browser stories. */
const shortProjects = ['unit', 'server', 'component'];

/**
 * Whether a test noticed the fault, the story that does although no short test did, or nothing.
 */
type Verdict = 'killed' | 'by a story' | 'SURVIVED';

/**
 * Tries the chosen mutants of some groups, one test run for each.
 *
 * @param isWanted says of a mutant's file and sentence whether it is tried
 * @returns whether each is killed, or left to a story
 */
export function mutateChosen(groups: readonly MutantGroup[], isWanted: (text: string) => boolean): boolean {
  const began = performance.now();
  const asked = groups.map((group) => ({
    group,
    wanted: chosenMutants[group].filter(({ file, breaks }) => isWanted(`${file}: ${breaks}`)),
  }));
  passWithoutMutant([...new Set(asked.flatMap(({ wanted }) => wanted.flatMap((mutant) => testsOf(mutant))))]);
  const totals = asked.map(({ group, wanted }) => {
    const verdicts = wanted.map((mutant, at): Verdict => {
      const verdict = verdictOn(mutant);
      const seconds = Math.round((performance.now() - began) / 1000);
      console.log(
        `${group} ${at + 1}/${wanted.length} ${seconds} s ${verdict.padEnd(10)} ${mutant.file}: ${mutant.breaks}`,
      );
      return verdict;
    });
    return { group, verdicts };
  });
  console.log('');
  for (const { group, verdicts } of totals) {
    const count = (verdict: Verdict) => verdicts.filter((one) => one === verdict).length;
    console.log(
      `${group}: ${count('killed')} of ${verdicts.length} killed by short tests, ${count('by a story')} left to stories, ${count('SURVIVED')} survived`,
    );
  }
  return totals.every(({ verdicts }) => !verdicts.includes('SURVIVED'));
}

/**
 * Runs the tests as the sources are.
 * @throws Error if one fails: it would fail against every mutant, too
 */
function passWithoutMutant(tests: readonly string[]): void {
  if (tests.length === 0) return;
  const { failed, output } = runTests(tests);
  if (failed) throw new Error(`Tests fail without a mutant:\n${output}`);
}

function verdictOn(mutant: ChosenMutant): Verdict {
  const { file, from, to } = mutant;
  mutated(mutant, readText(file));
  const tests = testsOf(mutant);
  if (tests.length > 0 && runTests(tests, JSON.stringify({ file, from, to })).failed) return 'killed';
  return mutant.story === undefined ? 'SURVIVED' : 'by a story';
}

/** @throws Error if none of the tests ran, which would prove nothing */
function runTests(tests: readonly string[], mutant?: string): { readonly failed: boolean; readonly output: string } {
  const report = join(tmpdir(), `mutant-${process.pid}.json`);
  const projects = shortProjects.flatMap((project) => ['--project', project]);
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...projects, '--bail', '1'];
  const reporters = ['--reporter', 'default', '--reporter', 'json', '--outputFile.json', report];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...vitest, ...reporters, ...tests], {
    cwd: root,
    encoding: 'utf8',
    env: mutant === undefined ? process.env : { ...process.env, [mutantVariable]: mutant },
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  const output = stdout + stderr;
  try {
    const { numTotalTestSuites: ran } = JSON.parse(readFileSync(report, 'utf8')) as { numTotalTestSuites: number };
    if (ran === 0) throw new Error(`No test ran of ${tests.join(', ')}\n${output}`);
  } finally {
    rmSync(report, { force: true });
  }
  return { failed: status !== 0, output };
}
