import type { Tree } from '../tree/tree.ts';
import type { Lengths } from './pack-numbers.ts';
import type { Fill } from './pack-values.ts';

/** The file positions of entries that were merged into a keyword's first entry, by pack row. */
type MergedRanges = {
  /** The count of numbers per row: two per merged entry. */
  readonly lengths: Lengths;
  /** The merged entries in row order. */
  readonly entries: Uint32Array;
  /** Writes the start and end of some entries. */
  readonly read: Fill;
};

/**
 * A keyword that occurs in several nodes has its merged entries only at its first node in the file. Otherwise n nodes
 * and m entries with the same name would take n × m ranges in the pack.
 *
 * Memory: 5 bytes per row if entries were merged, otherwise nothing.
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

/** By row, the first entry of its keyword if the row is the keyword's first; otherwise -1. */
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
