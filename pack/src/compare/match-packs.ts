import { eachPiece, findInPieces, noPause, type Pause } from '../format/in-pieces.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import type { HashKey } from '../names/half-sip-hash.ts';
import type { View } from '../sums/filtered-pack.ts';
import { type ComparedTree, haveEqualNames, loadComparedTree } from './compared-tree.ts';
import { type LeftoverKeywords, numberLeftovers } from './leftover-keywords.ts';
import { matchBranches } from './match-branches.ts';
import { createPathMatcher, type Matches, recordMatch } from './match-paths.ts';

/** How a row of the later upload relates to the earlier one. Gone nodes have no row in the later one, so they have no kind. */
export const matchKinds = { same: 0, new: 1, moved: 2, renamed: 3 } as const;

/**
 * Which node of an earlier upload is which node of a later one. Every node is matched at most once.
 *
 * Size: 9 bytes per node, and 4 per one that is not the same or gone.
 */
export type MatchedPacks = Matches & {
  /** By row of `after`: one of {@link matchKinds}. */
  readonly kind: Uint8Array;
  /** The rows of `after` that are new, moved or renamed, ascending. */
  readonly elsewhere: Uint32Array;
  /** The rows of `before` without a match, ascending. */
  readonly gone: Uint32Array;
};

/**
 * Matches the nodes of two packs, `after` the later one. In this order:
 *
 * 1. the roots, and nodes with the same path below the root;
 * 2. branches left over on both sides, by their keywords: see {@link matchBranches};
 * 3. keywords left over whose text occurs once on each side.
 *
 * A matched node is `same` if its parents match and the names are equal, `renamed` if only the parents match, and
 * otherwise `moved`. The contents of a moved branch are therefore the same.
 *
 * Cost: see the steps; a few seconds of processor time for 10^6 nodes each, and less the more is equal.
 * Memory in addition to the columns: at most 120 bytes per node, of which 9 remain.
 *
 * @param key chosen at random for each process; the result does not depend on it
 */
export async function matchPacks(
  after: PackReader,
  before: PackReader,
  key: HashKey,
  pause: Pause = noPause,
): Promise<MatchedPacks> {
  const tree = await loadComparedTree(after, pause);
  const treeBefore = await loadComparedTree(before, pause);
  const matches: Matches = {
    before: new Uint32Array(tree.nodes).fill(noRow),
    after: new Uint32Array(treeBefore.nodes).fill(noRow),
  };
  const paths = createPathMatcher(tree, treeBefore, matches, key, pause);
  await paths.matchAll();
  const unmatched = await unmatchedRows(matches.before, pause);
  const unmatchedBefore = await unmatchedRows(matches.after, pause);
  if (unmatched.length > 0 && unmatchedBefore.length > 0) {
    const { texts, sides } = await numberLeftovers(
      [
        [tree, unmatched],
        [treeBefore, unmatchedBefore],
      ],
      key,
      pause,
    );
    const [keywords, keywordsBefore] = [sides[0]!, sides[1]!];
    const side = { tree, keywords, matched: matches.before };
    const sideBefore = { tree: treeBefore, keywords: keywordsBefore, matched: matches.after };
    await matchBranches(side, sideBefore, texts, matches, paths, pause);
    await matchKeywords(keywords, keywordsBefore, texts, matches, pause);
  }
  const kind = await kindsOf(tree, treeBefore, matches, unmatched, pause);
  return {
    ...matches,
    kind,
    elsewhere: await rowsAmong(unmatched, pause, (row) => kind[row] !== matchKinds.same),
    gone: await rowsAmong(unmatchedBefore, pause, (row) => matches.after[row] === noRow),
  };
}

/** The rows without a match, ascending. There are few, so that searching for them is faster than looking at each row. */
const unmatchedRows = (matched: Uint32Array, pause: Pause): Promise<Uint32Array> =>
  findInPieces(matched.length, pause, (from, end, rows, count) => {
    const piece = matched.subarray(from, end);
    let next = count;
    for (let at = piece.indexOf(noRow); at >= 0; at = piece.indexOf(noRow, at + 1)) rows[next++] = from + at;
    return next;
  });

/** Those of some rows that pass a test, in the same order. */
export const rowsAmong = (rows: Uint32Array, pause: Pause, isIn: (row: number) => boolean): Promise<Uint32Array> =>
  findInPieces(rows.length, pause, (from, end, found, count) => {
    let next = count;
    for (let at = from; at < end; at++) if (isIn(rows[at]!)) found[next++] = rows[at]!;
    return next;
  });

/** @param unmatched the rows that were not matched by their path. All others are the same: their names and parents match. */
async function kindsOf(
  after: ComparedTree,
  before: ComparedTree,
  matches: Matches,
  unmatched: Uint32Array,
  pause: Pause,
): Promise<Uint8Array> {
  const kind = new Uint8Array(after.nodes);
  await eachPiece(unmatched.length, pause, (from, end) => {
    for (let at = from; at < end; at++) {
      const row = unmatched[at]!;
      const rowBefore = matches.before[row]!;
      if (rowBefore === noRow) kind[row] = matchKinds.new;
      else if (matches.after[before.parent[rowBefore]!] !== after.parent[row]) kind[row] = matchKinds.moved;
      // Equal IDs mean equal paths, so the names need not be compared.
      else if (!haveEqualAddresses(after, row, before, rowBefore) && !haveEqualNames(after, row, before, rowBefore))
        kind[row] = matchKinds.renamed;
    }
  });
  return kind;
}

const haveEqualAddresses = (
  { address: one }: ComparedTree,
  row: number,
  { address: other }: ComparedTree,
  at: number,
) => one[2 * row] === other[2 * at] && one[2 * row + 1] === other[2 * at + 1];

/** Two packs that are compared, filtered or not; see `filterComparison`. */
export type Compared = {
  readonly match: MatchedPacks;
  readonly after: View;
  readonly before: View;
};

/** Matches keywords whose text occurs once on each side, among those that have no match yet. */
async function matchKeywords(
  after: LeftoverKeywords,
  before: LeftoverKeywords,
  texts: number,
  matches: Matches,
  pause: Pause,
): Promise<void> {
  const only = await onlyRows(after, texts, matches.before, pause);
  const onlyBefore = await onlyRows(before, texts, matches.after, pause);
  await eachPiece(texts, pause, (from, end) => {
    for (let text = from; text < end; text++) {
      if (only[text]! < several && onlyBefore[text]! < several) recordMatch(matches, only[text]!, onlyBefore[text]!);
    }
  });
}

/** Stands for several rows in {@link onlyRows}. */
const several = noRow - 1;

/** By text: the only unmatched row that has it; `several` or `noRow` if there is not exactly one. */
async function onlyRows({ rows, texts }: LeftoverKeywords, count: number, matched: Uint32Array, pause: Pause) {
  const only = new Uint32Array(count).fill(noRow);
  await eachPiece(rows.length, pause, (from, end) => {
    for (let index = from; index < end; index++) {
      if (matched[rows[index]!] !== noRow) continue;
      only[texts[index]!] = only[texts[index]!] === noRow ? rows[index]! : several;
    }
  });
  return only;
}
