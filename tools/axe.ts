/**
 * `npm run axe`: checks the accessibility of every screen in every size, every theme and forced colours. `npm test`
 * checks a sample of these combinations.
 */
import { runStepInView } from './step.ts';

const { passed } = await runStepInView(
  {
    name: 'axe',
    command: [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project',
      'e2e',
      'e2e/accessibility.spec.ts',
      // Prints a screen's name when it has been checked.
      '--disable-console-intercept',
    ],
  },
  { ...process.env, AXE: 'all' },
);
process.exitCode = passed ? 0 : 1;
