import type { Histogram } from '@kc/rules/shapes';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useExplorer, useLook } from '../explorer-context.ts';

/**
 * The distribution of keywords over a filter criterion; undefined until loaded. Keeps the latest response while
 * reloading.
 */
export function useHistogram(of: string): { readonly data: Histogram | undefined; readonly isPending: boolean } {
  const { id, source } = useExplorer();
  const filter = useLook((state) => state.filter);
  return useQuery({
    queryKey: ['histogram', id, of, filter],
    queryFn: ({ signal }) => source.histogram(of, filter, signal),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
