/** `npm run check`: types of every package, lint and format. Exit status 1 if one of them fails. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { withImporters } from './near-tests.ts';
import { root } from './source-files.ts';
import { runSteps, type Step, type StepResult } from './step.ts';

/**
 * The projects of TypeScript, and the files of each; it also reads what these import. `rules`, `pack` and `cluster` have two:
 * their sources without Node or DOM, and their tests with Node.
 */
const projects: Readonly<Record<string, RegExp>> = {
  web: /^web\/(src|test)\//,
  server: /^(server\/(src|test)|tools|e2e)\/|^vitest\.config\.ts$/,
  bench: /^bench\//,
  rules: /^rules\/src\/(?!.*\.test\.ts$)/,
  'rules/tsconfig.test.json': /^rules\/src\//,
  pack: /^pack\/src\/(?!.*\.test\.ts$)/,
  'pack/tsconfig.test.json': /^pack\/(src|test)\//,
  cluster: /^cluster\/src\/(?!.*\.test\.ts$)/,
  'cluster/tsconfig.test.json': /^cluster\/(src|test)\//,
};

/** What every check may depend on. */
const concernsAll = /(^|\/)(package(-lock)?|tsconfig[\w.]*|biome)\.json$|\.d\.ts$/;

/** Checks that run at the same time. */
const concurrency = 2;

export const runChecks = (changed?: readonly string[]): Promise<StepResult[]> =>
  runSteps(checksOf(changed), concurrency);

/**
 * The checks that may say something about changed files: the types of the projects that read them, lint and format of the
 * files themselves. All without files.
 *
 * @param changed paths in the repository, also of files that are gone
 */
export function checksOf(changed?: readonly string[]): Step[] {
  if (changed === undefined || changed.some((file) => concernsAll.test(file)))
    return [...Object.keys(projects).map(types), lint('.')];
  const read = withImporters(changed);
  const there = changed.filter((file) => existsSync(root + file));
  return [
    ...Object.keys(projects)
      .filter((project) => read.some((file) => projects[project]!.test(file)))
      .map(types),
    ...(there.length > 0 ? [lint('--no-errors-on-unmatched', ...there)] : []),
  ];
}

/** With one checker, because each of several works out by itself the types that they share: in all, a third more. */
const types = (project: string): Step => ({
  name: `types of ${project}`,
  command: ['node_modules/typescript/bin/tsc', '-p', project, '--checkers', '1'],
});

const lint = (...asked: string[]): Step => ({
  name: 'lint and format',
  command: ['node_modules/@biomejs/biome/bin/biome', 'check', ...asked],
});

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const results = await runChecks();
  process.exitCode = results.every((result) => result.passed) ? 0 : 1;
}
