import type { Pause } from '../format/in-pieces.ts';
import type { PackReader, Texts } from '../format/pack-reader.ts';
import { normalForm } from '../names/normal-form.ts';
import { branchesOf, type PackBranches } from '../sums/branches.ts';

/** The columns of a whole pack that matching reads; they stay cached with the pack. One value per node unless stated otherwise. */
export type ComparedTree = {
  readonly nodes: number;
  readonly parent: Uint32Array;
  readonly depth: Uint16Array;
  /** Two words per node, low half first. */
  readonly address: Uint32Array;
  readonly isKeyword: Uint8Array;
  readonly names: Texts;
  /** Siblings in file order have ascending values. */
  readonly fileOrder: Uint32Array;
  readonly branches: PackBranches;
  /** The number of distinct keywords, by branch. */
  readonly distinct: Uint32Array;
};

/** Memory, with the pack: 31 bytes per node, 20 per branch, and the names. */
export async function loadComparedTree(pack: PackReader, pause: Pause): Promise<ComparedTree> {
  return {
    nodes: pack.metadata.nodes,
    parent: await pack.column('parent'),
    depth: await pack.column('depth'),
    address: await pack.column('address'),
    isKeyword: await pack.column('is_keyword'),
    names: await pack.texts('name'),
    fileOrder: await pack.column('node_start'),
    branches: await branchesOf(pack, pause),
    distinct: await pack.column('keywords'),
  };
}

/** The branch of a row, -1 for a row without children. */
export const branchAt = ({ branches: { starts } }: ComparedTree, row: number): number =>
  starts[row] === starts[row + 1] ? -1 : starts[row]!;

/** Whether two names are equal after NFC, as in node IDs. */
export function haveEqualNames(one: ComparedTree, row: number, other: ComparedTree, otherRow: number): boolean {
  const from = one.names.start[row]!;
  const start = other.names.start[otherRow]!;
  const length = one.names.start[row + 1]! - from;
  if (other.names.start[otherRow + 1]! - start === length) {
    let index = 0;
    while (index < length && one.names.bytes[from + index] === other.names.bytes[start + index]) index++;
    if (index === length) return true;
  }
  return normalForm(nameOf(one, row), 'NFC') === normalForm(nameOf(other, otherRow), 'NFC');
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const nameOf = ({ names: { start, bytes } }: ComparedTree, row: number): string =>
  decoder.decode(bytes.subarray(start[row], start[row + 1]));
