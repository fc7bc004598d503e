import { resolve } from 'node:path';
import type { Plugin } from 'vitest/config';
import { readText, root } from '../source-files.ts';

/** A source with one change: `from`, at character `at`, becomes `to`. */
export type Change = { readonly file: string; readonly at: number; readonly from: string; readonly to: string };

/** The environment variable with the change that tests run against now, as JSON; empty for the sources as they are. */
export const mutantVariable = 'MUTANT';

/** @throws Error if the source is not what it was */
export function changed({ file, at, from, to }: Change, source: string): string {
  if (source.slice(at, at + from.length) !== from) throw new Error(`${file} is not what it was at ${at}`);
  return source.slice(0, at) + to + source.slice(at + from.length);
}

/**
 * Gives tests the changed source instead of the one on disk; nothing is written. Processes and threads that a test starts by
 * itself read the disk.
 */
export function mutation(): Plugin[] {
  const changeOf = (id: string): Change | undefined => {
    const asked = process.env[mutantVariable];
    const change = asked ? (JSON.parse(asked) as Change) : undefined;
    return change && id.split('?')[0] === resolve(root, change.file) ? change : undefined;
  };
  if (process.env[mutantVariable] === undefined) return [];
  return [
    {
      name: 'mutation',
      enforce: 'pre',
      transform(_code, id) {
        const change = changeOf(id);
        return change && { code: changed(change, readText(change.file)), map: null };
      },
      // That cache is keyed by the content on disk, so a mutant would get what another one left.
      configureVitest: ({ defineCacheKeyGenerator }) =>
        defineCacheKeyGenerator(({ id }) => (changeOf(id) ? false : undefined)),
    },
  ];
}
