import { limits } from '@kc/rules/limits';
import { isViewState, viewStateIn } from '@kc/rules/saved-view';
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Explorer } from '../../model/explorer.ts';
import type { SavedText } from '../../model/source.ts';
import { useExplorer } from '../explorer-context.ts';

/**
 * What people save under names: views of one visualization, in an order of their own, and filters and scores for all of
 * them, in the order of their names.
 */
type SavedKind = 'views' | 'filterPresets' | 'savedScores';

/** What the user has saved of a kind, and changes to it. */
export type Saved = ReturnType<typeof useSaved>;

type Keeper = Pick<Explorer, 'id' | 'source'>;

/** The texts of a kind. Another tab may have changed them, so they are read whenever they are shown. */
export const savedQuery = ({ id, source }: Keeper, kind: SavedKind) =>
  queryOptions({
    queryKey: ['saved', kind, kind === 'views' ? id : ''],
    queryFn: () => source[kind].list(),
  });

export function useSaved(kind: SavedKind, isEnabled = true) {
  const explorer = useExplorer();
  const queries = useQueryClient();
  const { data: texts, error } = useQuery({ ...savedQuery(explorer, kind), enabled: isEnabled });
  const changes = useMemo(() => changesTo(explorer, kind, queries), [explorer, kind, queries]);
  return {
    /** Undefined until loaded. */
    texts,
    error,
    isOrdered: kind === 'views',
    maxNameLength: kind === 'views' ? limits.maxViewNameLength : limits.maxPresetNameLength,
    ...changes,
  };
}

/** Changes to what the user has saved. Each rejects with an error that `explain` understands. */
export function changesTo(explorer: Keeper, kind: SavedKind, queries: QueryClient) {
  const { queryKey } = savedQuery(explorer, kind);
  const calls = explorer.source[kind];
  const known = (): readonly SavedText[] => queries.getQueryData(queryKey) ?? [];
  const set = (texts: readonly SavedText[]) =>
    queries.setQueryData(queryKey, kind === 'views' ? texts : texts.toSorted(byName));

  async function insert(name: string, text: string, at: number): Promise<SavedText> {
    const saved = await calls.save({ name, text, at });
    const others = known().filter(({ id }) => id !== saved.id);
    set(others.toSpliced(at, 0, saved));
    return saved;
  }

  /**
   * Shows an order and saves it, after the orders before, so that the last one wins. Reverts it if that fails, but nothing
   * else that has changed meanwhile.
   */
  function place(texts: readonly SavedText[]): Promise<unknown> {
    const before = known().map(({ id }) => id);
    const order = texts.map(({ id }) => id);
    set(texts);
    const ordering = queries.getMutationCache().build(queries, {
      scope: { id: queryKey.join(' ') },
      networkMode: 'always',
      mutationFn: async () => calls.order?.(order),
      onError: () => set(reordered(known(), order, before)),
    });
    return ordering.execute(undefined);
  }

  return {
    /** Saves a text at the end of the list. */
    save: (name: string, text: string): Promise<SavedText> => insert(name, text, known().length),

    async rename(id: string, name: string): Promise<SavedText> {
      const renamed = await calls.rename(id, name);
      set(known().map((saved) => (saved.id === id ? renamed : saved)));
      return renamed;
    },

    /** Moves a text to an index, counted from 0. */
    async move(id: string, to: number): Promise<void> {
      const texts = known();
      const moved = texts.find((saved) => saved.id === id);
      const at = Math.min(texts.length - 1, Math.max(0, to));
      if (!moved || texts[at] === moved) return;
      await place(texts.filter((saved) => saved !== moved).toSpliced(at, 0, moved));
    },

    /** @returns a function that saves the text again at its previous position */
    async remove(id: string): Promise<() => Promise<SavedText>> {
      const at = known().findIndex((saved) => saved.id === id);
      const gone = known()[at];
      await calls.remove(id);
      set(known().filter((saved) => saved.id !== id));
      return () => {
        if (!gone) throw new RangeError(`Nothing saved as ${id}`);
        return insert(gone.name, gone.text, Math.min(at, known().length));
      };
    },
  };
}

/**
 * Texts whose order is taken back: those that were there are in the order before, what was saved meanwhile is where it is.
 * Nothing is taken back once another order is shown.
 */
function reordered(
  texts: readonly SavedText[],
  order: readonly string[],
  before: readonly string[],
): readonly SavedText[] {
  const there = texts.filter(({ id }) => order.includes(id));
  const isShown = order.filter((id) => there.some((text) => text.id === id)).every((id, at) => there[at]!.id === id);
  if (!isShown) return texts;
  const earlier = there.toSorted((one, other) => before.indexOf(one.id) - before.indexOf(other.id));
  return texts.map((text) => (order.includes(text.id) ? earlier.shift()! : text));
}

const byName = (one: SavedText, other: SavedText) => one.name.localeCompare(other.name, 'en');

/** The state that would be saved now; undefined if it exceeds what a view can hold. */
export function currentView({ address }: { readonly address: Pick<Explorer['address'], 'link'> }): string | undefined {
  const state = viewStateIn(address.link());
  return isViewState(state) ? state : undefined;
}
