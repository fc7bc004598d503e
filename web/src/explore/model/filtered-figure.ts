import type { Figure } from '@kc/pack/filter/filter';
import type { Metric } from '../tree-data/figures.ts';

/** The figure by which a metric of the charts is filtered; undefined if single keywords do not have it. */
export function figureOf(metric: Metric): Figure | undefined {
  if (metric === 'keywords') return undefined;
  if (metric === 'field:competition') return 'competition';
  return metric === 'field:position' ? 'position' : metric;
}
