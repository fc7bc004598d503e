import type { FilterPreset } from '@kc/rules/filter-preset-api';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useExplorer } from '../explorer-context.ts';

/** The user's saved filters, and changes to them. Changes reject with errors that `explain` understands. */
export function useSavedPresets() {
  const { source } = useExplorer();
  const queries = useQueryClient();
  // The same for all visualizations. Another tab may have changed them, so they are read whenever the panel opens.
  const queryKey = ['filter-presets'];
  const { data: presets, error } = useQuery({ queryKey, queryFn: async () => (await source.filterPresets()).list() });
  const set = (change: (presets: readonly FilterPreset[]) => readonly FilterPreset[]) =>
    queries.setQueryData<readonly FilterPreset[]>(queryKey, (known = []) => change(known).toSorted(byName));
  const put = (preset: FilterPreset): FilterPreset => {
    set((known) => [...known.filter(({ id }) => id !== preset.id), preset]);
    return preset;
  };
  return {
    /** Undefined until loaded. */
    presets,
    error,
    save: async (name: string, filter: string) => put(await (await source.filterPresets()).save({ name, filter })),
    rename: async (id: string, name: string) => put(await (await source.filterPresets()).rename(id, name)),
    async remove(id: string): Promise<void> {
      await (await source.filterPresets()).remove(id);
      set((known) => known.filter((preset) => preset.id !== id));
    },
  };
}

export type SavedPresets = ReturnType<typeof useSavedPresets>;

const byName = (one: FilterPreset, other: FilterPreset) => one.name.localeCompare(other.name, 'en');
