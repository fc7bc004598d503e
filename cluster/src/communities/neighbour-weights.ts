import type { Level, Partition } from './partition.ts';

/**
 * The weight between one node and each community beside it. It is filled and cleared node by node, so that a pass over all
 * nodes allocates nothing.
 */
export class NeighbourWeights {
  /** By community; zero for those that are not beside the node. */
  readonly weight: Float64Array;
  /** The communities beside the node: the first `count`. */
  readonly beside: Uint32Array;
  count = 0;

  constructor(communities: number) {
    this.weight = new Float64Array(communities);
    this.beside = new Uint32Array(communities);
  }

  /** @param within counts only neighbours of this community of `outer` */
  collect(level: Level, node: number, of: Partition, outer?: Partition, within?: number): void {
    this.clear();
    const { offset, to, weight } = level;
    for (let at = offset[node]!; at < offset[node + 1]!; at++) {
      const other = to[at]!;
      if (outer && outer[other] !== within) continue;
      const community = of[other]!;
      if (this.weight[community] === 0) this.beside[this.count++] = community;
      this.weight[community]! += weight[at]!;
    }
  }

  private clear(): void {
    for (let index = 0; index < this.count; index++) this.weight[this.beside[index]!] = 0;
    this.count = 0;
  }
}
