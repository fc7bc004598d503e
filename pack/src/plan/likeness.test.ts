import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entries, packOf, root } from '../../test/support/filter-trees.ts';
import { plainNodes } from '../../test/support/plan-oracle.ts';
import { sampled } from '../../test/support/sampled.ts';
import { findAlike, fingerprintOf, keptShares } from './likeness.ts';
import { nodeFacts } from './node-facts.ts';

const words = (text: string) => text.split(' ').map((name) => ({ name, volume: 10 }));
const free = () => true;

test('a renamed branch is found by its keywords, and the keywords of others do not count', async () => {
  const before = await packOf(
    {
      name: 'root',
      children: [
        { name: 'live', children: words('chat talk call') },
        { name: 'b', children: words('x') },
      ],
    },
    [],
  );
  const after = await packOf(
    {
      name: 'root',
      children: [
        { name: 'help', children: [{ name: 'live help', children: words('chat talk call ring') }, ...words('faq')] },
        { name: 'b', children: words('x') },
      ],
    },
    [],
  );
  const row = (await plainNodes(before.pack)).find(({ key }) => key === 'live')!.row;
  const fingerprint = await fingerprintOf(before.pack, row);
  const [alike] = await findAlike(after.pack, [{ kind: 'branch', fingerprint }], free);
  const nodes = await plainNodes(after.pack);
  expect(alike!.map(({ row: at, overlap }) => [nodes[at]!.key, overlap])).toEqual([
    ['live help', 3 / 4],
    ['help', 3 / 5],
  ]);
  const taken = nodes.find(({ key }) => key === 'live help')!.row;
  const [others] = await findAlike(after.pack, [{ kind: 'branch', fingerprint }], (at) => at !== taken);
  expect(others!.map(({ row: at }) => nodes[at]!.key)).toEqual(['help']);
});

test('a missing keyword is found at all its places', async () => {
  const { pack } = await packOf(
    {
      name: 'root',
      children: [
        { name: 'a', children: words('same one') },
        { name: 'b', children: words('SAME') },
      ],
    },
    [],
  );
  const nodes = await plainNodes(pack);
  const fingerprint = await fingerprintOf(pack, nodes.find(({ key }) => key === 'same')!.row);
  const [alike] = await findAlike(pack, [{ kind: 'keyword', fingerprint }], free);
  expect(alike!.map(({ row }) => nodes[row]!.key)).toEqual(['same', 'same']);
  expect(await findAlike(pack, [{ kind: 'keyword', fingerprint: ['0'.repeat(16)] }], free)).toEqual([[]]);
});

test('the overlap of branches of any tree is that of their sets of keywords', async () => {
  await fc.assert(
    fc.asyncProperty(root, root, entries, async (old, now, keywords) => {
      const [before, after] = [(await packOf(old, keywords)).pack, (await packOf(now, keywords)).pack];
      const [olds, nows] = [await plainNodes(before), await plainNodes(after)];
      const branch = await before.column('branch');
      const wanted = olds.filter(({ row }) => row > 0 && branch[row] !== branch[row + 1]);
      const inside = (nodes: typeof olds, row: number) =>
        new Set(
          nodes
            .filter((one) => one.isKeyword && (one.row === row || one.ancestors.includes(row)))
            .map(({ key }) => key),
        );
      const missing = await Promise.all(
        wanted.map(async ({ row }) => ({ kind: 'branch' as const, fingerprint: await fingerprintOf(before, row) })),
      );
      const found = await findAlike(after, missing, free);
      for (const [at, { row }] of wanted.entries()) {
        const own = inside(olds, row);
        for (const like of found[at]!) {
          const other = inside(nows, like.row);
          const common = [...own].filter((key) => other.has(key)).length;
          expect(like.overlap).toBeCloseTo(common / (own.size + other.size - common), 12);
        }
        const best = nows
          .filter(({ row: one }) => one > 0 && nows.some(({ parent, row: child }) => child > 0 && parent === one))
          .map(({ row: one }) => {
            const other = inside(nows, one);
            const common = [...own].filter((key) => other.has(key)).length;
            return common === 0 ? 0 : common / (own.size + other.size - common);
          });
        expect(found[at]![0]?.overlap ?? 0).toBeCloseTo(Math.max(0, ...best), 12);
      }
    }),
    { numRuns: 25 },
  );
});

test('an entry keeps the path, kind, figures and fingerprint of its node, and neither the root nor strays are an entry', async () => {
  const strays = { name: 'rest', type: 'stray', children: [{ name: 'four' }] };
  const { pack } = await packOf(
    {
      name: 'root',
      children: [{ name: 'a', children: [...words('one two'), { name: 'three' }] }, { name: 'b' }, strays],
    },
    [],
  );
  const column = await pack.column('address');
  const address = (row: number) =>
    [column[2 * row + 1]!, column[2 * row]!].map((half) => half.toString(16).padStart(8, '0')).join('');
  const nodes = await plainNodes(pack);
  const at = (name: string) => address(nodes.find(({ key }) => key === name)!.row);
  const facts = await nodeFacts(pack, [at('a'), address(0), at('rest'), 'f'.repeat(16), at('three')]);
  expect(facts.map(({ fingerprint, ...rest }) => ({ ...rest, hashes: fingerprint.length }))).toEqual([
    { address: at('a'), path: [['a', 0]], kind: 'branch', keywords: 3, volume: 20, hashes: 3 },
    {
      address: at('three'),
      path: [
        ['a', 0],
        ['three', 0],
      ],
      kind: 'keyword',
      keywords: 1,
      hashes: 1,
    },
  ]);
});

test('what branches of any tree keep of other branches is the share of their keywords that they have, too', async () => {
  let some = 0;
  await fc.assert(
    fc.asyncProperty(
      root,
      entries,
      fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 5 }),
      async (tree, list, picks) => {
        const { pack } = await packOf(tree, list);
        const nodes = await plainNodes(pack);
        const keywordsOf = (row: number) =>
          new Set(
            nodes
              .filter(({ isKeyword, ancestors, row: at }) => isKeyword && (at === row || ancestors.includes(row)))
              .map(({ key }) => key),
          );
        const asked = await Promise.all(
          picks.map(async ([one, other]) => ({
            row: one % nodes.length,
            of: other % nodes.length,
            fingerprint: await fingerprintOf(pack, other % nodes.length),
          })),
        );
        const shares = await keptShares(pack, asked);
        for (const [at, { row, of }] of asked.entries()) {
          const [mine, theirs] = [keywordsOf(row), keywordsOf(of)];
          const kept = [...theirs].filter((key) => mine.has(key)).length;
          expect(shares[at]).toBe(theirs.size === 0 ? 1 : kept / theirs.size);
          some += Number(kept > 0 && kept < theirs.size);
        }
      },
    ),
    { numRuns: sampled(200), seed: 9 },
  );
  expect(some).toBeGreaterThan(sampled(20));
});
