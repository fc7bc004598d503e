import { createPathHash, formatAddress } from '@kc/pack/names/path-hash';
import { limits } from '@kc/rules/limits';
import type { SearchHit } from '@kc/rules/shapes';
import type { Explorer } from '../../../explore/model/explorer.ts';
import type { Tick } from './ticks.ts';

const atATime = limits.maxSearchHits;

/** What the search of the explorer finds, the best first. @throws what `explain` describes */
export async function matchesOf({ source, store }: Explorer, count: number): Promise<readonly Tick[]> {
  const { query, match, filter } = store.getState();
  const hits: SearchHit[] = [];
  const { signal } = new AbortController();
  while (hits.length < count) {
    const limit = Math.min(atATime, count - hits.length);
    const page = await source.search({ text: query, mode: match, limit, skip: hits.length }, filter, signal);
    hits.push(...page.hits);
    if (page.hits.length < limit) break;
  }
  return ticksOf(hits);
}

/**
 * Hits as they can be ticked, without the root. A search does not return addresses, but the names on the path to a node
 * determine its address. The names of topics are unique among siblings, and a keyword comes after the topic that has its
 * name: that topic is a hit of the same search.
 *
 * Source: docs/pack-format.md "Addresses".
 */
export function ticksOf(hits: readonly SearchHit[]): readonly Tick[] {
  const keyOf = ({ path, name }: SearchHit) => JSON.stringify([path.at(-1)?.node, name]);
  const topics = new Set(hits.filter(({ type }) => type !== 'keyword').map(keyOf));
  return hits
    .filter(({ path }) => path.length > 0)
    .map((hit) => {
      const names = [...hit.path.map(({ name }) => name), hit.name];
      const ordinal = hit.type === 'keyword' && topics.has(keyOf(hit)) ? 1 : 0;
      return { address: addressOf(names, ordinal), type: hit.type, name: hit.name, keywords: hit.keywords };
    });
}

/** @param names from the root to the node; `ordinal` is that of the node among siblings of its name */
export function addressOf(names: readonly string[], ordinal = 0): string {
  const hash = createPathHash();
  let [low, high] = [0, 0];
  for (const [at, name] of names.entries()) {
    const bytes = encoder.encode(name);
    const out = hash(high, low, at === names.length - 1 ? ordinal : 0, bytes, 0, bytes.length);
    [low, high] = [out[0]!, out[1]!];
  }
  return formatAddress(high, low);
}

const encoder = new TextEncoder();
