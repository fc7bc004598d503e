import type { FilteredPack } from '../filter/filtered-pack.ts';
import { sumKept } from '../filter/kept-sums.ts';
import { fates, type KeptTree, wholeTree } from '../filter/kept-tree.ts';
import { eachPiece, eachRun, type Pause } from '../format/in-pieces.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { keywordScores } from './keyword-scores.ts';
import { type Score, writeScore } from './score.ts';

/** By branch: the score from those of its distinct keywords, NaN if none is known, and how many are known. */
export type BranchScores = { readonly value: Float64Array; readonly known: Uint32Array };

/** A score that branches get from their keywords. */
export type KeywordRollUp = Score & { readonly rollUp: Exclude<Score['rollUp'], 'branch'> };

/**
 * Scores are cached with the pack, or with the filtered pack, by their canonical text: 12 bytes per branch
 * each.
 *
 * Cost: a pass over the nodes for the formula, and one over what the filter keeps.
 */
export function branchScores(
  pack: PackReader | FilteredPack,
  score: KeywordRollUp,
  pause: Pause,
): Promise<BranchScores> {
  return scoresOfPack(pack, { score, pause });
}

const scoresOfPack = oncePerPack(
  (pack: PackReader | FilteredPack, { score, pause }: { readonly score: KeywordRollUp; readonly pause: Pause }) =>
    rollUp(pack, score, pause),
  { nameOf: ({ score }) => writeScore(score), sizeOf: ({ value, known }) => value.byteLength + known.byteLength },
);

async function rollUp(pack: PackReader | FilteredPack, score: KeywordRollUp, pause: Pause): Promise<BranchScores> {
  const tree = 'kept' in pack ? pack.kept : await wholeTree(pack, pause);
  const scores = await keywordScores(tree.pack, score.expression, pause);
  const { sum, known } = await sumKept(tree, scores, pause);
  if (score.rollUp === 'max') return { value: await highest(tree, scores, pause), known };
  const isSum = score.rollUp === 'sum';
  const value = sum.map((total, branch) => (known[branch] === 0 ? Number.NaN : isSum ? total : total / known[branch]!));
  return { value, known };
}

/**
 * By branch: the greatest known value of its distinct keywords, each with its first occurrence in the branch.
 *
 * A repeat counts only below the branch that also contains an earlier occurrence. So repeats are left out at first, and
 * each is then added to the branches in which it is the first.
 */
async function highest(tree: KeptTree, values: Float64Array, pause: Pause): Promise<Float64Array> {
  const { pack, branchFate, branches, leafKeywords, repeats } = tree;
  const { count, rows, inner, starts } = branches;
  const most = new Float64Array(count).fill(Number.NaN);
  const firsts = repeats.rows.length > 0 ? values.slice() : values;
  await eachPiece(repeats.rows.length, pause, (from, end) => {
    for (let index = from; index < end; index++) firsts[repeats.rows[index]!] = Number.NaN;
  });
  await eachRun(leafKeywords.starts, pause, (run, endRun, from, end) => {
    let index = from;
    for (let branch = run; branch < endRun; branch++) {
      const until = Math.min(end, leafKeywords.starts[branch + 1]!);
      most[branch] = greatest(firsts, leafKeywords.rows, index, until, most[branch]!);
      index = until;
    }
  });
  await eachPiece(count, pause, (from, end) => {
    for (let branch = count - 1 - from; branch >= count - end; branch--) {
      if (branchFate[branch] === fates.branchKeyword) most[branch] = better(most[branch]!, firsts[rows[branch]!]!);
      for (let child = inner[branch]!; child < inner[branch + 1]!; child++)
        most[branch] = better(most[branch]!, most[child]!);
    }
  });
  const parent = await pack.column('parent');
  await eachPiece(repeats.rows.length, pause, (from, end) => {
    for (let index = from; index < end; index++) {
      const row = repeats.rows[index]!;
      const until = repeats.branch[index]!;
      let at = starts[row] === starts[row + 1] ? parent[row]! : row;
      for (let branch = starts[at]!; branch !== until; branch = starts[at]!) {
        most[branch] = better(most[branch]!, values[row]!);
        at = parent[at]!;
      }
    }
  });
  return most;
}

/** The greater of two values; NaN only if both are. */
const better = (one: number, other: number): number => (other > one || Number.isNaN(one) ? other : one);

function greatest(values: Float64Array, rows: Uint32Array, from: number, end: number, least: number): number {
  let most = least;
  for (let index = from; index < end; index++) most = better(most, values[rows[index]!]!);
  return most;
}
