import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type MatchedEntry, matchEntries, suggestPlace } from './plan-match.ts';

/** Entries as `id: current, earlier, …`. */
const entries = (...texts: string[]): MatchedEntry[] =>
  texts.map((text) => {
    const [id, paths] = text.split(': ');
    return { id: id!, paths: paths!.split(', ') };
  });
const among =
  (...paths: string[]) =>
  (path: string) =>
    paths.includes(path) ? path : undefined;
const matched = (all: readonly MatchedEntry[], ...paths: string[]) =>
  Object.fromEntries(matchEntries(all, among(...paths)));

test('an entry has the node at its path, otherwise the one at an earlier path, otherwise none', () => {
  const all = entries('a: Chat/Live', 'b: Support, Help', 'c: Gone, Old');
  expect(matched(all, 'Chat/Live', 'Help')).toEqual({ a: 'Chat/Live', b: 'Help' });
});

test('of several earlier paths the newest counts', () => {
  expect(matched(entries('a: 3, 2, 1'), '1', '2')).toEqual({ a: '2' });
});

test('an earlier path belongs to the entry that has it now', () => {
  const all = entries('moved: New, Place', 'added: Place');
  expect(matched(all, 'Place')).toEqual({ added: 'Place' });
  expect(matched(all, 'New', 'Place')).toEqual({ moved: 'New', added: 'Place' });
});

// Shows P24.4.
test('no two entries share a node, and a node at a current path is always found', () => {
  const path = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const some = fc.array(fc.uniqueArray(path, { minLength: 1, maxLength: 4 }), { maxLength: 6 });
  fc.assert(
    fc.property(some, fc.subarray(['a', 'b', 'c', 'd', 'e']), (lists, there) => {
      const all = lists.map((paths, at) => ({ id: String(at), paths }));
      const found = matchEntries(all, among(...there));
      expect(new Set(found.values()).size).toBe(found.size);
      for (const { id, paths } of all) {
        const node = found.get(id);
        if (node !== undefined) expect(paths).toContain(node);
        const isFirst = all.findIndex((one) => one.paths[0] === paths[0]) === Number(id);
        if (isFirst && there.includes(paths[0]!)) expect(node).toBe(paths[0]);
        // Without a node, each of its paths is missing or belongs to another entry.
        if (node === undefined) {
          for (const one of paths) if (there.includes(one)) expect([...found.values()]).toContain(one);
        }
      }
    }),
  );
});

test('a branch is suggested from half of the keywords on, and likely if it is clearly the one', () => {
  const like = (...overlaps: number[]) =>
    suggestPlace(overlaps.map((overlap, at) => ({ address: String(at), overlap })));
  expect(like(0.3, 0.92, 0.2)).toEqual({ address: '1', overlap: 0.92, isLikely: true });
  expect(like(0.92, 0.5)).toEqual({ address: '0', overlap: 0.92, isLikely: false });
  expect(like(0.5)).toEqual({ address: '0', overlap: 0.5, isLikely: false });
  expect([like(0.49), like()]).toEqual([undefined, undefined]);
});
