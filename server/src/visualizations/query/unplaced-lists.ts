import { describeUnplaced, summarizeUnplaced, unplacedRows } from '@kc/pack/detail/not-in-hierarchy';
import type { TextFinder } from '@kc/pack/find/find-fallback';
import type { PackReader } from '@kc/pack/format/pack-reader';
import type { UnplacedPage } from '@kc/rules/keyword-shapes';
import { pauseFor } from './cancellation.ts';

export type UnplacedQuery = { readonly text: string; readonly skip: number; readonly limit: number };

type Found = { readonly text: string; readonly rows: Uint32Array };

/**
 * Lists the keywords that no node names. The rows found by the last text are cached per pack, 4 bytes each, so that the
 * next page reads no names.
 */
export function createUnplacedLists(find: TextFinder | undefined) {
  const last = new WeakMap<PackReader, Found>();

  async function rowsOf(pack: PackReader, text: string, signal: AbortSignal | undefined): Promise<Uint32Array> {
    const known = last.get(pack);
    if (known?.text === text) return known.rows;
    const rows = await unplacedRows(pack, text, { find, pause: pauseFor(signal) });
    last.set(pack, { text, rows });
    return rows;
  }

  return {
    /** How many contain the text in their names. */
    count: async (pack: PackReader, text: string, signal?: AbortSignal): Promise<number> =>
      (await rowsOf(pack, text, signal)).length,

    async page(pack: PackReader, { text, skip, limit }: UnplacedQuery, signal?: AbortSignal): Promise<UnplacedPage> {
      const rows = await rowsOf(pack, text, signal);
      return {
        all: await summarizeUnplaced(pack),
        total: rows.length,
        keywords: await describeUnplaced(pack, rows.slice(skip, skip + limit)),
      };
    },
  };
}

export type UnplacedLists = ReturnType<typeof createUnplacedLists>;
