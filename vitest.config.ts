import { join } from 'node:path';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type Plugin } from 'vitest/config';
import { browserArgs, findBrowser, installHint } from './e2e/browser.ts';
import { mutantVariable, mutation } from './tools/mutants/mutation.ts';
import { serverParts } from './web/test/page/server-parts.ts';

// Node compiles what the workers and the processes of tests import only once.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node-compile');

/**
 * What Node itself imports, as in production: Vite's form of modules, in which every use of an import is a call, takes up to
 * four times as long where loops are hot. Mutants, and modules that a test replaces, need Vite.
 */
const asInProduction = {
  deps: {
    external: process.env[mutantVariable] !== undefined ? [] : [/\/(rules|pack|cluster)\/(src|test)\/(?!.*\.test\.ts)/],
  },
};

const componentTests = 'web/src/**/*.ui.test.tsx';
const launchOptions: { executablePath?: string; args: string[] } = { args: browserArgs };

export default defineConfig({
  plugins: mutation(),
  test: {
    env: { TZ: 'UTC' },
    restoreMocks: true,
    globalSetup: ['tools/wasm-loops.ts'],
    // A file of the server or the browser keeps about one core busy, and PostgreSQL and the browser a part of another.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // Files of one worker share its imports: importing them again for each file takes longer than most tests. What a
          // test replaces it puts back.
          isolate: false,
          server: asInProduction,
          unstubGlobals: true,
          unstubEnvs: true,
          // A test that hangs must end; how quick the machine is is not what is tested.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 60_000 } },
          include: [
            'rules/src/**/*.test.ts',
            'pack/{src,test}/**/*.test.ts',
            'cluster/{src,test}/**/*.test.ts',
            'web/src/**/*.test.{ts,tsx}',
            'tools/**/*.test.ts',
          ],
          exclude: [componentTests],
        },
      },
      {
        // As the application is built.
        extends: './web/vite.config.ts',
        root: import.meta.dirname,
        publicDir: 'web/public',
        // What is found only while tests run, such as the packages of a worker, would make the page load again.
        optimizeDeps: {
          entries: ['web/src/**/*.worker.ts', componentTests, 'web/test/page/*'],
          // The reader of lists loads these only when a list needs them.
          include: ['chardet', 'csv-parse/browser/esm/sync', 'saxes'],
        },
        plugins: [browserFor(componentTests), serverParts(), ...mutation()],
        test: {
          name: 'component',
          restoreMocks: true,
          globalSetup: ['tools/wasm-loops.ts'],
          include: [componentTests],
          setupFiles: ['web/test/page/each-test.ts'],
          // One page for all files: loading the application again for each would take longer than their tests.
          isolate: false,
          fileParallelism: false,
          // Vitest runs projects together only if they have as many workers.
          sequence: { groupOrder: 1 },
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // As long as a wait may need on a busy machine.
          expect: { poll: { timeout: 60_000 } },
          browser: {
            enabled: true,
            headless: true,
            ui: false,
            screenshotFailures: false,
            viewport: { width: 1440, height: 900 },
            provider: playwright({
              launchOptions,
              actionTimeout: 60_000,
              contextOptions: { reducedMotion: 'reduce', timezoneId: 'UTC' },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          isolate: false,
          server: asInProduction,
          unstubGlobals: true,
          unstubEnvs: true,
          include: ['server/{src,test}/**/*.test.ts'],
          globalSetup: ['server/test/support/cluster.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 60_000 } },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          // Files of one worker share a server and a connection to the browser (see e2e/app.ts).
          isolate: false,
          include: ['e2e/**/*.spec.ts'],
          exclude: ['e2e/replicas/**'],
          globalSetup: ['e2e/setup.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // As long as Playwright's waits in e2e/visitor.ts.
          expect: { poll: { timeout: 60_000 } },
        },
      },
      {
        extends: true,
        test: {
          name: 'replicas',
          include: ['e2e/replicas/*.spec.ts'],
          globalSetup: ['e2e/setup.ts'],
          // More than what a test waits for may take together, of which each bounds a hang.
          testTimeout: 600_000,
          hookTimeout: 600_000,
          expect: { poll: { timeout: 60_000 } },
        },
      },
    ],
  },
});

/** Finds the browser when its project is wanted. Without one the tests are skipped, as those in `e2e` are. */
function browserFor(tests: string): Plugin {
  return {
    name: 'browser-of-component-tests',
    async config({ test }) {
      const browser = await findBrowser();
      if (browser !== undefined) {
        launchOptions.executablePath = browser;
        return;
      }
      if (process.env.CI) throw new Error(installHint);
      console.log(installHint);
      test!.include = test!.include!.filter((one) => one !== tests);
    },
    configureVitest({ vitest }) {
      if (!launchOptions.executablePath) vitest.config.passWithNoTests = true;
    },
  };
}
