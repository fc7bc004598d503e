import { isViewState, viewStateIn } from '@kc/rules/saved-view';
import type { SavedView } from '@kc/rules/shapes';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ExplorerSource } from '../../model/source.ts';

/** What is known of the views that the reader saved of these data; `views` is undefined until they have come. */
export type SavedViewsState = { readonly views: readonly SavedView[] | undefined; readonly failure: unknown };

/** The saved views of one explorer, and what can be done with them. Calls reject with what `explain` can say. */
export type SavedViews = ReturnType<typeof createSavedViews>;

/** What of an explorer views are saved from and shown in. */
type Looked = {
  readonly source: Pick<ExplorerSource, 'views'>;
  readonly address: { link(): string; open(search: string, how: 'push' | 'replace'): Promise<void> };
};

const made = new WeakMap<Looked, SavedViews>();

/** The same for every part of the screen. */
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

  /** Asks for them, whatever is known already. */
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

  /** The order that is being kept: the next one waits, so that the last one wins. */
  let placing: Promise<unknown> = Promise.resolve();

  /** Shows them in an order at once, and keeps it; as they were again where that fails. */
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

    /** What would be saved now; undefined when it says more than a view can hold. */
    current(): string | undefined {
      const state = viewStateIn(explorer.address.link());
      return isViewState(state) ? state : undefined;
    },

    /** Saves what is looked at, at the end of the list. */
    save: (name: string, state: string): Promise<SavedView> => insert({ name, state }, known().length),

    async rename(id: string, name: string): Promise<SavedView> {
      const renamed = await (await calls()).rename(id, name);
      set(known().map((view) => (view.id === id ? renamed : view)));
      return renamed;
    },

    /** Brings a view to another place, counted from 0. */
    async move(id: string, to: number): Promise<void> {
      const views = known();
      const moved = views.find((view) => view.id === id);
      const at = Math.min(views.length - 1, Math.max(0, to));
      if (!moved || views[at] === moved) return;
      await place(views.filter((view) => view !== moved).toSpliced(at, 0, moved));
    },

    /** @returns saves it again where it was */
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

    /** Shows a view. `replace` makes no step that Back undoes. */
    open: (view: SavedView, how: 'push' | 'replace' = 'push'): Promise<void> => explorer.address.open(view.state, how),
  };
}
