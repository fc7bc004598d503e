import type { SavedView } from '@kc/rules/saved-api';
import type { Handlers } from './fake-api.ts';

type Saved = { readonly id: string; readonly name: string; readonly text: string };

/** What somebody saves under names. */
function savedTexts() {
  let saved: readonly Saved[] = [];
  let made = 0;
  const put = (one: Saved): Saved => {
    saved = [...saved.filter(({ id }) => id !== one.id), one];
    return one;
  };
  return {
    list: () => saved.toSorted((one, other) => one.name.localeCompare(other.name, 'en')),
    save: (name: string, text: string) => put({ id: `saved-${++made}`, name, text }),
    change: (id: string, change: { readonly name?: string | undefined; readonly text?: string | undefined }) => {
      const one = saved.find((other) => other.id === id)!;
      return put({ ...one, name: change.name ?? one.name, text: change.text ?? one.text });
    },
    remove: (id: string) => {
      saved = saved.filter((one) => one.id !== id);
      return { id };
    },
  };
}

/** Ann's saved filters, none at first. */
export function savedFilters(): Handlers {
  const saved = savedTexts();
  const shown = ({ text: filter, ...one }: Saved) => ({ ...one, filter });
  return {
    'filterPresets.list': () => saved.list().map(shown),
    'filterPresets.save': ({ name, filter }) => shown(saved.save(name, filter)),
    'filterPresets.change': ({ id, name, filter }) => shown(saved.change(id, { name, text: filter })),
    'filterPresets.remove': ({ id }) => saved.remove(id),
  };
}

/** Ann's saved scores, none at first. */
export function savedScores(): Handlers {
  const saved = savedTexts();
  const shown = ({ text: score, ...one }: Saved) => ({ ...one, score });
  return {
    'scores.list': () => saved.list().map(shown),
    'scores.save': ({ name, score }) => shown(saved.save(name, score)),
    'scores.change': ({ id, name, score }) => shown(saved.change(id, { name, text: score })),
    'scores.remove': ({ id }) => saved.remove(id),
  };
}

/** Ann's saved views, in their order; by default none. */
export function savedViews(...first: readonly { readonly name: string; readonly state: string }[]) {
  let views: readonly SavedView[] = first.map((view, at) => ({ id: `view-${at}`, ...view }));
  let made = 0;
  const api = {
    'views.list': () => [...views],
    'views.save': ({ name, state, at = views.length }) => {
      const view = { id: `view-saved-${++made}`, name, state };
      views = views.toSpliced(at, 0, view);
      return view;
    },
    'views.order': ({ ids }) => {
      views = ids.map((id) => views.find((view) => view.id === id)!);
      return [...views];
    },
    'views.rename': ({ id, name }) => {
      views = views.map((view) => (view.id === id ? { ...view, name } : view));
      return views.find((view) => view.id === id)!;
    },
    'views.remove': ({ id }) => {
      views = views.filter((view) => view.id !== id);
      return { id };
    },
  } satisfies Handlers;
  return { api, views: () => views };
}
