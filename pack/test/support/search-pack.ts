import type { SearchInput } from '../../src/find/find-names.ts';
import type { TextQuery } from '../../src/find/text-query.ts';
import { findHits, rankHits } from '../../src/search/search.ts';
import type { View } from '../../src/sums/filtered-pack.ts';

/** `total` nodes have a name that matches the query; `rows` are the best `limit` of them, best first. */
type SearchResult = { readonly total: number; readonly rows: readonly number[] };

/** A complete search: {@link findHits} and {@link rankHits}. */
export async function searchPack(
  pack: View,
  query: TextQuery,
  limit: number,
  parts?: SearchInput,
): Promise<SearchResult> {
  const hits = await findHits(pack, query, parts);
  return { total: hits.total, rows: await rankHits(pack, hits, 0, limit) };
}
