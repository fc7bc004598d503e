import type { Graph } from '../communities/graph.ts';
import { membersOf } from '../communities/partition.ts';
import type { Results } from './results.ts';

/** URLs of more keywords than this say nothing about any of them: encyclopedias, shops, video sites. */
export const maxKeywordsOf = (keywords: number): number => Math.max(200, Math.floor(0.002 * keywords));

/**
 * Which keywords share URLs. An edge weighs how many URLs both ends have in common. Takes time linear in the number of
 * pairs of a keyword and a URL, times the keywords of such a URL: each keyword is compared only with those that share one.
 *
 * @param least shared URLs of an edge, from 1
 * @param maxKeywords a URL of more keywords does not count
 */
export function sharedUrlGraph(
  results: Results,
  least: number,
  maxKeywords = maxKeywordsOf(results.offset.length - 1),
): Graph {
  const keywords = results.offset.length - 1;
  const { offset: firstKeyword, keyword: keywordsOf } = invertedIndex(results);
  const shared = new Uint16Array(keywords);
  const met = new Uint32Array(keywords);
  const offset = new Uint32Array(keywords + 1);
  const edges = new GrowingEdges();
  for (let row = 0; row < keywords; row++) {
    let count = 0;
    for (let at = results.offset[row]!; at < results.offset[row + 1]!; at++) {
      const url = results.url[at]!;
      const end = firstKeyword[url + 1]!;
      if (end - firstKeyword[url]! > maxKeywords) continue;
      for (let place = firstKeyword[url]!; place < end; place++) {
        const other = keywordsOf[place]!;
        if (shared[other] === 0) met[count++] = other;
        shared[other]!++;
      }
    }
    for (let index = 0; index < count; index++) {
      const other = met[index]!;
      if (other !== row && shared[other]! >= least) edges.add(other, shared[other]!);
      shared[other] = 0;
    }
    offset[row + 1] = edges.count;
  }
  return { offset, ...edges.taken() };
}

/** The keywords of each URL, in order. */
function invertedIndex({ offset, url, urls }: Results): {
  readonly offset: Uint32Array;
  readonly keyword: Uint32Array;
} {
  const keywordAt = new Uint32Array(url.length);
  for (let row = 0; row + 1 < offset.length; row++) keywordAt.fill(row, offset[row], offset[row + 1]);
  const members = membersOf({ of: url, count: urls });
  return { offset: members.offset, keyword: members.node.map((at) => keywordAt[at]!) };
}

/** Two columns that grow together. */
class GrowingEdges {
  count = 0;
  private to = new Uint32Array(1 << 16);
  private weight = new Float32Array(1 << 16);

  add(to: number, weight: number): void {
    if (this.count === this.to.length) this.grow();
    this.to[this.count] = to;
    this.weight[this.count++] = weight;
  }

  taken(): { readonly to: Uint32Array; readonly weight: Float32Array } {
    return { to: this.to.slice(0, this.count), weight: this.weight.slice(0, this.count) };
  }

  private grow(): void {
    const to = new Uint32Array(2 * this.to.length);
    to.set(this.to);
    this.to = to;
    const weight = new Float32Array(2 * this.weight.length);
    weight.set(this.weight);
    this.weight = weight;
  }
}
