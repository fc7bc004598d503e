import type { Tree } from '../tree/tree.ts';
import type { Lengths } from './pack-numbers.ts';
import type { Fill } from './pack-values.ts';

/** Where the entries that were merged into a keyword's first one stand in the file, by the pack's rows. */
export type MergedRanges = {
  /** Numbers of each row: two a merged entry. */
  readonly lengths: Lengths;
  /** The merged entries in the order of the rows. */
  readonly entries: Uint32Array;
  /** Writes where each of some entries begins and ends. */
  readonly read: Fill;
};

/**
 * A keyword that stands in several nodes has its entries at the first of them in the file alone: otherwise as many nodes
 * with one name as entries with that name would make a pack of their product.
 *
 * Memory: 5 bytes a row where entries were merged, nothing otherwise.
 */
export function createMergedRanges(tree: Tree): MergedRanges {
  const { byteStart, byteEnd } = tree.tables.keywords;
  const { start, later } = tree.repeats ?? { start: new Uint32Array(1), later: new Uint32Array(0) };
  const owned = tree.repeats ? ownedEntries(tree) : new Int32Array(0);
  const entries = new Uint32Array(later.length);
  let next = 0;
  for (const first of owned) {
    if (first < 0) continue;
    entries.set(later.subarray(start[first]!, start[first + 1]!), next);
    next += start[first + 1]! - start[first]!;
  }
  return {
    entries,
    lengths(target, from) {
      for (let at = 0; at < target.length; at++) {
        const first = owned[from + at]!;
        target[at] = first < 0 ? 0 : 2 * (start[first + 1]! - start[first]!);
      }
    },
    read(target, some) {
      for (let at = 0; at < some.length; at++) {
        target[2 * at] = byteStart[some[at]!]!;
        target[2 * at + 1] = byteEnd[some[at]!]!;
      }
    },
  };
}

/** By row, the first entry of its keyword where the row is the keyword's first; -1 for any other. */
function ownedEntries({ order, rowOf, unplaced, keyword, entry }: Tree): Int32Array {
  const owned = new Int32Array(order.length + unplaced.length).fill(-1);
  const isOwned = new Uint8Array(entry.length);
  for (let node = 0; node < keyword.length; node++) {
    const id = keyword[node]!;
    if (id < 0 || isOwned[id] === 1) continue;
    isOwned[id] = 1;
    owned[rowOf[node]!] = entry[id]!;
  }
  owned.set(unplaced, order.length);
  return owned;
}
