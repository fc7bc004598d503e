import { type Filter, placesIn } from '@kc/pack/filter/filter';
import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import type { Histogram } from '@kc/rules/shapes';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { hide } from '../../model/change-filter.ts';
import type { Explorer } from '../../model/explorer.ts';
import { fetchPlaceNames, placeText, rememberPlace } from '../../model/place-names.ts';
import { useExplorer, useLook } from '../explorer-context.ts';

type ChangeFilter = (next: Filter, settleMs?: number, onFailure?: (why: string) => void) => void;

/** The requested filter, applied or still loading, and a function to change it. */
export function useFilter(): { filter: Filter; change: ChangeFilter } {
  const explorer = useExplorer();
  const text = useLook((state) => state.filtering ?? state.filter);
  const filter = useMemo(() => readFilter(text)!, [text]);
  return {
    filter,
    change: (next, settleMs, onFailure) => void explorer.setFilter(writeFilter(next), settleMs, undefined, onFailure),
  };
}

/**
 * The distribution of keywords over a filter criterion; undefined until loaded. Keeps the latest response while
 * reloading.
 *
 * @param under the filter; by default the applied one
 */
export function useHistogram(
  of: string,
  under?: string,
): { readonly data: Histogram | undefined; readonly isPending: boolean } {
  const { id, source } = useExplorer();
  const applied = useLook((state) => state.filter);
  const filter = under ?? applied;
  return useQuery({
    queryKey: ['histogram', id, of, filter],
    queryFn: ({ signal }) => source.histogram(of, filter, signal),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

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

/** The names of the nodes in a filter, as far as they are known. Re-renders when more names load. */
export function usePlaceNames(filter: Filter): (address: string) => string {
  const { id, source } = useExplorer();
  const places = placesIn(filter);
  useQuery({
    queryKey: ['places', id, ...places],
    queryFn: async ({ signal }) => {
      await fetchPlaceNames(source, places, signal);
      return true;
    },
    enabled: places.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (address) => placeText(source, address);
}
