/** `npm run axe`: every screen in every size, theme and in forced colours; `npm test` looks at fewer of them. */
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
      // So that a screen is named when it has been looked at.
      '--disable-console-intercept',
    ],
  },
  { ...process.env, AXE: 'all' },
);
process.exitCode = passed ? 0 : 1;
