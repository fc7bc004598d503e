import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { SavedText } from '../../model/source.ts';
import { useExplorer } from '../explorer-context.ts';

/** What people save under names, for all their visualizations. */
export type SavedKind = 'filterPresets' | 'savedScores';

const queryKeyOf = (kind: SavedKind) => ['saved texts', kind];

/** The user's saved filters or scores, and changes to them. Changes reject with errors that `explain` understands. */
export function useSavedTexts(kind: SavedKind, isEnabled = true) {
  const { source } = useExplorer();
  const queries = useQueryClient();
  // The same for all visualizations. Another tab may have changed them, so they are read whenever the panel opens.
  const queryKey = queryKeyOf(kind);
  const { data: texts, error } = useQuery({
    queryKey,
    queryFn: async () => (await source[kind]()).list(),
    enabled: isEnabled,
  });
  const set = (change: (texts: readonly SavedText[]) => readonly SavedText[]) =>
    queries.setQueryData<readonly SavedText[]>(queryKey, (known = []) => change(known).toSorted(byName));
  const put = (saved: SavedText): SavedText => {
    set((known) => [...known.filter(({ id }) => id !== saved.id), saved]);
    return saved;
  };
  return {
    /** Undefined until loaded. */
    texts,
    error,
    save: async (name: string, text: string) => put(await (await source[kind]()).save({ name, text })),
    rename: async (id: string, name: string) => put(await (await source[kind]()).rename(id, name)),
    async remove(id: string): Promise<void> {
      await (await source[kind]()).remove(id);
      set((known) => known.filter((saved) => saved.id !== id));
    },
  };
}

export type SavedTexts = ReturnType<typeof useSavedTexts>;

const byName = (one: SavedText, other: SavedText) => one.name.localeCompare(other.name, 'en');
