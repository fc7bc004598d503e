import type { client as ownClient } from '../../api/client.ts';
import { fetchTotals } from '../../api/levels.ts';
import type { LevelCalls } from '../../explore/model/source.ts';

/**
 * The calls about all keywords and whole levels of one visualization.
 *
 * @param at the address of its calls without a contract
 * @param client those of a session, or of a link
 */
export const levelsOf = (
  id: string,
  at: string,
  { visualizations }: Pick<typeof ownClient, 'visualizations'>,
): LevelCalls => ({
  histogram: (of, filter, signal) => visualizations.histogram({ id, of, ...under(filter) }, { signal }),
  checkScore: ({ filter, ...asked }, signal) =>
    visualizations.checkScore({ id, ...asked, ...under(filter) }, { signal }),
  selectionTotals: (selection, signal) => fetchTotals(at, selection, signal),
  points: ({ filter, ...asked }, signal) => visualizations.points({ id, ...asked, ...under(filter) }, { signal }),
  density: ({ filter, level, within, x, y, size }, edges, signal) =>
    visualizations.density({ id, level, within, x, y, size, edges, ...under(filter) }, { signal }),
});

const under = (filter: string) => (filter === '' ? {} : { filter });
