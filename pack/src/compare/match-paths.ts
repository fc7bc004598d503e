import { eachPiece, type Pause, pauseBetween } from '../format/in-pieces.ts';
import { noRow } from '../format/pack-format.ts';
import type { HashKey } from '../names/hash-key.ts';
import { createPathHash } from '../names/path-hash.ts';
import { SiblingOrdinals } from '../tree/sibling-ordinals.ts';
import { branchAt, type ComparedTree } from './compared-tree.ts';
import { PairTable } from './pair-table.ts';

/** The matched rows so far; `noRow` for a row without a match. */
export type Matches = {
  /** By row of `after`: its row in `before`. */
  readonly before: Uint32Array;
  /** By row of `before`: its row in `after`. */
  readonly after: Uint32Array;
};

export const match = ({ before, after }: Matches, row: number, rowBefore: number): void => {
  before[row] = rowBefore;
  after[rowBefore] = row;
};

/** Matches nodes by their path. */
export interface PathMatcher {
  /** Matches the roots, and all nodes with the same path below them. */
  matchAll(): Promise<void>;
  /** Matches the descendants of a pair that are not matched yet by their path below it. */
  matchBelow(row: number, rowBefore: number): Promise<void>;
}

/**
 * Node IDs are hashes of paths, so a table of those in `after` finds the node for any path. If the paths of two nodes
 * differ, the IDs that the descendants of the one would have below the other are computed from their names.
 *
 * Cost: a pass over both trees; a hash for each name below pairs with different paths.
 * Memory: 24 to 48 bytes per node of `after`, and 8 per node of `before` once a hash is computed.
 */
export function createPathMatcher(
  after: ComparedTree,
  before: ComparedTree,
  matches: Matches,
  key: HashKey,
  pause: Pause,
): PathMatcher {
  const table = new PairTable(after.nodes, key);
  const find = (low: number, high: number) => table.get(low, high);
  const isFree = (row: number, rowBefore: number) =>
    matches.before[row] === noRow && matches.after[rowBefore] === noRow;
  let addresses: PlacedAddresses | undefined;
  const rest = pauseBetween(pause);

  async function matchBelow(row: number, rowBefore: number): Promise<void> {
    addresses ??= createPlacedAddresses(before);
    const pairs = [row, rowBefore];
    while (pairs.length > 0) {
      const fromBefore = pairs.pop()!;
      const from = pairs.pop()!;
      const branch = branchAt(before, fromBefore);
      if (branch < 0 || branchAt(after, from) < 0) continue;
      const placed = addresses.place(branch, after.address[2 * from + 1]!, after.address[2 * from]!);
      const first = before.branches.firstChild[branch]!;
      const end = first + before.branches.childCount[branch]!;
      for (let child = first; child < end; child++) {
        const found = find(placed[2 * child]!, placed[2 * child + 1]!);
        if (found <= 0 || after.parent[found] !== from || !isFree(found, child)) continue;
        match(matches, found, child);
        pairs.push(found, child);
      }
      const waiting = rest(end - first);
      if (waiting) await waiting;
    }
  }

  return {
    matchBelow,
    async matchAll() {
      await eachPiece(after.nodes, pause, (from, end) => {
        for (let row = from; row < end; row++) table.take(after.address[2 * row]!, after.address[2 * row + 1]!, row);
      });
      match(matches, 0, 0);
      const [low, high] = before.address;
      if (after.address[0] !== low || after.address[1] !== high) return matchBelow(0, 0);
      await eachPiece(before.nodes, pause, (from, end) => {
        for (let row = Math.max(1, from); row < end; row++) {
          if (matches.after[before.parent[row]!] === noRow) continue;
          const found = find(before.address[2 * row]!, before.address[2 * row + 1]!);
          if (found >= 0 && isFree(found, row)) match(matches, found, row);
        }
      });
    },
  };
}

type PlacedAddresses = {
  /** Two words per node, low half first: the IDs of the children of a branch, if it were the branch with this ID. */
  place(branch: number, high: number, low: number): Uint32Array;
};

function createPlacedAddresses({ nodes, branches, names, fileOrder }: ComparedTree): PlacedAddresses {
  const placed = new Uint32Array(2 * nodes);
  const hash = createPathHash();
  const ordinals = new SiblingOrdinals();
  const write = (row: number, high: number, low: number, ordinal: number) => {
    const found = hash(high, low, ordinal, names.bytes, names.start[row]!, names.start[row + 1]!);
    placed[2 * row] = found[0]!;
    placed[2 * row + 1] = found[1]!;
  };
  return {
    place(branch, high, low) {
      const first = branches.firstChild[branch]!;
      const count = branches.childCount[branch]!;
      const inFile = Uint32Array.from({ length: count }, (_, at) => first + at);
      inFile.sort((one, other) => fileOrder[one]! - fileOrder[other]!);
      ordinals.clear();
      ordinals.expect(count, placed);
      const repeats: [row: number, ordinal: number][] = [];
      for (const row of inFile) {
        write(row, high, low, 0);
        const ordinal = ordinals.take(placed, row);
        if (ordinal > 0) repeats.push([row, ordinal]);
      }
      // Only now, because the ordinals are counted by the hash that first and repeated names share.
      for (const [row, ordinal] of repeats) write(row, high, low, ordinal);
      return placed;
    },
  };
}
