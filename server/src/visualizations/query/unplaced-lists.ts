import { describeUnplaced, summarizeUnplaced, unplacedRows } from '@kc/pack/detail/not-in-hierarchy';
import type { TextFinder } from '@kc/pack/find/find-fallback';
import { type TextQuery, trimmed } from '@kc/pack/find/text-query';
import type { PackReader } from '@kc/pack/format/pack-reader';
import type { UnplacedPage } from '@kc/rules/keyword-shapes';
import { pauseFor } from './cancellation.ts';

export type UnplacedQuery = TextQuery & { readonly skip: number; readonly limit: number };

type Found = { readonly key: string; readonly rows: Uint32Array };

/**
 * Lists the keywords that no node names. The rows found by the last text are cached per pack, 4 bytes each, so that the
 * next page reads no names.
 */
export function createUnplacedLists(find: TextFinder | undefined) {
  const last = new WeakMap<PackReader, Found>();

  async function rowsOf(pack: PackReader, query: TextQuery, signal: AbortSignal | undefined): Promise<Uint32Array> {
    const known = last.get(pack);
    const key = `${query.mode} ${trimmed(query)}`;
    if (known?.key === key) return known.rows;
    const rows = await unplacedRows(pack, query, { find, pause: pauseFor(signal) });
    last.set(pack, { key, rows });
    return rows;
  }

  return {
    /** How many have a name that matches. */
    count: async (pack: PackReader, query: TextQuery, signal?: AbortSignal): Promise<number> =>
      (await rowsOf(pack, query, signal)).length,

    async page(pack: PackReader, query: UnplacedQuery, signal?: AbortSignal): Promise<UnplacedPage> {
      const rows = await rowsOf(pack, query, signal);
      const { skip, limit } = query;
      return {
        all: await summarizeUnplaced(pack),
        total: rows.length,
        keywords: await describeUnplaced(pack, rows.slice(skip, skip + limit)),
      };
    },
  };
}

export type UnplacedLists = ReturnType<typeof createUnplacedLists>;
