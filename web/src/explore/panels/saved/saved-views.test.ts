import type { SavedView } from '@kc/rules/view-api';
import { expect, test } from 'vitest';
import type { SavedViewCalls } from '../../model/source.ts';
import { savedViewsOf } from './saved-views.ts';

/** A server with one list, which can be unavailable. */
function serverOf(...names: string[]) {
  let views: SavedView[] = names.map((name) => ({ id: name, name, state: `view=${name}` }));
  let made = 0;
  const server = { isAway: false, names: () => views.map(({ name }) => name) };
  const there = async <T>(work: () => T): Promise<T> => {
    if (server.isAway) throw new Error('away');
    return work();
  };
  const calls: SavedViewCalls = {
    list: () => there(() => views),
    save: ({ at, ...view }) =>
      there(() => {
        const saved = { ...view, id: `new ${made++}` };
        views = views.toSpliced(at, 0, saved);
        return saved;
      }),
    order: (ids) =>
      there(() => {
        views = ids.map((id) => views.find((view) => view.id === id)!);
        return views;
      }),
    rename: (id, name) =>
      there(() => {
        views = views.map((view) => (view.id === id ? { ...view, name } : view));
        return views.find((view) => view.id === id)!;
      }),
    remove: (id) =>
      there(() => {
        views = views.filter((view) => view.id !== id);
      }),
  };
  return { server, calls };
}

async function listOf(...names: string[]) {
  const { server, calls } = serverOf(...names);
  const opened: string[] = [];
  const address = {
    link: () => '?v=a&t=dark&view=tree&q=trail',
    open: async (search: string, how: string) => void opened.push(`${how} ${search}`),
  };
  const saved = savedViewsOf({ source: { views: async () => calls }, address });
  await saved.load();
  return { saved, server, opened, names: () => saved.store.getState().views!.map(({ name }) => name) };
}

test('a view is saved at the end, without the visualization', async () => {
  const { saved, server, names } = await listOf('a', 'b');
  expect(saved.current()).toBe('view=tree&q=trail');
  await saved.save('c', saved.current()!);
  expect([names(), server.names()]).toEqual([
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ]);
});

test.each([
  ['a', 2, ['b', 'c', 'a']],
  ['c', 0, ['c', 'a', 'b']],
  ['b', 99, ['a', 'c', 'b']],
  ['b', -1, ['b', 'a', 'c']],
  ['b', 1, ['a', 'b', 'c']],
])('moving view %s to index %i gives %j', async (id, to, order) => {
  const { saved, server, names } = await listOf('a', 'b', 'c');
  await saved.move(id, to);
  expect([names(), server.names()]).toEqual([order, order]);
});

test('undoing a deletion restores the view and its position', async () => {
  const { saved, server, names } = await listOf('a', 'b', 'c');
  const restore = await saved.remove('b');
  expect([names(), server.names()]).toEqual([
    ['a', 'c'],
    ['a', 'c'],
  ]);
  expect(await restore()).toMatchObject({ name: 'b', state: 'view=b' });
  expect([names(), server.names()]).toEqual([
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ]);
});

test('undoing the deletion of the last view restores it at the end, even if others were deleted meanwhile', async () => {
  const { saved, names } = await listOf('a', 'b', 'c');
  const restore = await saved.remove('c');
  await saved.remove('a');
  await restore();
  expect(names()).toEqual(['b', 'c']);
});

test('a change that the server refused is reverted', async () => {
  const { saved, server, names } = await listOf('a', 'b');
  server.isAway = true;
  await expect(saved.move('a', 1)).rejects.toThrow('away');
  await expect(saved.rename('a', 'x')).rejects.toThrow('away');
  await expect(saved.remove('a')).rejects.toThrow('away');
  await expect(saved.save('c', '')).rejects.toThrow('away');
  expect(names()).toEqual(['a', 'b']);
});

test('a view is renamed in place, and opened as it was saved', async () => {
  const { saved, names, opened } = await listOf('a', 'b');
  const renamed = await saved.rename('a', 'Trail');
  expect(names()).toEqual(['Trail', 'b']);
  await saved.open(renamed);
  await saved.open(renamed, 'replace');
  expect(opened).toEqual(['push view=a', 'replace view=a']);
});

test('a list that fails to load gives the reason', async () => {
  const { saved, server } = await listOf('a');
  server.isAway = true;
  await expect(saved.load()).rejects.toThrow('away');
  expect(saved.store.getState()).toMatchObject({ failure: new Error('away'), views: [{ name: 'a' }] });
});
