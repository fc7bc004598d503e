import { BestOf } from '../format/best-of.ts';
import { eachPiece, noPause, type Pause } from '../format/in-pieces.ts';
import { type FormulaFigure, figuresIn } from '../formula/expression.ts';
import { levelListsOf } from '../levels/level-lists.ts';
import { limitsOf, valuesOfRank } from '../levels/order.ts';
import type { View } from '../sums/filtered-pack.ts';
import type { Level } from '../vocabulary/choices.ts';
import { type Score, writeScore } from './score.ts';
import { scoreFieldName } from './score-name.ts';

/** How a score is distributed over the rows of a level within a node. */
export type ScoreSummary = {
  /** The number of rows with a score, and without. */
  readonly known: number;
  readonly unknown: number;
  /** The figures of the formula that are unknown for rows without a score, the most frequent first. */
  readonly missing: readonly FormulaFigure[];
  /** Bin `i` counts the rows from `edges[i]` to before `edges[i + 1]`; the last bin includes its end. Empty if no score is known. */
  readonly bins: readonly number[];
  readonly edges: readonly number[];
  /** Whether the bins are equally wide on a logarithmic scale, after a first one for scores of 0 and below. */
  readonly isLog: boolean;
  /** The rows with the highest scores, best first; on a tie, the lower row first. */
  readonly top: readonly { readonly row: number; readonly score: number }[];
};

const bins = 24;
/** Use logarithmic bins if the 95th percentile is more than this many times the median. */
const skewed = 20;
const topRows = 5;

/**
 * Cost: one evaluation for every row of the level. The values of the score and of its figures are cached with the list.
 *
 * @throws RangeError if `within` is not a node
 */
export async function checkScore(
  pack: View,
  score: Score,
  { level, within }: { readonly level: Level; readonly within: number },
  pause: Pause = noPause,
): Promise<ScoreSummary> {
  const [lists, list] = [levelListsOf(pack), { level, within }];
  const rows = await lists.all({ ...list, sort: [] }, pause);
  const valuesOf = (one: Score) => lists.values(list, `field:${scoreFieldName(writeScore(one))}`, pause);
  const scores = await valuesOf(score);
  const missing = new Map<FormulaFigure, number>();
  for (const figure of figuresIn(score.expression)) {
    const values = await valuesOf({ rollUp: 'branch', expression: { kind: 'figure', figure } });
    let count = 0;
    await eachPiece(rows.length, pause, (from, end) => {
      for (let at = from; at < end; at++) count += Number(Number.isNaN(scores[at]) && Number.isNaN(values[at]));
    });
    if (count > 0) missing.set(figure, count);
  }
  const known = scores.filter((value) => !Number.isNaN(value));
  await pause();
  return {
    known: known.length,
    unknown: scores.length - known.length,
    missing: [...missing].sort(([, one], [, other]) => other - one).map(([figure]) => figure),
    ...(await spread(known, pause)),
    top: highest(rows, scores),
  };
}

async function spread(known: Float64Array, pause: Pause): Promise<Pick<ScoreSummary, 'bins' | 'edges' | 'isLog'>> {
  if (known.length === 0) return { bins: [], edges: [], isLog: false };
  const [min, max] = await limitsOf(known, pause);
  if (min === max) return { bins: [known.length], edges: [min, max], isLog: false };
  const ranks = [0.5, 0.95].map((share) => Math.floor(share * (known.length - 1)));
  const [median, high] = (await valuesOfRank(known, ranks, pause)) as [number, number];
  const [minPositive] = await limitsOf(
    known.filter((value) => value > 0),
    pause,
  );
  const isLog = min >= 0 && minPositive < max && high > skewed * median;
  const edges = Array.from({ length: bins + 1 }, (_, edge) => {
    if (edge === 0) return min;
    if (edge === bins) return max;
    return isLog ? minPositive * (max / minPositive) ** (edge / bins) : min + ((max - min) * edge) / bins;
  });
  const counts = new Array<number>(bins).fill(0);
  await eachPiece(known.length, pause, (from, end) => {
    for (let at = from; at < end; at++) {
      let [low, high] = [0, bins - 1];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (edges[middle]! <= known[at]!) low = middle;
        else high = middle - 1;
      }
      counts[low]! += 1;
    }
  });
  return { bins: counts, edges, isLog };
}

function highest(rows: Uint32Array, scores: Float64Array): ScoreSummary['top'] {
  const best = new BestOf<number>(topRows, (one, other) => scores[other]! - scores[one]! || one - other);
  for (let at = 0; at < scores.length; at++) if (!Number.isNaN(scores[at])) best.offer(at);
  return best.inOrder().map((at) => ({ row: rows[at]!, score: scores[at]! }));
}
