import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import type { WarningLine } from '@kc/rules/warning-shapes';
import type { Explorer } from '../../model/explorer.ts';
import { rememberPlace } from '../../model/place-names.ts';

/**
 * Shows the keywords of a warning: filters to the branches that it is about, or opens the list of keywords outside the
 * hierarchy. A place that is a keyword is shown with that keyword alone.
 */
export function showKeywords(explorer: Explorer, line: WarningLine): void {
  const { store, source, setFilter } = explorer;
  if (line.kind === 'unplaced') {
    store.setState({ unplaced: '' });
    return;
  }
  const { filter, filtering } = store.getState();
  const places = line.places ?? [line];
  for (const { address, path } of places) rememberPlace(source, address, path.at(-1) ?? '');
  const within = places.map(({ address }) => address);
  void setFilter(writeFilter({ ...readFilter(filtering ?? filter)!, within }));
}
