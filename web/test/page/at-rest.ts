import { isQuiet } from './fake-api.ts';

const realTimeout = globalThis.setTimeout;

/** Scripts that the page is loading. */
let loading = 0;

/** Vitest passes every `import()` of the page through this. */
const runner = (globalThis as unknown as { __vitest_browser_runner__: { wrapDynamicImport: WrapImport } })
  .__vitest_browser_runner__;
type WrapImport = (load: () => Promise<unknown>) => Promise<unknown>;

const wrap = runner.wrapDynamicImport;
runner.wrapDynamicImport = (load) => {
  loading++;
  return wrap(load).finally(() => loading--);
};

/**
 * Lets what is under way end: scripts arrive, answers of the API are read, the cache is told, and React draws. Calls
 * that no handler has answered, and timers, are not waited for.
 */
export async function atRest(): Promise<void> {
  for (let turns = 0; turns < 5; turns = isQuiet() && loading === 0 ? turns + 1 : 0) {
    await new Promise((next) => realTimeout(next, 0));
  }
}
