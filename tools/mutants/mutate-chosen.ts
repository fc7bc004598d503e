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
  const totals = groups.map((group) => {
    const wanted = chosenMutants[group].filter(({ file, breaks }) => isWanted(`${file}: ${breaks}`));
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

function verdictOn(mutant: ChosenMutant): Verdict {
  mutated(mutant, readText(mutant.file));
  const tests = testsOf(mutant);
  if (tests.length > 0 && fails(mutant, tests)) return 'killed';
  return mutant.story === undefined ? 'SURVIVED' : 'by a story';
}

/**
 * Whether one of the tests fails against a mutant.
 * @throws Error if none of them ran, which would prove nothing
 */
function fails({ file, from, to }: ChosenMutant, tests: readonly string[]): boolean {
  const report = join(tmpdir(), `mutant-${process.pid}.json`);
  const projects = shortProjects.flatMap((project) => ['--project', project]);
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...projects, '--bail', '1'];
  const { status, stderr } = spawnSync(
    process.execPath,
    [...vitest, '--reporter', 'json', '--outputFile', report, ...tests],
    { cwd: root, encoding: 'utf8', env: { ...process.env, [mutantVariable]: JSON.stringify({ file, from, to }) } },
  );
  try {
    const { numTotalTestSuites: ran } = JSON.parse(readFileSync(report, 'utf8')) as { numTotalTestSuites: number };
    if (ran === 0) throw new Error(`No test ran of ${tests.join(', ')}\n${stderr}`);
  } finally {
    rmSync(report, { force: true });
  }
  return status !== 0;
}
