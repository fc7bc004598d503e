import { eachPiece, noPause, type Pause } from '../format/in-pieces.ts';
import { checkNode } from '../format/locate.ts';
import { countsOf } from '../levels/level-rows.ts';
import { branchesOf, keepRepeats, loadRepeatColumns } from '../sums/branches.ts';
import type { View } from '../sums/filtered-pack.ts';

/** The number of ranks of a status. Rank 0 means no status; a higher rank is further towards a live page. */
export const statusRanks = 5;

/** A node with a status of its own: a rank from 1 on. */
type NodeStatus = { readonly row: number; readonly rank: number };

/** Same shape as `Coverage` of the rules. */
export type StatusCoverage = {
  keywords: number;
  volumeKnown: number;
  /** By rank: the number of distinct keywords whose furthest status has this rank, and the sum of their known volumes. */
  ofStatus: { keywords: number; volume: number }[];
};

export interface StatusRollUp {
  readonly bytes: number;
  /** By row: the rank of a node's own status, otherwise that of its nearest ancestor with one, otherwise 0. */
  readonly effective: Uint8Array;
  /** The figures of a branch, or of a row without children. @throws RangeError if the row is not a node */
  coverageOf(row: number): Promise<StatusCoverage>;
  /** {@link coverageOf} for several rows. */
  coverageAt(rows: Uint32Array): Promise<StatusCoverage[]>;
}

/**
 * Rolls statuses up the tree: how much of each branch has which status.
 *
 * A keyword counts once in each branch, with the furthest status of its occurrences there, and with the figures of its first
 * occurrence that has that status.
 *
 * Under a filter, only what it keeps counts; a status comes from any ancestor.
 *
 * Cost: one pass over the nodes, one over the repeats and one over the branches for each rank; 1 byte per node and 80 per
 * branch.
 */
export async function rollUpStatus(
  pack: View,
  statuses: readonly NodeStatus[],
  pause: Pause = noPause,
): Promise<StatusRollUp> {
  const { nodes } = pack.metadata;
  const [parent, ownVolume] = await Promise.all([pack.column('parent'), pack.column('own_volume')]);
  const { starts, count, inner } = await branchesOf(pack, pause);
  const effective = new Uint8Array(nodes);
  for (const { row, rank } of statuses) effective[row] = rank;
  const isBranch = (row: number) => starts[row] !== starts[row + 1];
  const counts = await countsOf(pack);
  const volumeAt = (row: number) => (ownVolume ? ownVolume[row]! || 0 : 0);
  /** By rank from 1 on, and by branch: the totals of the keywords with that rank or a higher one. */
  const keywords = Array.from({ length: statusRanks }, () => new Float64Array(count));
  const volume = Array.from({ length: statusRanks }, () => new Float64Array(count));
  const add = (rank: number, branch: number, row: number, sign: 1 | -1): void => {
    keywords[rank]![branch]! += sign;
    volume[rank]![branch]! += sign * volumeAt(row);
  };
  await eachPiece(nodes, pause, (from, end) => {
    for (let row = from; row < end; row++) {
      // Parents come first.
      if (effective[row] === 0 && row > 0) effective[row] = effective[parent[row]!]!;
      if (count === 0 || !counts(row)) continue;
      const branch = starts[isBranch(row) ? row : parent[row]!]!;
      for (let rank = 1; rank <= effective[row]!; rank++) add(rank, branch, row, 1);
    }
  });
  const repeats = await loadRepeatColumns(pack, pause);
  for (let rank = 1; rank < statusRanks; rank++) {
    const kept = await keepRepeats(repeats, (row) => effective[row]! >= rank && counts(row), pause);
    for (let at = 0; at < kept.rows.length; at++) add(rank, kept.branch[at]!, kept.rows[at]!, -1);
    await eachPiece(count, pause, (from, end) => {
      for (let branch = count - 1 - from; branch >= count - end; branch--) {
        for (let child = inner[branch]!; child < inner[branch + 1]!; child++) {
          keywords[rank]![branch]! += keywords[rank]![child]!;
          volume[rank]![branch]! += volume[rank]![child]!;
        }
      }
    });
  }
  async function coverageAt(rows: Uint32Array): Promise<StatusCoverage[]> {
    const outside = rows.find((row) => !Number.isInteger(row) || row >= nodes);
    if (outside !== undefined) throw new RangeError(`Node ${outside}`);
    const at = Uint32Array.from(rows.filter(isBranch), (row) => starts[row]!);
    const [all, sum, known] = [
      await pack.gather('keywords', at),
      await pack.gather('volume', at),
      await pack.gather('volume_known', at),
    ];
    let next = 0;
    return Array.from(rows, (row) => {
      if (!isBranch(row)) return single(counts(row), ownVolume?.[row], effective[row]!);
      const [branch, place] = [starts[row]!, next++];
      const from = (rank: number) =>
        rank === 0
          ? { keywords: all[place]!, volume: sum[place]! || 0 }
          : { keywords: keywords[rank]?.[branch] ?? 0, volume: volume[rank]?.[branch] ?? 0 };
      const ofStatus = Array.from({ length: statusRanks }, (_, rank) => ({
        keywords: from(rank).keywords - from(rank + 1).keywords,
        // If a keyword has different volumes at its occurrences, the sum for a higher rank may be the greater one.
        volume: Math.max(0, from(rank).volume - from(rank + 1).volume),
      }));
      return { keywords: all[place]!, volumeKnown: known[place]!, ofStatus };
    });
  }
  return {
    bytes: nodes + 16 * statusRanks * count,
    effective,
    async coverageOf(row) {
      checkNode(pack, row);
      return (await coverageAt(Uint32Array.of(row)))[0]!;
    },
    coverageAt,
  };
}

function single(isKeyword: boolean, volume: number | undefined, rank: number): StatusCoverage {
  const isKnown = isKeyword && volume !== undefined && !Number.isNaN(volume);
  const ofStatus = Array.from({ length: statusRanks }, (_, at) => ({
    keywords: Number(isKeyword && at === rank),
    volume: isKnown && at === rank ? volume : 0,
  }));
  return { keywords: Number(isKeyword), volumeKnown: Number(isKnown), ofStatus };
}
