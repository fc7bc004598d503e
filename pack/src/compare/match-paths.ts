import { eachPiece, type Pause, pauseBetween, pieceLength } from '../format/in-pieces.ts';
import { noRow } from '../format/pack-format.ts';
import type { HashKey } from '../names/half-sip-hash.ts';
import { createPathHash } from '../names/path-hash.ts';
import { SiblingOrdinals } from '../tree/sibling-ordinals.ts';
import { branchAt, type ComparedTree } from './compared-tree.ts';
import { PairTable } from './leftover-keywords.ts';

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
 * Node IDs are hashes of paths: the children of two nodes with the same path are matched by their IDs. If the paths of
 * two nodes differ, the IDs that the children of the one would have below the other are computed from their names.
 *
 * Cost: a pass over both trees; a hash for each name below pairs with different paths.
 * Memory: 24 to 48 bytes per child of the largest branch of `after`, and 8 per node of `before` once a hash is computed.
 */
export function createPathMatcher(
  after: ComparedTree,
  before: ComparedTree,
  matches: Matches,
  key: HashKey,
  pause: Pause,
): PathMatcher {
  const siblings = new Siblings(after.address, key);
  const isFree = (row: number, rowBefore: number) =>
    matches.before[row] === noRow && matches.after[rowBefore] === noRow;
  let addresses: PlacedAddresses | undefined;
  const rest = pauseBetween(pause);

  /**
   * Matches the children of a pair.
   *
   * @param ids of the children, two words for each row of `before`
   * @param pairs receives the matched children, one after the other
   * @returns what to wait for, if there is something
   */
  function matchChildren(
    row: number,
    rowBefore: number,
    ids: Uint32Array,
    pairs?: number[],
  ): Promise<void> | undefined {
    const [branch, branchBefore] = [branchAt(after, row), branchAt(before, rowBefore)];
    if (branch < 0 || branchBefore < 0) return undefined;
    const children = after.branches.childCount[branch]!;
    siblings.begin(after.branches.firstChild[branch]!, children);
    const first = before.branches.firstChild[branchBefore]!;
    const count = before.branches.childCount[branchBefore]!;
    const matchPiece = (from: number, end: number): void => {
      for (let child = first + from; child < first + end; child++) {
        const found = siblings.find(ids[2 * child]!, ids[2 * child + 1]!);
        if (found < 0 || !isFree(found, child)) continue;
        match(matches, found, child);
        pairs?.push(found, child);
      }
    };
    if (children + count > pieceLength) return siblings.tabulate(pause).then(() => eachPiece(count, pause, matchPiece));
    matchPiece(0, count);
    return rest(children + count);
  }

  async function matchBelow(row: number, rowBefore: number): Promise<void> {
    addresses ??= createPlacedAddresses(before);
    const pairs = [row, rowBefore];
    while (pairs.length > 0) {
      const fromBefore = pairs.pop()!;
      const from = pairs.pop()!;
      const branch = branchAt(before, fromBefore);
      if (branch < 0 || branchAt(after, from) < 0) continue;
      const placed = addresses.place(branch, after.address[2 * from + 1]!, after.address[2 * from]!);
      const waiting = matchChildren(from, fromBefore, placed, pairs);
      if (waiting) await waiting;
    }
  }

  return {
    matchBelow,
    async matchAll() {
      match(matches, 0, 0);
      const [low, high] = before.address;
      if (after.address[0] !== low || after.address[1] !== high) return matchBelow(0, 0);
      // Parents come first.
      for (const rowBefore of before.branches.rows) {
        const row = matches.after[rowBefore]!;
        const waiting = row === noRow ? rest(1) : matchChildren(row, rowBefore, before.address);
        if (waiting) await waiting;
      }
    },
  };
}

/**
 * Finds children of one node by their IDs. Siblings mostly keep their order from one upload to the next, so the child
 * behind the one that was found last is compared first; the table is filled when that fails for the first time.
 */
class Siblings {
  readonly #address: Uint32Array;
  readonly #table: PairTable;
  #first = 0;
  #end = 0;
  #next = 0;
  #isTabulated = false;

  /** @param address the IDs, two words for each row */
  constructor(address: Uint32Array, key: HashKey) {
    this.#address = address;
    this.#table = new PairTable(0, key);
  }

  /** From now on, children are these rows. */
  begin(first: number, count: number): void {
    this.#first = first;
    this.#next = first;
    this.#end = first + count;
    this.#isTabulated = false;
  }

  /** The row of an ID, -1 if there is none. */
  find(low: number, high: number): number {
    const next = this.#next;
    if (next < this.#end && this.#address[2 * next] === low && this.#address[2 * next + 1] === high)
      return this.#next++;
    if (!this.#isTabulated) {
      this.#clear();
      this.#add(this.#first, this.#end);
    }
    const found = this.#table.get(low, high);
    if (found >= 0) this.#next = found + 1;
    return found;
  }

  /** Fills the table in pieces, for branches that are too large to do so at once. */
  async tabulate(pause: Pause): Promise<void> {
    this.#clear();
    const first = this.#first;
    await eachPiece(this.#end - first, pause, (from, end) => this.#add(first + from, first + end));
  }

  #clear(): void {
    this.#table.clear(this.#end - this.#first);
    this.#isTabulated = true;
  }

  #add(from: number, end: number): void {
    for (let row = from; row < end; row++) this.#table.take(this.#address[2 * row]!, this.#address[2 * row + 1]!, row);
  }
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
