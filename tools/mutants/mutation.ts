import { resolve } from 'node:path';
import type { Plugin } from 'vitest/config';
import { root } from '../source-files.ts';

/** The environment variable with the mutant that tests run against: file, `from` and `to`, as JSON. */
export const mutantVariable = 'MUTANT';

/**
 * Gives the tests of a run a mutant instead of the source on disk; nothing is written. Processes and threads that a test
 * starts by itself read the disk.
 */
export function mutation(asked = process.env[mutantVariable]): Plugin[] {
  if (asked === undefined) return [];
  const { file, from, to } = JSON.parse(asked) as { readonly file: string; readonly from: string; readonly to: string };
  const isMutated = (id: string) => id.split('?')[0] === resolve(root, file);
  return [
    {
      name: 'mutation',
      enforce: 'pre',
      transform(code, id) {
        if (!isMutated(id)) return undefined;
        if (!code.includes(from)) throw new Error(`${file} has no longer: ${from}`);
        return { code: code.replace(from, () => to), map: null };
      },
      // That cache is keyed by the content on disk, so a mutant would get what another one left.
      configureVitest: ({ defineCacheKeyGenerator }) =>
        defineCacheKeyGenerator(({ id }) => (isMutated(id) ? false : undefined)),
    },
  ];
}
