import type { WarningKind } from '@kc/rules/warnings';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useExplorer, useLook } from '../explorer-context.ts';
import { warningsKey } from './use-warnings.ts';

// What only whoever looks at warnings asks for.

export function useWarningLines(kind: WarningKind) {
  const explorer = useExplorer();
  const filter = useLook((state) => state.filter);
  return useInfiniteQuery({
    queryKey: [...warningsKey(explorer), 'page', kind, filter],
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }) => (await explorer.source.warnings()).page(kind, pageParam, filter, signal),
    getNextPageParam: ({ total }, pages) => {
      const known = pages.reduce((sum, { lines }) => sum + lines.length, 0);
      return known < total ? known : undefined;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useNodeWarnings(node: number) {
  const explorer = useExplorer();
  const filter = useLook((state) => state.filter);
  return useQuery({
    queryKey: [...warningsKey(explorer), 'node', node, filter],
    queryFn: async ({ signal }) => (await explorer.source.warnings()).ofNode(node, filter, signal),
    enabled: explorer.hasWarnings,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useDismissed() {
  const explorer = useExplorer();
  return useQuery({
    queryKey: [...warningsKey(explorer), 'dismissed'],
    queryFn: async ({ signal }) => (await explorer.source.warnings()).dismissed(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
