import { noPause, type Pause, pauseBetween } from '../format/in-pieces.ts';
import { noRow } from '../format/pack-format.ts';
import { type ComparedTree, haveEqualNames } from './compared-tree.ts';
import type { LeftoverKeywords } from './leftover-keywords.ts';
import { type Matches, type PathMatcher, recordMatch } from './match-paths.ts';

/** The minimum Jaccard index of branches that are matched. */
const minOverlap = 0.6;
/** Branches that contain more levels of unmatched branches are not compared by their keywords, to bound the work. */
export const maxLevels = 64;

type Side = { readonly tree: ComparedTree; readonly keywords: LeftoverKeywords; readonly matched: Uint32Array };

/**
 * Matches unmatched branches that are each other's best by the Jaccard index of their distinct keywords, if it is at
 * least {@link minOverlap}, and then their descendants by path. Outer branches come first, so a branch that was moved
 * takes its contents along. On a tie, the better one has the same name, then a closer level, then the lower row.
 *
 * Only unmatched keywords are compared: all keywords of an unmatched branch are unmatched.
 *
 * Cost: for each keyword, at most the unmatched branches around it in `after` times those around it in `before`. Of the
 * latter, only branches of a similar size are counted.
 * Memory: 12 bytes per branch of `before`, 4 per text, and 8 per keyword.
 */
export async function matchBranches(
  after: Side,
  before: Side,
  texts: number,
  matches: Matches,
  { matchBelow }: Pick<PathMatcher, 'matchBelow'>,
  pause: Pause = noPause,
): Promise<void> {
  for (const [row, rowBefore] of await bestPairs(after, before, texts, pause)) {
    if (matches.before[row] !== noRow || matches.after[rowBefore] !== noRow) continue;
    recordMatch(matches, row, rowBefore);
    await matchBelow(row, rowBefore);
  }
}

/** Pairs of rows that are each other's best, in the order of `after`. */
async function bestPairs(after: Side, before: Side, texts: number, pause: Pause) {
  const heights = heightsOf(after);
  const heightsBefore = heightsOf(before);
  if (!heights.some(Boolean) || !heightsBefore.some(Boolean)) return [];
  const textAt = textsByRow(after);
  const common = createCommonCounts(before, heightsBefore, texts);
  /** By branch: the best row of the other side so far, and its overlap. */
  const best = createBest(after, before);
  const bestBefore = createBest(before, after);
  const rest = pauseBetween(pause);
  for (const [branch, row] of after.tree.branches.rows.entries()) {
    if (heights[branch] === 0 || heights[branch]! > maxLevels) continue;
    const size = after.tree.distinct[branch]!;
    const { counts, touched, steps } = common.count(after.tree, textAt, row, size);
    for (const other of touched) {
      const rowBefore = before.tree.branches.rows[other]!;
      const both = counts[other]!;
      counts[other] = 0;
      const overlap = both / (size + before.tree.distinct[other]! - both);
      if (overlap < minOverlap) continue;
      best.offer(branch, row, rowBefore, overlap);
      bestBefore.offer(other, rowBefore, row, overlap);
    }
    const waiting = rest(steps);
    if (waiting) await waiting;
  }
  const pairs: [row: number, rowBefore: number][] = [];
  for (const [branch, row] of after.tree.branches.rows.entries()) {
    const rowBefore = best.rows[branch]!;
    if (rowBefore === noRow) continue;
    if (bestBefore.rows[before.tree.branches.starts[rowBefore]!] === row) pairs.push([row, rowBefore]);
  }
  return pairs;
}

/** By branch: the number of levels of unmatched branches in it, including its own; 0 for a matched branch. */
function heightsOf({ tree: { branches, parent }, matched }: Side): Uint32Array {
  const heights = new Uint32Array(branches.count);
  for (let branch = branches.count - 1; branch >= 0; branch--) {
    const row = branches.rows[branch]!;
    if (matched[row] !== noRow) continue;
    heights[branch]! += 1;
    const above = parent[row]!;
    if (matched[above] !== noRow) continue;
    const around = branches.starts[above]!;
    heights[around] = Math.max(heights[around]!, heights[branch]!);
  }
  return heights;
}

/** Counts how many keywords of a branch of `after` each unmatched branch of `before` has. */
function createCommonCounts({ tree, keywords, matched }: Side, heights: Uint32Array, texts: number) {
  const { starts, rows } = rowsByText(keywords, texts);
  const counts = new Uint32Array(tree.branches.count);
  /** By branch: the last text counted for it, as a running number. */
  const counted = new Float64Array(tree.branches.count);
  /** By text: the last branch that it was seen in, plus one. */
  const seen = new Uint32Array(texts);
  let running = 0;
  let touched: number[] = [];
  let steps = 0;

  /** Counts a text for the branches around a row, the inner ones first. */
  function countAround(row: number, maxKeywords: number): void {
    let at = tree.branches.starts[row] === tree.branches.starts[row + 1] ? tree.parent[row]! : row;
    for (; matched[at] === noRow; at = tree.parent[at]!) {
      steps++;
      const branch = tree.branches.starts[at]!;
      // An outer branch is at least as high and has at least as many keywords.
      if (heights[branch]! > maxLevels || tree.distinct[branch]! > maxKeywords || counted[branch] === running) return;
      counted[branch] = running;
      if (counts[branch] === 0) touched.push(branch);
      counts[branch]! += 1;
    }
  }

  return {
    count(after: ComparedTree, textAt: Uint32Array, row: number, size: number) {
      touched = [];
      steps = 0;
      const maxKeywords = size / minOverlap;
      let [from, end] = [row, row + 1];
      while (from < end) {
        for (let inner = from; inner < end; inner++) {
          const text = textAt[inner]!;
          if (text === noRow || seen[text] === row + 1) continue;
          seen[text] = row + 1;
          running++;
          for (let at = starts[text]!; at < starts[text + 1]!; at++) countAround(rows[at]!, maxKeywords);
        }
        steps += end - from;
        [from, end] = childrenOf(after, from, end);
      }
      return { counts, touched, steps };
    },
  };
}

/** The children of adjacent rows are adjacent. */
function childrenOf({ branches: { starts, firstChild, childCount } }: ComparedTree, from: number, end: number) {
  const [first, behind] = [starts[from]!, starts[end]!];
  if (first === behind) return [0, 0] as const;
  return [firstChild[first]!, firstChild[behind - 1]! + childCount[behind - 1]!] as const;
}

/** By row: the number of its text; `noRow` for a row that is matched or no keyword. */
function textsByRow({ tree, keywords: { rows, texts } }: Side): Uint32Array {
  const textAt = new Uint32Array(tree.nodes).fill(noRow);
  for (let index = 0; index < rows.length; index++) textAt[rows[index]!] = texts[index]!;
  return textAt;
}

/** The rows of text `t` are those from `starts[t]` to before `starts[t + 1]`. */
function rowsByText({ rows, texts }: LeftoverKeywords, count: number) {
  const starts = new Uint32Array(count + 1);
  for (const text of texts) starts[text + 1]! += 1;
  for (let text = 0; text < count; text++) starts[text + 1]! += starts[text]!;
  const next = starts.slice(0, count);
  const byText = new Uint32Array(rows.length);
  for (let index = 0; index < rows.length; index++) byText[next[texts[index]!]!++] = rows[index]!;
  return { starts, rows: byText };
}

/** Keeps the best row of the other side for each branch. */
function createBest({ tree }: Side, { tree: other }: Side) {
  const rows = new Uint32Array(tree.branches.count).fill(noRow);
  const overlaps = new Float64Array(tree.branches.count);
  const levelsApart = (row: number, of: number) => Math.abs(tree.depth[row]! - other.depth[of]!);
  const isBetter = (row: number, one: number, than: number): boolean => {
    const hasSameName = haveEqualNames(tree, row, other, one);
    if (hasSameName !== haveEqualNames(tree, row, other, than)) return hasSameName;
    return (
      levelsApart(row, one) - levelsApart(row, than) < 0 ||
      (levelsApart(row, one) === levelsApart(row, than) && one < than)
    );
  };
  return {
    rows,
    offer(branch: number, row: number, candidate: number, overlap: number): void {
      if (overlap < overlaps[branch]!) return;
      if (overlap === overlaps[branch] && !isBetter(row, candidate, rows[branch]!)) return;
      rows[branch] = candidate;
      overlaps[branch] = overlap;
    },
  };
}
