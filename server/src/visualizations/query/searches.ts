import { describeUnplaced, summarizeUnplaced, unplacedRows } from '@kc/pack/detail/not-in-hierarchy';
import type { TextFinder } from '@kc/pack/find/find-fallback';
import type { Hits } from '@kc/pack/find/find-names';
import { type TextQuery, trimmed } from '@kc/pack/find/text-query';
import { noPause, type Pause } from '@kc/pack/format/in-pieces';
import { namesOf } from '@kc/pack/format/names-at';
import { oncePerPack } from '@kc/pack/format/once-per-pack';
import type { PackReader } from '@kc/pack/format/pack-reader';
import { valuesOf } from '@kc/pack/levels/row-values';
import { countHits, findHits, placeHits, rankHits } from '@kc/pack/search/search';
import type { View } from '@kc/pack/sums/filtered-pack';
import type { UnplacedPage } from '@kc/rules/keyword-shapes';
import type { SearchAnswer, SearchHit } from '@kc/rules/shapes';
import { pauseFor } from './cancellation.ts';

export type SearchQuery = TextQuery & {
  /** How many hits to describe after skipping the best `skip`. */
  readonly limit: number;
  readonly skip: number;
  /** Pack row of the branch whose hit places are wanted; absent if none are. */
  readonly under?: number | undefined;
};

type Searching = { readonly query: TextQuery; readonly pause: Pause };

/** Nodes of a branch whose hits are reported. About 60 KB. */
const maxPlaces = 4000;

/** Searches packs. Results are cached with the pack, 5 bytes per node, so that the next page or branch of it reads no names. */
export function createSearches(find: TextFinder | undefined, unplaced: Pick<UnplacedLists, 'count'>) {
  const foundBy = oncePerPack<Hits, Searching, View>(
    (pack, { query, pause }) => findHits(pack, query, { find, pause }),
    // With the counts of the branches, which stay as long.
    { nameOf: ({ query }) => `${query.mode} ${trimmed(query)}`, sizeOf: ({ kinds }) => 5 * kinds.length },
  );

  const countsOf = oncePerPack<Uint32Array, { readonly pack: View; readonly pause: Pause }, Hits>(
    (hits, { pack, pause }) => countHits(pack, hits, pause),
  );

  return {
    async search(pack: View, query: SearchQuery, signal?: AbortSignal): Promise<SearchAnswer> {
      const { limit, skip, under } = query;
      const found = await foundBy(pack, { query, pause: pauseFor(signal) });
      const { total } = found;
      const rows = await rankHits(pack, found, Math.min(skip, total), limit, pauseFor(signal));
      const hits = await describeHits(pack, rows);
      const { whole } = pack;
      const notInHierarchy = query.text.trim() === '' ? 0 : await unplaced.count(whole, query, signal);
      if (under === undefined || under >= pack.metadata.nodes) return { total, hits, notInHierarchy };
      const counts = await countsOf(found, { pack, pause: pauseFor(signal) });
      const pillars = [...new Set(hits.map(({ path, node }) => path[1]?.node ?? node))];
      return {
        total,
        hits,
        notInHierarchy,
        pillars: pillars.map((node) => ({ node, hits: counts[node]! })),
        places: await placeHits(pack, found, counts, under, maxPlaces),
      };
    },
  };
}

/** The rows that a search found, in the order of `rows`, with what the list of hits shows. */
async function describeHits(pack: PackReader, rows: readonly number[]): Promise<SearchHit[]> {
  const parent = await pack.column('parent');
  const [keywords, volume] = [
    await valuesOf(pack, 'keywords', Uint32Array.from(rows), noPause),
    await valuesOf(pack, 'volume', Uint32Array.from(rows), noPause),
  ];
  const paths = rows.map((row) => ancestorsOf(parent, row));
  const nameOf = await namesOf(pack, [...rows, ...paths.flat()]);
  const types = await pack.gather('type', Uint32Array.from(rows));
  return rows.map((node, index) => ({
    node,
    name: nameOf(node),
    type: pack.metadata.types[types[index]!] ?? '',
    keywords: keywords[index]!,
    ...(Number.isNaN(volume[index]) ? {} : { volume: volume[index]! }),
    path: paths[index]!.map((ancestor) => ({ node: ancestor, name: nameOf(ancestor) })),
  }));
}

/** From the root to the parent. */
function ancestorsOf(parent: Uint32Array, row: number): number[] {
  const path: number[] = [];
  for (let at = row; at > 0; ) {
    at = parent[at]!;
    path.push(at);
  }
  return path.reverse();
}

export type UnplacedQuery = TextQuery & { readonly skip: number; readonly limit: number };

/**
 * Lists the keywords that no node names. The rows that match a text are cached with the pack, 4 bytes each, so that the next page
 * reads no names.
 */
export function createUnplacedLists(find: TextFinder | undefined) {
  const rowsOf = oncePerPack<Uint32Array, Searching>(
    (pack, { query, pause }) => unplacedRows(pack, query, { find, pause }),
    { nameOf: ({ query }) => `${query.mode} ${trimmed(query)}`, sizeOf: ({ byteLength }) => byteLength },
  );

  return {
    /** How many have a name that matches. */
    count: async (pack: PackReader, query: TextQuery, signal?: AbortSignal): Promise<number> =>
      (await rowsOf(pack, { query, pause: pauseFor(signal) })).length,

    async page(pack: PackReader, query: UnplacedQuery, signal?: AbortSignal): Promise<UnplacedPage> {
      const rows = await rowsOf(pack, { query, pause: pauseFor(signal) });
      const { skip, limit } = query;
      return {
        all: await summarizeUnplaced(pack),
        total: rows.length,
        keywords: await describeUnplaced(pack, rows.slice(skip, skip + limit)),
      };
    },
  };
}

type UnplacedLists = ReturnType<typeof createUnplacedLists>;
