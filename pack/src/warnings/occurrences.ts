import { eachPiece, type Pause } from '../format/in-pieces.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { clustersOf } from '../levels/topics.ts';
import type { FilteredPack } from '../sums/filtered-pack.ts';

/** Finds the first node in the file with the same keyword as a node, which may be the node itself. */
type FirstOccurrences = { of(row: number): number };

/** Computed once and cached by the open pack, not by filter: 4 bytes per node if a keyword is repeated. */
export const firstOccurrences = oncePerPack(findFirsts);

async function findFirsts(pack: PackReader, pause: Pause): Promise<FirstOccurrences> {
  const before = await pack.column('previous');
  if (!before) return { of: (row) => row };
  const first = before.slice(0, pack.metadata.nodes);
  await eachPiece(first.length, pause, (from, end) => {
    for (let row = from; row < end; row++) {
      let at = row;
      while (first[at] !== noRow && first[at] !== at) at = first[at]!;
      // Path compression: every node on the way now refers to the first one, so that no step is taken twice.
      for (let visited = row; visited !== at; ) {
        const next = first[visited]!;
        first[visited] = at;
        visited = next;
      }
      first[at] = at;
    }
  });
  return { of: (row) => first[row]! };
}

/** A number of distinct keywords and the sum of their known volumes; NaN if none is known. */
type KeywordTotal = { readonly keywords: number; readonly volume: number };

/**
 * Totals of sets of keywords, one set after the other. `add` adds a keyword to the set; `take` returns the total and begins a new set. A
 * keyword that occurs several times in a set counts once, with the volume of the occurrence that is first in the file, as in roll-ups.
 *
 * Cost: proportional to the added rows. Memory: 4 bytes per node.
 */
export type DistinctKeywords = { add(row: number): void; take(): KeywordTotal };

export async function distinctKeywords(pack: PackReader, pause: Pause): Promise<DistinctKeywords> {
  const [firsts, volumes, place] = [
    await firstOccurrences(pack, pause),
    await pack.column('own_volume'),
    await pack.column('node_start'),
  ];
  /** By first occurrence in the file: the earliest occurrence in the set. */
  const earliest = new Uint32Array(pack.metadata.nodes).fill(noRow);
  let added: number[] = [];
  return {
    add(row) {
      const first = firsts.of(row);
      const found = earliest[first]!;
      if (found === noRow) added.push(first);
      if (found === noRow || place[row]! < place[found]!) earliest[first] = row;
    },
    take() {
      let volume = 0;
      let known = 0;
      for (const first of added) {
        const value = volumes ? volumes[earliest[first]!]! : Number.NaN;
        earliest[first] = noRow;
        if (Number.isNaN(value)) continue;
        volume += value;
        known++;
      }
      const keywords = added.length;
      added = [];
      return { keywords, volume: known > 0 ? volume : Number.NaN };
    },
  };
}

/** The kept keywords of each cluster: those of cluster `n` are `rows[starts[n]]` to before `rows[starts[n + 1]]`. */
type ClusterMembers = {
  /** The rows of the clusters, ascending. The root is among them if keywords are directly below it. */
  readonly clusters: Uint32Array;
  readonly starts: Uint32Array;
  /** In pack order within a cluster. A keyword that occurs twice in a cluster has two rows. */
  readonly rows: Uint32Array;
};

/** Groups the kept keywords by cluster, see `clustersOf`. Cost: two passes over the nodes. */
export async function clusterMembers(pack: FilteredPack, pause: Pause): Promise<ClusterMembers> {
  const { nodes } = pack.whole.metadata;
  const { of } = await clustersOf(pack.whole, pause);
  /** By row of a cluster: first the number of its members, then the index for the next of them. */
  const next = new Uint32Array(nodes);
  const isMember = (row: number) => pack.counts(row) && of(row) !== noRow;
  await eachPiece(nodes, pause, (from, end) => {
    for (let row = Math.max(1, from); row < end; row++) if (isMember(row)) next[of(row)]! += 1;
  });
  const clusters: number[] = [];
  const starts = [0];
  await eachPiece(nodes, pause, (from, end) => {
    for (let row = from; row < end; row++) {
      const members = next[row]!;
      if (members === 0) continue;
      clusters.push(row);
      next[row] = starts.at(-1)!;
      starts.push(starts.at(-1)! + members);
    }
  });
  const rows = new Uint32Array(starts.at(-1)!);
  await eachPiece(nodes, pause, (from, end) => {
    for (let row = Math.max(1, from); row < end; row++) if (isMember(row)) rows[next[of(row)]!++] = row;
  });
  return { clusters: Uint32Array.from(clusters), starts: Uint32Array.from(starts), rows };
}
