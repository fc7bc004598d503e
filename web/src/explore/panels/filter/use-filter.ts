import type { Filter } from '@kc/pack/filter/filter';
import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import type { Histogram } from '@kc/rules/shapes';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useExplorer, useLook } from '../explorer-context.ts';

/** The requested filter, applied or still loading, and a function to change it. */
export function useFilter(): { filter: Filter; change: (next: Filter, settleMs?: number) => void } {
  const explorer = useExplorer();
  const text = useLook((state) => state.filtering ?? state.filter);
  const filter = useMemo(() => readFilter(text)!, [text]);
  return { filter, change: (next, settleMs) => void explorer.setFilter(writeFilter(next), settleMs) };
}

/**
 * The distribution of keywords over a filter criterion; undefined until loaded. Keeps the latest response while
 * reloading.
 */
export function useHistogram(of: string): { readonly data: Histogram | undefined; readonly isPending: boolean } {
  const { id, source } = useExplorer();
  const filter = useLook((state) => state.filter);
  return useQuery({
    queryKey: ['histogram', id, of, filter],
    queryFn: async ({ signal }) => (await source.levels()).histogram(of, filter, signal),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
