import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { ExplorerSource, SavedText, SavedTextCalls } from '../../model/source.ts';
import { changesTo, currentView, savedQuery } from './saved.ts';

/** A server with one list, which can be unavailable. The first order of the list arrives when `held` allows. */
function serverOf(...names: string[]) {
  let texts: SavedText[] = names.map((name) => ({ id: name, name, text: `view=${name}` }));
  let made = 0;
  const server = { isAway: false, held: Promise.resolve(), names: () => texts.map(({ name }) => name) };
  const there = async <T>(work: () => T): Promise<T> => {
    if (server.isAway) throw new Error('away');
    return work();
  };
  const calls: SavedTextCalls = {
    list: () => there(() => texts),
    save: ({ at, ...text }) =>
      there(() => {
        const saved = { ...text, id: `new ${made++}` };
        texts = texts.toSpliced(at, 0, saved);
        return saved;
      }),
    order: async (ids) => {
      const { held } = server;
      server.held = Promise.resolve();
      await held;
      return there(() => {
        texts = ids.map((id) => texts.find((text) => text.id === id)!);
      });
    },
    rename: (id, name) =>
      there(() => {
        texts = texts.map((text) => (text.id === id ? { ...text, name } : text));
        return texts.find((text) => text.id === id)!;
      }),
    remove: (id) =>
      there(() => {
        texts = texts.filter((text) => text.id !== id);
      }),
  };
  return { server, calls };
}

/** What is saved on a server, as the page shows it. */
async function listOf(kind: 'views' | 'savedScores', ...names: string[]) {
  const { server, calls } = serverOf(...names);
  const explorer = { id: 'map', source: { [kind]: calls } as unknown as ExplorerSource };
  const queries = new QueryClient();
  const query = savedQuery(explorer, kind);
  await queries.fetchQuery(query);
  const shown = () => queries.getQueryData(query.queryKey)!.map(({ name }) => name);
  return { saved: changesTo(explorer, kind, queries), server, names: shown };
}

test('a view is saved at the end, without the visualization', async () => {
  const { saved, server, names } = await listOf('views', 'a', 'b');
  const state = currentView({ address: { link: () => '?v=a&t=dark&view=tree&q=trail' } });
  expect(state).toBe('view=tree&q=trail');
  await saved.save('c', state!);
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
  const { saved, server, names } = await listOf('views', 'a', 'b', 'c');
  await saved.move(id, to);
  expect([names(), server.names()]).toEqual([order, order]);
});

test('of two moves at once the last one wins, however late the first one arrives', async () => {
  const { saved, server, names } = await listOf('views', 'a', 'b', 'c');
  const arrivals: (() => void)[] = [];
  server.held = new Promise((resolve) => arrivals.push(resolve));
  const moves = [saved.move('a', 2), saved.move('c', 0)];
  await new Promise((done) => setTimeout(done));
  for (const arrive of arrivals) arrive();
  await Promise.all(moves);
  expect([names(), server.names()]).toEqual([
    ['c', 'b', 'a'],
    ['c', 'b', 'a'],
  ]);
});

test('undoing a deletion restores the view and its position', async () => {
  const { saved, server, names } = await listOf('views', 'a', 'b', 'c');
  const restore = await saved.remove('b');
  expect([names(), server.names()]).toEqual([
    ['a', 'c'],
    ['a', 'c'],
  ]);
  expect(await restore()).toMatchObject({ name: 'b', text: 'view=b' });
  expect([names(), server.names()]).toEqual([
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ]);
});

test('undoing the deletion of the last view restores it at the end, even if others were deleted meanwhile', async () => {
  const { saved, names } = await listOf('views', 'a', 'b', 'c');
  const restore = await saved.remove('c');
  await saved.remove('a');
  await restore();
  expect(names()).toEqual(['b', 'c']);
});

test('a change that the server refused is reverted', async () => {
  const { saved, server, names } = await listOf('views', 'a', 'b');
  server.isAway = true;
  await expect(saved.move('a', 1)).rejects.toThrow('away');
  await expect(saved.rename('a', 'x')).rejects.toThrow('away');
  await expect(saved.remove('a')).rejects.toThrow('away');
  await expect(saved.save('c', '')).rejects.toThrow('away');
  expect(names()).toEqual(['a', 'b']);
});

test('a refused order takes back nothing that was saved, renamed or moved meanwhile', async () => {
  const { saved, server, names } = await listOf('views', 'a', 'b', 'c');
  const refuses: ((why: Error) => void)[] = [];
  const hold = () => {
    server.held = new Promise((_, reject) => refuses.push(reject));
  };
  hold();
  const moving = saved.move('a', 2);
  await saved.rename('b', 'Trail');
  await saved.save('d', '');
  expect(names()).toEqual(['Trail', 'c', 'a', 'd']);
  refuses[0]!(new Error('away'));
  await expect(moving).rejects.toThrow('away');
  expect(names()).toEqual(['a', 'Trail', 'c', 'd']);

  hold();
  const first = saved.move('a', 1);
  await new Promise((done) => setTimeout(done));
  const second = saved.move('c', 0);
  refuses[1]!(new Error('away'));
  await expect(first).rejects.toThrow('away');
  await second;
  expect(names()).toEqual(['c', 'Trail', 'a', 'd']);
  expect(server.names()).toEqual(names());
});

test('a view is renamed in place, and a score is then in the order of names', async () => {
  const views = await listOf('views', 'a', 'b');
  await views.saved.rename('a', 'Trail');
  expect(views.names()).toEqual(['Trail', 'b']);
  const scores = await listOf('savedScores', 'a', 'b');
  await scores.saved.rename('a', 'Trail');
  await scores.saved.save('c', 'volume');
  expect(scores.names()).toEqual(['b', 'c', 'Trail']);
});
