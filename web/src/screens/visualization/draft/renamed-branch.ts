import { createPathHash, formatAddress, parseAddress } from '@kc/pack/names/path-hash';
import type { LoadedTree } from '../../../explore/tree-data/loaded-tree.ts';

/** More siblings of one name than this are not distinguished. */
const maxOrdinal = 100;

/**
 * What became of the loaded nodes when a topic was renamed: their new addresses by those that they have in the tree. All
 * below the topic have others, and so have keywords beside it with its earlier or its new name, because nodes of one name
 * are counted.
 *
 * Cost: one pass over the loaded rows, and for each node below or beside the topic a hash or two.
 *
 * @param from the address of the topic in the tree; `to` is its new one
 * Source: docs/pack-format.md "Addresses".
 */
export function movedByRename(tree: LoadedTree, from: string, to: string): ReadonlyMap<string, string> {
  const moved = new Map([[from, to]]);
  const [topic] = tree.rowsAt(new Map([[from, true]])).keys();
  if (topic === undefined || topic === 0) return moved;
  const above = tree.parent[topic]!;
  // Every row comes after its parent.
  for (let row = 1; row < tree.size; row++) {
    const parent = tree.parent[row]!;
    if (row === topic) continue;
    const parentFrom = tree.addressOf(parent);
    const parentTo = moved.get(parentFrom);
    if (parentTo === undefined && parent !== above) continue;
    const name = tree.ownName(row);
    const shift = parentTo === undefined ? shiftBeside(childAddress(parentFrom, name, 0), from, to) : 0;
    if (parentTo === undefined && shift === 0) continue;
    const address = tree.addressOf(row);
    const ordinal = ordinalOf(parentFrom, name, address);
    if (ordinal !== undefined) moved.set(address, childAddress(parentTo ?? parentFrom, name, ordinal + shift));
  }
  return moved;
}

/** What the rename adds to the ordinal of a sibling. @param first the address of the first sibling with its name */
const shiftBeside = (first: string, from: string, to: string): -1 | 0 | 1 =>
  first === to ? 1 : first === from ? -1 : 0;

/** Which of the siblings of its name a node is, counted from 0; undefined if the name is not the one of its address. */
function ordinalOf(parent: string, name: string, address: string): number | undefined {
  for (let ordinal = 0; ordinal < maxOrdinal; ordinal++)
    if (childAddress(parent, name, ordinal) === address) return ordinal;
  return undefined;
}

function childAddress(parent: string, name: string, ordinal: number): string {
  const { high, low } = parseAddress(parent)!;
  const bytes = encoder.encode(name);
  const [childLow, childHigh] = createPathHash()(high, low, ordinal, bytes, 0, bytes.length);
  return formatAddress(childHigh!, childLow!);
}

const encoder = new TextEncoder();
