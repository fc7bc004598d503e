import { isViewState, viewStateIn } from '@kc/rules/saved-view';
import type { SavedView } from '@kc/rules/view-api';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ExplorerSource } from '../../model/source.ts';

/** The reader's saved views of this visualization; `views` is undefined until loaded. */
export type SavedViewsState = { readonly views: readonly SavedView[] | undefined; readonly failure: unknown };

/**
 * The saved views of one explorer and the operations on them. Failures reject with errors that `explain` understands.
 */
export type SavedViews = ReturnType<typeof createSavedViews>;

/** The part of an explorer that saving and opening views needs. */
type Looked = {
  readonly source: Pick<ExplorerSource, 'views'>;
  readonly address: { link(): string; open(search: string, how: 'push' | 'replace'): Promise<void> };
};

const made = new WeakMap<Looked, SavedViews>();

/** Shared by all parts of the screen. */
export function savedViewsOf(explorer: Looked): SavedViews {
  const found = made.get(explorer) ?? createSavedViews(explorer);
  made.set(explorer, found);
  return found;
}

function createSavedViews(explorer: Looked) {
  const store: StoreApi<SavedViewsState> = createStore(() => ({ views: undefined, failure: undefined }));
  const known = () => store.getState().views ?? [];
  const set = (views: readonly SavedView[]) => store.setState({ views, failure: undefined });
  const calls = () => explorer.source.views();

  /** Loads the views, even if they are already known. */
  async function load(): Promise<readonly SavedView[]> {
    try {
      set(await (await calls()).list());
    } catch (failure) {
      store.setState({ failure });
      throw failure;
    }
    return known();
  }

  async function insert(view: Omit<SavedView, 'id'>, at: number): Promise<SavedView> {
    const saved = await (await calls()).save({ ...view, at });
    set(known().toSpliced(at, 0, saved));
    return saved;
  }

  /** The pending order request. The next one waits for it, so that the last one wins. */
  let placing: Promise<unknown> = Promise.resolve();

  /** Reorders the views optimistically and saves the order. Reverts it if saving fails. */
  async function place(views: readonly SavedView[]): Promise<void> {
    const before = known();
    set(views);
    const keep = async () => (await calls()).order(views.map(({ id }) => id));
    const mine = placing.then(keep, keep);
    placing = mine;
    try {
      await mine;
    } catch (failure) {
      set(before);
      throw failure;
    }
  }

  return {
    store,
    load,

    /** The state that would be saved now; undefined if it exceeds what a view can hold. */
    current(): string | undefined {
      const state = viewStateIn(explorer.address.link());
      return isViewState(state) ? state : undefined;
    },

    /** Saves the current view at the end of the list. */
    save: (name: string, state: string): Promise<SavedView> => insert({ name, state }, known().length),

    async rename(id: string, name: string): Promise<SavedView> {
      const renamed = await (await calls()).rename(id, name);
      set(known().map((view) => (view.id === id ? renamed : view)));
      return renamed;
    },

    /** Moves a view to an index, counted from 0. */
    async move(id: string, to: number): Promise<void> {
      const views = known();
      const moved = views.find((view) => view.id === id);
      const at = Math.min(views.length - 1, Math.max(0, to));
      if (!moved || views[at] === moved) return;
      await place(views.filter((view) => view !== moved).toSpliced(at, 0, moved));
    },

    /** @returns a function that saves the view again at its previous position */
    async remove(id: string): Promise<() => Promise<SavedView>> {
      const at = known().findIndex((view) => view.id === id);
      const gone = known()[at];
      await (await calls()).remove(id);
      set(known().filter((view) => view.id !== id));
      return () => {
        if (!gone) throw new RangeError(`No saved view ${id}`);
        return insert({ name: gone.name, state: gone.state }, Math.min(at, known().length));
      };
    },

    /** Opens a view. `replace` adds no history entry. */
    open: (view: SavedView, how: 'push' | 'replace' = 'push'): Promise<void> => explorer.address.open(view.state, how),
  };
}
