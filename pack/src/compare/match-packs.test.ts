import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchNaively, placeNodes } from '../../test/support/compare-oracle.ts';
import { edits, editTree } from '../../test/support/edited-trees.ts';
import type { PlainNode } from '../../test/support/filter-oracle.ts';
import { entries, packOf, root, rowsInFile } from '../../test/support/filter-trees.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { matchKinds, matchPacks } from './match-packs.ts';

// A short version of `npm run prove -- matches`.
const { PROVE_RUNS } = process.env;
const runs = Number(PROVE_RUNS ?? 40);
const key = [0x9e3779b9, 0x7f4a7c15] as const;
const kindNames = Object.keys(matchKinds);

const placed = async (tree: PlainNode, pack: PackReader) =>
  placeNodes(tree, await rowsInFile(pack), await pack.column('is_keyword'));

async function compared(after: PlainNode, before: PlainNode) {
  const [{ pack }, { pack: packBefore }] = [await packOf(after, []), await packOf(before, [])];
  const { kind, before: rows } = await matchPacks(pack, packBefore, key);
  const list = (await placed(after, pack)).map(({ name, row }) => `${name}: ${kindNames[kind[row]!]}`);
  return { list, rows, pack, packBefore };
}

test('every node is matched as a naive comparison matches it, for random trees and edits', async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(root, entries, edits, fc.boolean(), async (tree, keywords, edited, isNamed) => {
      const changed = { ...editTree(tree, edited), ...(isNamed && { name: 'another root' }) };
      const [{ pack }, { pack: packBefore }] = [await packOf(changed, keywords), await packOf(tree, keywords)];
      const { kind, before, after } = await matchPacks(pack, packBefore, key);
      const expected = matchNaively(await placed(changed, pack), await placed(tree, packBefore));
      expect(
        Array.from(kind, (value, row) => ({
          kind: kindNames[value],
          before: before[row] === noRow ? undefined : before[row],
        })),
      ).toEqual(expected);
      for (const [row, rowBefore] of before.entries()) if (rowBefore !== noRow) expect(after[rowBefore]).toBe(row);
      for (const [rowBefore, row] of after.entries()) if (row !== noRow) expect(before[row]).toBe(rowBefore);
      for (const { kind } of expected) seen.set(kind, (seen.get(kind) ?? 0) + 1);
    }),
    { numRuns: runs, ...(PROVE_RUNS ? {} : { seed: 1 }) },
  );
  expect([...seen.keys()].sort()).toEqual(['moved', 'new', 'renamed', 'same']);
});

const leaf = (name: string): PlainNode => ({ name });
const branch = (name: string, ...children: PlainNode[]): PlainNode => ({ name, children });
const some = ['one', 'two', 'three', 'four', 'five'].map(leaf);

test('a branch with another name and three of five keywords is renamed, and its contents are the same', async () => {
  const { list } = await compared(
    branch('root', branch('Shops', ...some.slice(0, 4))),
    branch('root', branch('Stores', ...some.slice(0, 3), some[4]!)),
  );
  expect(list).toEqual(['root: same', 'Shops: renamed', 'one: same', 'two: same', 'three: same', 'four: new']);
});

test('with two of five in common it is another branch, and the keywords have moved', async () => {
  const { list } = await compared(
    branch('root', branch('Shops', some[0]!, some[1]!, some[2]!, leaf('six'))),
    branch('root', branch('Stores', some[0]!, some[1]!, some[4]!)),
  );
  expect(list).toEqual(['root: same', 'Shops: new', 'one: moved', 'two: moved', 'three: new', 'six: new']);
});

test('a moved branch is one change', async () => {
  const { list } = await compared(
    branch('root', branch('A', leaf('x')), branch('B', leaf('y'), branch('Live', branch('Chat', ...some)))),
    branch('root', branch('A', leaf('x'), branch('Live', branch('Chat', ...some))), branch('B', leaf('y'))),
  );
  expect(list.filter((line) => !line.endsWith('same'))).toEqual(['Live: moved']);
});

test('a new name of the root changes nothing else', async () => {
  const { list } = await compared(branch('Now', branch('A', ...some)), branch('Then', branch('A', ...some)));
  expect(list.every((line) => line.endsWith('same'))).toBe(true);
});

test('keywords that occur twice on a side are not moved', async () => {
  const { list } = await compared(
    branch('root', branch('A', leaf('x'), leaf('z')), branch('B', leaf('y'), leaf('z'))),
    branch('root', branch('A', leaf('x')), branch('B', leaf('y')), branch('C', leaf('z'), leaf('w'))),
  );
  expect(list.filter((line) => line.startsWith('z'))).toEqual(['z: new', 'z: new']);
});

test('siblings are matched whatever their order, and whatever is new or gone among them', async () => {
  const names = Array.from({ length: 200 }, (_, nth) => `keyword ${nth}`);
  // Siblings are in the order of their volumes.
  const ranked = (step: number, from: number) =>
    names.slice(from, from + 150).map((name, at) => ({ name, volume: 1 + ((step * (from + at)) % 199) }));
  for (const step of [1, 3, 198]) {
    const { list } = await compared(branch('root', ...ranked(step, 50)), branch('root', ...ranked(1, 0)));
    const of = (kind: string) => list.filter((line) => line.endsWith(`: ${kind}`)).length;
    expect([of('same'), of('new'), list.length]).toEqual([101, 50, 151]);
  }
});

test('chains of single branches are matched level by level', async () => {
  const chain = (names: readonly string[]): PlainNode =>
    names.reduceRight<PlainNode>((inner, name) => branch(name, inner), branch('end', ...some));
  const { list } = await compared(branch('root', chain(['p', 'q', 'r'])), branch('root', chain(['P', 'Q', 'R'])));
  expect(list.slice(0, 4)).toEqual(['root: same', 'p: renamed', 'q: renamed', 'r: renamed']);
});
