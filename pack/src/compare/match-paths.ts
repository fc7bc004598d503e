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

export const recordMatch = ({ before, after }: Matches, row: number, rowBefore: number): void => {
  before[row] = rowBefore;
  after[rowBefore] = row;
};

/** Matches nodes by their path, so that their parents match and their names are equal. */
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
 * Memory: 16 bytes per child of the largest branch, another 32 to 64 for each of them whose position among its siblings changed,
 * and 8 per node of `before` once a hash is computed.
 */
export function createPathMatcher(
  after: ComparedTree,
  before: ComparedTree,
  matches: Matches,
  key: HashKey,
  pause: Pause,
): PathMatcher {
  const siblings = new Siblings(after.address, matches, key);
  let addresses: PlacedAddresses | undefined;
  const rest = pauseBetween(pause);

  /**
   * Matches the children of a pair.
   *
   * @param ids the IDs of the children, two words for each row of `before`
   * @param pairs receives the matched children, alternating the rows of `after` and `before`
   * @returns a promise if there is something to await
   */
  function matchChildren(
    row: number,
    rowBefore: number,
    ids: Uint32Array,
    pairs?: number[],
  ): Promise<void> | undefined {
    const [branch, branchBefore] = [branchAt(after, row), branchAt(before, rowBefore)];
    if (branch < 0 || branchBefore < 0) return undefined;
    const count = after.branches.childCount[branch]!;
    const countBefore = before.branches.childCount[branchBefore]!;
    siblings.begin(after.branches.firstChild[branch]!, count);
    siblings.beginBefore(before.branches.firstChild[branchBefore]!, countBefore, ids, pairs);
    if (count + countBefore > pieceLength) return siblings.matchInPieces(pause);
    siblings.matchAtOnce();
    return rest(count + countBefore);
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
      recordMatch(matches, 0, 0);
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

/** How many of the next siblings of either side are searched for the point where both sides continue alike. */
const reach = 4;

/**
 * Matches the children of two nodes by their IDs. Siblings mostly keep their order from one upload to the next, so both
 * lists are walked in parallel. Siblings that changed their position, or are on one side only, are set aside and matched by a
 * hash table at the end.
 */
class Siblings {
  readonly #address: Uint32Array;
  readonly #matches: Matches;
  readonly #table: PairTable;
  #next = 0;
  #end = 0;
  #aside = new Uint32Array(0);
  #asides = 0;
  #addressBefore: Uint32Array;
  #nextBefore = 0;
  #endBefore = 0;
  #asideBefore = new Uint32Array(0);
  #asidesBefore = 0;
  #pairs: number[] | undefined;

  /** @param address the node IDs of `after`, two words for each row */
  constructor(address: Uint32Array, matches: Matches, key: HashKey) {
    this.#address = address;
    this.#addressBefore = address;
    this.#matches = matches;
    this.#table = new PairTable(0, key);
  }

  /** Sets the children of `after` to match. */
  begin(first: number, count: number): void {
    this.#next = first;
    this.#end = first + count;
    this.#asides = 0;
    if (this.#aside.length < count) this.#aside = new Uint32Array(count);
  }

  /** Sets the children of `before` to match, with their IDs. @param pairs as in `matchChildren` */
  beginBefore(first: number, count: number, address: Uint32Array, pairs: number[] | undefined): void {
    this.#nextBefore = first;
    this.#endBefore = first + count;
    this.#asidesBefore = 0;
    if (this.#asideBefore.length < count) this.#asideBefore = new Uint32Array(count);
    this.#addressBefore = address;
    this.#pairs = pairs;
  }

  matchAtOnce(): void {
    this.#walkTo(this.#end);
    if (this.#asides === 0 || this.#asidesBefore === 0) return;
    this.#table.clear(this.#asides);
    this.#tabulate(0, this.#asides);
    this.#lookUp(0, this.#asidesBefore);
  }

  async matchInPieces(pause: Pause): Promise<void> {
    while (this.#next < this.#end) {
      this.#walkTo(Math.min(this.#end, this.#next + pieceLength));
      await pause();
    }
    this.#table.clear(this.#asides);
    await eachPiece(this.#asides, pause, (from, end) => this.#tabulate(from, end));
    await eachPiece(this.#asidesBefore, pause, (from, end) => this.#lookUp(from, end));
  }

  /** Walks up to a row of `after`. If that is the end, the rest of `before` is set aside, too. */
  #walkTo(until: number): void {
    let row = this.#next;
    let rowBefore = this.#nextBefore;
    const endBefore = this.#endBefore;
    while (row < until && rowBefore < endBefore) {
      const alike = this.#pairAlike(row, rowBefore, Math.min(until - row, endBefore - rowBefore));
      row += alike;
      rowBefore += alike;
      if (row === until || rowBefore === endBefore) break;
      const ahead = this.#ahead(row, rowBefore);
      const end = row + (ahead === 0 ? 1 : ahead);
      const stop = rowBefore + (ahead === 0 ? 1 : -ahead);
      while (row < end) this.#aside[this.#asides++] = row++;
      while (rowBefore < stop) this.#asideBefore[this.#asidesBefore++] = rowBefore++;
    }
    while (row < until) this.#aside[this.#asides++] = row++;
    if (row === this.#end) while (rowBefore < endBefore) this.#asideBefore[this.#asidesBefore++] = rowBefore++;
    this.#next = row;
    this.#nextBefore = rowBefore;
  }

  /** Matches rows of both sides one by one as long as they are equal. @returns how many are */
  #pairAlike(row: number, rowBefore: number, count: number): number {
    const address = this.#address;
    const addressBefore = this.#addressBefore;
    const { before, after } = this.#matches;
    const pairs = this.#pairs;
    let at = 0;
    for (; at < count; at++) {
      const one = row + at;
      const other = rowBefore + at;
      if (address[2 * one] !== addressBefore[2 * other] || address[2 * one + 1] !== addressBefore[2 * other + 1]) break;
      if (before[one] !== noRow || after[other] !== noRow) continue;
      before[one] = other;
      after[other] = one;
      pairs?.push(one, other);
    }
    return at;
  }

  /** How many extra rows `after` has here, or `before` if negative, until both continue alike; 0 if they do not within {@link reach}. */
  #ahead(row: number, rowBefore: number): number {
    for (let ahead = 1; ahead <= reach; ahead++) {
      if (row + ahead < this.#end && this.#areEqual(row + ahead, rowBefore)) return ahead;
      if (rowBefore + ahead < this.#endBefore && this.#areEqual(row, rowBefore + ahead)) return -ahead;
    }
    return 0;
  }

  #tabulate(from: number, end: number): void {
    for (let at = from; at < end; at++) {
      const row = this.#aside[at]!;
      this.#table.getOrAdd(this.#address[2 * row]!, this.#address[2 * row + 1]!, row);
    }
  }

  #lookUp(from: number, end: number): void {
    for (let at = from; at < end; at++) {
      const row = this.#asideBefore[at]!;
      const found = this.#table.get(this.#addressBefore[2 * row]!, this.#addressBefore[2 * row + 1]!);
      if (found >= 0) this.#pair(found, row);
    }
  }

  #areEqual(row: number, rowBefore: number): boolean {
    return (
      this.#address[2 * row] === this.#addressBefore[2 * rowBefore] &&
      this.#address[2 * row + 1] === this.#addressBefore[2 * rowBefore + 1]
    );
  }

  /** Matches two rows, unless one of them has been matched elsewhere. */
  #pair(row: number, rowBefore: number): void {
    const matches = this.#matches;
    if (matches.before[row] !== noRow || matches.after[rowBefore] !== noRow) return;
    recordMatch(matches, row, rowBefore);
    this.#pairs?.push(row, rowBefore);
  }
}

type PlacedAddresses = {
  /** Computes the IDs that the children of a branch would have if the branch had this ID. Two words per node, low half first. */
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
      // Afterwards, because equal names are counted by the ID that they have without an ordinal.
      for (const [row, ordinal] of repeats) write(row, high, low, ordinal);
      return placed;
    },
  };
}
