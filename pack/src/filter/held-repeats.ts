import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { createCommonAncestor } from '../tree/ancestors.ts';

/** The nodes whose keyword stands earlier in the file too, rising by row; with each, where the one before it is. */
export type HeldRepeats = {
  readonly rows: Uint32Array;
  /** Row of the occurrence before. */
  readonly previous: Uint32Array;
  /** Where that one stands in `rows`, -1 for a first one. */
  readonly at: Int32Array;
  /** The innermost branch that both stand in. */
  readonly branch: Uint32Array;
};

const kept = new WeakMap<PackReader, Promise<HeldRepeats>>();

/** Found once and kept with the pack: 16 bytes for each of them, 12 a node while they are looked for. */
export function holdRepeats(pack: PackReader): Promise<HeldRepeats> {
  const found = kept.get(pack) ?? findRepeats(pack);
  kept.set(pack, found);
  found.catch(() => kept.delete(pack));
  return found;
}

async function findRepeats(pack: PackReader): Promise<HeldRepeats> {
  const { nodes } = pack.metadata;
  const before = await pack.column('previous');
  const none = new Uint32Array(0);
  if (!before) return { rows: none, previous: none, at: new Int32Array(0), branch: none };
  const [parent, starts] = await Promise.all([pack.column('parent'), pack.column('branch')]);
  let count = 0;
  for (let row = 0; row < nodes; row++) if (before[row] !== noRow) count++;
  const rows = new Uint32Array(count);
  const place = new Int32Array(nodes).fill(-1);
  for (let row = 0, next = 0; row < nodes; row++) {
    if (before[row] === noRow) continue;
    place[row] = next;
    rows[next++] = row;
  }
  const commonAncestor = createCommonAncestor(parent.subarray(0, nodes));
  const previous = rows.map((row) => before[row]!);
  return {
    rows,
    previous,
    at: Int32Array.from(previous, (row) => place[row]!),
    branch: rows.map((row, index) => starts[commonAncestor(previous[index]!, row)]!),
  };
}

/** Repeats of which `counts` says yes of both, each with the branch from which on it counts no more. */
export type KeptRepeats = { readonly rows: Uint32Array; readonly branch: Uint32Array };

/**
 * What is still a repeat when only some occurrences count. What lies between two that count is passed over: in the order of
 * the file, the innermost branch of the outer two is the outermost of those between neighbours.
 *
 * Cost: every repeat is passed once.
 */
export function keepRepeats(all: HeldRepeats, counts: (row: number) => boolean): KeptRepeats {
  const rows = new Uint32Array(all.rows.length);
  const branch = new Uint32Array(all.rows.length);
  let next = 0;
  for (let index = 0; index < all.rows.length; index++) {
    if (!counts(all.rows[index]!)) continue;
    let outermost = all.branch[index]!;
    let at = index;
    while (!counts(all.previous[at]!) && all.at[at]! >= 0) {
      at = all.at[at]!;
      // Both hold the one between them, and an outer branch has the smaller number.
      outermost = Math.min(outermost, all.branch[at]!);
    }
    if (!counts(all.previous[at]!)) continue;
    rows[next] = all.rows[index]!;
    branch[next++] = outermost;
  }
  return { rows: rows.slice(0, next), branch: branch.slice(0, next) };
}
