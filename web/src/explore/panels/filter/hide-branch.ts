import type { Filter } from '@kc/pack/filter/filter';
import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import { hide } from '../../model/change-filter.ts';
import type { Explorer } from '../../model/explorer.ts';
import { rememberPlace } from '../../model/place-names.ts';

/**
 * Excludes a node and its descendants with the filter. Does nothing for the root, for no row, and for excluded nodes.
 */
export function hideBranch(explorer: Explorer, row: number): void {
  const { tree, source, setFilter } = explorer;
  if (row <= 0 || tree.isLeftOut(row)) return;
  const address = tree.addressOf(row);
  rememberPlace(source, address, tree.name(row));
  void setFilter(writeFilter(hide(wantedFilter(explorer), address)));
}

/** Whether a faintly shown node was itself hidden. */
export const isHidden = (explorer: Explorer, row: number): boolean =>
  explorer.tree.isLeftOut(row) && wantedFilter(explorer).outside.includes(explorer.tree.addressOf(row));

/** Undoes hiding a node. */
export function showBranch(explorer: Explorer, row: number): void {
  const filter = wantedFilter(explorer);
  const address = explorer.tree.addressOf(row);
  void explorer.setFilter(writeFilter({ ...filter, outside: filter.outside.filter((place) => place !== address) }));
}

function wantedFilter({ store }: Explorer): Filter {
  const { filter, filtering } = store.getState();
  return readFilter(filtering ?? filter)!;
}
