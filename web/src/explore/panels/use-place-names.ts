import type { Filter } from '@kc/pack/filter/filter';
import { useQuery } from '@tanstack/react-query';
import { learnPlaces, placeText } from '../model/place-names.ts';
import { useExplorer } from './explorer-context.ts';

/** The names of the nodes in a filter, as far as they are known. Re-renders when more names load. */
export function usePlaceNames({ within, outside }: Filter): (address: string) => string {
  const { id, source } = useExplorer();
  const places = [...within, ...outside];
  useQuery({
    queryKey: ['places', id, ...places],
    queryFn: async ({ signal }) => {
      await learnPlaces(source, places, signal);
      return true;
    },
    enabled: places.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (address) => placeText(source, address);
}
