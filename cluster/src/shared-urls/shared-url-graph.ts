import type { Results } from '@kc/pack/shared-urls/results';
import { maxKeywordsOf, sharingOf } from '@kc/pack/shared-urls/sharing';
import type { Graph } from '../communities/graph.ts';

/**
 * Builds the graph of keywords that share URLs. The weight of an edge is how many URLs its ends have in common.
 *
 * @param minShared the minimum weight of an edge, from 1
 * @param maxKeywords URLs of more keywords than this are ignored
 */
export function sharedUrlGraph(
  results: Results,
  minShared: number,
  maxKeywords = maxKeywordsOf(results.offset.length - 1),
): Graph {
  const keywords = results.offset.length - 1;
  const sharing = sharingOf(results, maxKeywords);
  const offset = new Uint32Array(keywords + 1);
  const edges = new GrowingEdges();
  for (let row = 0; row < keywords; row++) {
    sharing(row, (other, shared) => {
      if (shared >= minShared) edges.add(other, shared);
    });
    offset[row + 1] = edges.count;
  }
  return { offset, ...edges.columns() };
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

  columns(): { readonly to: Uint32Array; readonly weight: Float32Array } {
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
