import { branchLevelOf, noFilter } from '@kc/pack/filter/filter';
import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import { figureIn } from '../../format/figure-text.ts';
import type { Picked } from '../../model/picked.ts';
import type { PointsQuery } from '../../model/source.ts';
import type { Metric } from '../../tree-data/figures.ts';
import { boxOf, pickArea } from './lasso.ts';

/** What somebody wrote as the ends of a range. */
export type Written = { readonly from: string; readonly to: string };
type Ends = readonly [number, number];

/**
 * The ends as numbers, with the limits for empty ones; or what is wrong.
 *
 * @param of what they are values of
 */
export function endsIn({ from, to }: Written, [least, most]: Ends, of?: Metric): Ends | string {
  const [low, high] = [numberIn(from, least, of), numberIn(to, most, of)];
  if (low === undefined) return `“${from.trim()}” is not a number.`;
  if (high === undefined) return `“${to.trim()}” is not a number.`;
  if (low > high && from.trim() !== '' && to.trim() !== '') return `${from.trim()} is more than ${to.trim()}.`;
  // One end alone may lie beyond all values: then nothing is between.
  return from.trim() === '' ? [Math.min(low, high), high] : [low, Math.max(low, high)];
}

function numberIn(text: string, usual: number, of: Metric = 'keywords'): number | undefined {
  if (/^[\s,]*$/.test(text)) return usual;
  const value = figureIn(of, text);
  return Number.isFinite(value) ? value : undefined;
}

/** The figure whose known share can be asked for: an axis that clusters and pillars know for a part of their volume. */
export function shareFigureOf({ level, x, y }: PointsQuery): 'difficulty' | 'cpc' | undefined {
  if (level === 'keywords') return undefined;
  return ([x, y] as const).find(
    (figure): figure is 'difficulty' | 'cpc' => figure === 'difficulty' || figure === 'cpc',
  );
}

/**
 * The rows of the plot's level with both figures in a range.
 *
 * @param share the least known share of a figure; 0 asks for nothing
 */
export function pickByValues(
  query: PointsQuery,
  x: Ends,
  y: Ends,
  share: { readonly of: 'difficulty' | 'cpc'; readonly percent: number } | undefined,
): Picked {
  const picked = pickArea(query, boxOf(query, x, y));
  const filter = readFilter(picked.filter) ?? noFilter;
  if (!share || share.percent <= 0) return picked;
  const level = branchLevelOf(query.level);
  if (!level) return picked;
  const of = `known.${share.of}` as const;
  const others = filter.branches.filter((part) => part.level !== level || part.of !== of);
  const before = filter.branches.find((part) => part.level === level && part.of === of);
  const from = Math.max(share.percent, before?.from ?? 0);
  return { ...picked, filter: writeFilter({ ...filter, branches: [...others, { level, of, from, to: before?.to }] }) };
}
