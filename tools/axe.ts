/** `npm run axe`: accessibility of every screen in every size, theme and in forced colours. `npm test` samples them. */
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
