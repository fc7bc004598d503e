/** `npm run check`: types of every package, lint and format. Exit status 1 if one of them fails. */
import { fileURLToPath } from 'node:url';
import { runSteps, type Step, type StepResult } from './step.ts';

/** With one checker, because each of several works out by itself the types that they share: in all, a third more. */
const types = (project: string): Step => ({
  name: `types of ${project}`,
  command: ['node_modules/typescript/bin/tsc', '-p', project, '--checkers', '1'],
});

/**
 * `rules`, `pack` and `cluster` have two projects: their sources without Node or DOM, and their tests with Node. `server` includes
 * tools and e2e.
 */
const checks: readonly Step[] = [
  types('web'),
  types('server'),
  types('bench'),
  types('rules'),
  types('rules/tsconfig.test.json'),
  types('pack'),
  types('pack/tsconfig.test.json'),
  types('cluster'),
  types('cluster/tsconfig.test.json'),
  { name: 'lint and format', command: ['node_modules/@biomejs/biome/bin/biome', 'check', '.'] },
];

/** Checks that run at the same time. */
const concurrency = 2;

export const runChecks = (): Promise<StepResult[]> => runSteps(checks, concurrency);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const results = await runChecks();
  process.exitCode = results.every((result) => result.passed) ? 0 : 1;
}
