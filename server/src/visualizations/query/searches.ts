import type { FilteredPack } from '@kc/pack/filter/filtered-pack';
import type { TextFinder } from '@kc/pack/find/find-fallback';
import type { Hits } from '@kc/pack/find/find-names';
import { type TextQuery, trimmed } from '@kc/pack/find/text-query';
import type { Pause } from '@kc/pack/format/in-pieces';
import { oncePerPack } from '@kc/pack/format/once-per-pack';
import type { PackReader } from '@kc/pack/format/pack-reader';
import { countHits, placeHits } from '@kc/pack/search/hit-places';
import { findHits, rankHits } from '@kc/pack/search/search';
import type { SearchAnswer } from '@kc/rules/shapes';
import { pauseFor } from './cancellation.ts';
import { describeHits } from './search-hits.ts';
import type { UnplacedLists } from './unplaced-lists.ts';

export type SearchQuery = TextQuery & {
  /** How many hits to describe after skipping the best `skip`. */
  readonly limit: number;
  readonly skip: number;
  /** Pack row of the branch whose hit places are wanted; absent if none are. */
  readonly under?: number | undefined;
};

type Searched = PackReader | FilteredPack;

/** A finished search. The next page or branch of it needs no second pass over the names. */
type Found = { readonly key: string; readonly hits: Hits };

/** Nodes of a branch whose hits are reported. About 60 KB. */
const mostPlaces = 4000;

/** Searches packs. The last result is cached per pack: 5 bytes per node. */
export function createSearches(find: TextFinder | undefined, unplaced: Pick<UnplacedLists, 'count'>) {
  const last = new WeakMap<Searched, Found>();

  async function foundBy(pack: Searched, query: TextQuery, signal: AbortSignal | undefined): Promise<Found> {
    const key = `${query.mode} ${trimmed(query)}`;
    const known = last.get(pack);
    if (known?.key === key) return known;
    const found: Found = { key, hits: await findHits(pack, query, { find, pause: pauseFor(signal) }) };
    last.set(pack, found);
    return found;
  }

  const countsOf = oncePerPack<Uint32Array, { readonly pack: Searched; readonly pause: Pause }, Hits>(
    (hits, { pack, pause }) => countHits(pack, hits, pause),
  );

  return {
    async search(pack: Searched, query: SearchQuery, signal?: AbortSignal): Promise<SearchAnswer> {
      const { limit, skip, under } = query;
      const found = await foundBy(pack, query, signal);
      const { total } = found.hits;
      const rows = await rankHits(pack, found.hits, Math.min(skip, total), limit, pauseFor(signal));
      const hits = await describeHits(pack, rows);
      const whole = 'kept' in pack ? pack.whole : pack;
      const notInHierarchy = query.text.trim() === '' ? 0 : await unplaced.count(whole, query, signal);
      if (under === undefined || under >= pack.metadata.nodes) return { total, hits, notInHierarchy };
      const counts = await countsOf(found.hits, { pack, pause: pauseFor(signal) });
      const pillars = [...new Set(hits.map(({ path, node }) => path[1]?.node ?? node))];
      return {
        total,
        hits,
        notInHierarchy,
        pillars: pillars.map((node) => ({ node, hits: counts[node]! })),
        places: await placeHits(pack, found.hits, counts, under, mostPlaces),
      };
    },
  };
}
