import { say } from '@kc/rules/explorer-messages';
import { exact } from '../../format/figure-text.ts';
import { combinePicked, mostPicked, nothingPicked } from '../../model/picked.ts';
import type { PointsQuery } from '../../model/source.ts';
import { useExplorer } from '../explorer-context.ts';
import { areaOf, type Place, pickArea, type Scales } from './lasso.ts';
import type { LassoEffect } from './use-lasso.ts';

/** Selects everything in a shape, or adds it to what is selected, or takes it away. */
export function usePickShape(query: PointsQuery, scales: Scales) {
  const { store, source, explain } = useExplorer();
  return async (shape: readonly Place[], effect: LassoEffect): Promise<void> => {
    const before = store.getState().picked;
    const inShape = pickArea(query, areaOf(shape, query, scales));
    if (effect === 'replace' || (effect === 'add' && before === nothingPicked)) {
      store.setState({ picked: inShape });
      return;
    }
    try {
      const both = await combinePicked(source, before, inShape, effect, query.filter);
      // Something else was selected in the meantime.
      if (store.getState().picked !== before) return;
      if (!both) store.setState({ notice: say('explore/selection-too-large', { most: exact(mostPicked) }) });
      else store.setState({ picked: both.rows.size === 0 ? nothingPicked : both });
    } catch (failure) {
      store.setState({ notice: explain(failure) });
    }
  };
}
