import { limits } from '@kc/rules/limits';
import { useQuery } from '@tanstack/react-query';
import type { Pillar } from '../../charts/paint/legend.ts';
import { addressIn, nameIn } from '../../model/slice-rows.ts';
import { useExplorer } from '../explorer-context.ts';

/**
 * The pillar topics of the whole file, as far as they are among its heaviest branches; undefined until loaded or if not
 * wanted.
 */
export function usePillars(isWanted: boolean): readonly Pillar[] | undefined {
  const { id, source } = useExplorer();
  const { data } = useQuery({
    queryKey: ['pillars', id],
    queryFn: async ({ signal }): Promise<readonly Pillar[]> => {
      const slice = await source.slice({ node: 0, budget: limits.firstSliceRows, skip: 0 }, signal);
      return Array.from(slice.node.keys())
        .filter((row) => row > 0 && slice.parent[row] === 0)
        .map((row) => ({ node: slice.node[row]!, name: nameIn(slice, row), address: addressIn(slice, row) }));
    },
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return isWanted ? data : undefined;
}
