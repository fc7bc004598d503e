import { defineConfig } from 'vitest/config';

export default defineConfig({
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
          unstubGlobals: true,
          unstubEnvs: true,
          // A test that hangs must end; how quick the machine is is not what is tested.
          testTimeout: 120_000,
          include: [
            'rules/src/**/*.test.ts',
            'pack/{src,test}/**/*.test.ts',
            'cluster/{src,test}/**/*.test.ts',
            'web/src/**/*.test.{ts,tsx}',
            'tools/**/*.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['server/{src,test}/**/*.test.ts'],
          globalSetup: ['server/test/support/cluster.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.spec.ts'],
          exclude: ['e2e/replicas/**'],
          globalSetup: ['e2e/setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // As long as Playwright's waits: a page on a busy machine may need it.
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        extends: true,
        test: {
          name: 'replicas',
          include: ['e2e/replicas/*.spec.ts'],
          globalSetup: ['e2e/setup.ts'],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
    ],
  },
});
