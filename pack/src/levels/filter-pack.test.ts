import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entries, filter, packOf, root } from '../../test/support/filter-trees.ts';
import {
  clusterOf,
  distinctWithin,
  lineOf,
  type OracleNode,
  plainNodes,
  subtopicOf,
} from '../../test/support/levels-oracle.ts';
import { sampled } from '../../test/support/sampled.ts';
import { type AreaLevel, type AreaPart, noFilter } from '../filter/filter.ts';
import { isInArea, readFilter, writeFilter } from '../filter/filter-text.ts';
import { addressOf, type NodePath } from '../plan/node-paths.ts';
import type { Level } from '../vocabulary/choices.ts';
import { filterPack } from './filter-pack.ts';

const levelsInOrder = ['keywords', 'subtopics', 'clusters', 'pillars'] as const;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** The row of a level that a keyword is, or is in. */
function homeOf(node: OracleNode, level: Level, nodes: readonly OracleNode[]): OracleNode | undefined {
  if (level === 'keywords') return node;
  if (level === 'subtopics') return subtopicOf(node, nodes);
  if (level === 'clusters') return clusterOf(node);
  const pillar = lineOf(node).find(({ parent }) => parent?.row === 0);
  return pillar?.type === 'stray' && pillar !== node ? undefined : pillar;
}

/** Keyword count and difficulty of the distinct keywords in a row. */
function figuresOf(nodes: readonly OracleNode[], home: OracleNode) {
  const inside = distinctWithin(nodes, [home.row]);
  const hard = inside.map(({ difficulty }) => difficulty).filter((one) => !Number.isNaN(one));
  return { keywords: inside.length, difficulty: hard.length === 0 ? Number.NaN : sum(hard) / hard.length };
}

/** Rectangles: whether a value is in one is plain arithmetic. */
const rectangle = fc
  .tuple(fc.nat(4), fc.nat(4), fc.nat(8), fc.nat(8))
  .map(
    ([a, b, c, d]) => ({ x: [Math.min(a, b), Math.max(a, b)], y: [Math.min(c, d) / 4, Math.max(c, d) / 4] }) as const,
  );
const areaOf = (level: AreaLevel, { x, y }: { x: readonly number[]; y: readonly number[] }): AreaPart => ({
  level,
  x: 'keywords',
  y: 'difficulty',
  isLog: { x: false, y: false },
  corners: [
    [x[0]!, y[0]!],
    [x[1]!, y[0]!],
    [x[1]!, y[1]!],
    [x[0]!, y[1]!],
  ],
});

// Shows P14.19.
test('areas of keywords, subtopics, clusters and pillars keep what an oracle keeps, one level after the other', async () => {
  let [kept, gone] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      root,
      entries,
      fc.option(filter, { nil: noFilter }),
      fc.uniqueArray(fc.tuple(fc.constantFrom(...levelsInOrder), rectangle), {
        minLength: 1,
        maxLength: 3,
        selector: ([level]) => level,
      }),
      async (hierarchy, keywords, others, parts) => {
        const { pack } = await packOf(hierarchy, keywords);
        let nodes = await plainNodes(await filterPack(pack, others));
        for (const level of levelsInOrder) {
          const part = parts.find(([one]) => one === level)?.[1];
          if (!part) continue;
          const passes = (home: OracleNode | undefined) => {
            // The root is no row of a list.
            if (!home || (level !== 'keywords' && !home.parent)) return false;
            const { keywords: count, difficulty } = figuresOf(nodes, home);
            return count >= part.x[0] && count <= part.x[1] && difficulty >= part.y[0] && difficulty <= part.y[1];
          };
          const left = new Set(
            nodes.filter((node) => node.counts && passes(homeOf(node, level, nodes))).map(({ row }) => row),
          );
          gone += nodes.filter(({ counts, row }) => counts && !left.has(row)).length;
          nodes = nodes.map((node) => ({ ...node, counts: left.has(node.row) }));
          nodes = relinked(nodes);
        }
        const asked = { ...others, areas: parts.map(([level, part]) => areaOf(level, part)) };
        const found = await filterPack(pack, readFilter(writeFilter(asked))!);
        expect(nodes.map(({ row }) => Number(found.counts(row)))).toEqual(nodes.map(({ counts }) => Number(counts)));
        expect(found.filter).toBe(writeFilter(asked));
        kept += nodes.filter(({ counts }) => counts).length;
      },
    ),
    { numRuns: sampled(400) },
  );
  expect(kept).toBeGreaterThan(0);
  expect(gone).toBeGreaterThan(0);
});

test('an area of the children of a branch keeps the keywords in those that it holds, and nothing elsewhere', async () => {
  const node = (name: string, children: readonly string[]) => ({
    name,
    children: children.map((one) => ({ name: one })),
  });
  const shoes = { name: 'shoes', children: [node('trail', ['a', 'b']), node('road', ['c']), { name: 'd' }] };
  const keywords = [...'abcde'].map((keyword) => ({ keyword, difficulty: 10 }));
  const { pack } = await packOf({ name: 'root', children: [shoes, node('hats', ['e'])] }, keywords);
  const keptOf = async (path: NodePath, from: number, to: number) => {
    const area = areaOf(`children.${addressOf('root', path)}`, { x: [from, to], y: [0, 20] });
    const filter = readFilter(writeFilter({ ...noFilter, areas: [area] }))!;
    expect(filter.areas).toEqual([area]);
    return (await (await filterPack(pack, filter)).column('keywords'))[0];
  };
  const inShoes = [['shoes', 0]] as const;
  // Of the children of shoes, trail has two keywords, road has one, and d is one itself.
  expect([await keptOf(inShoes, 2, 2), await keptOf(inShoes, 1, 1), await keptOf(inShoes, 1, 2)]).toEqual([2, 2, 4]);
  expect([await keptOf([], 4, 4), await keptOf([['gone', 0]], 1, 9)]).toEqual([4, 0]);
});

/** The parents of changed copies are the copies. */
function relinked(nodes: readonly OracleNode[]): OracleNode[] {
  const made: OracleNode[] = [];
  for (const node of nodes) made.push({ ...node, parent: node.parent && made[node.parent.row] });
  return made;
}

test('a score keeps what it is known for in a range, and a figure that the file lacks keeps nothing', async () => {
  const children = ['a', 'b', 'c'].map((name) => ({ name, type: 'cluster', children: [{ name: `${name} 1` }] }));
  const figures = [{ volume: 100, difficulty: 50 }, { volume: 300, difficulty: 90 }, { volume: 40 }];
  const list = figures.map((one, at) => ({ keyword: `${'abc'[at]} 1`, ...one }));
  const { pack } = await packOf({ name: 'root', children }, list);
  const keptBy = async (text: string) => (await (await filterPack(pack, readFilter(text)!)).column('keywords'))[0];
  const score = 'branch.volume*(1-difficulty/100)'.replaceAll('*', '**');
  expect(await keptBy(`score-clusters-40_-${score}`)).toBe(1);
  expect(await keptBy(`score-clusters-_50-${score}`)).toBe(2);
  expect(await keptBy(`score-pillars-20_50-${score}`)).toBe(2);
  expect(await keptBy('score-keywords-0_-branch.field("Nothing")')).toBe(0);
  expect(await keptBy('area-clusters-field:Nothing-volume-even.even-0_0_9_0_9_999')).toBe(0);
});

test('a point on the edge of an area is in it, and edges are straight on the scale that they were drawn on', () => {
  const square = {
    corners: [
      [0, 0],
      [10, 0],
      [10, 10],
      [0, 10],
    ] as const,
    isLog: { x: false, y: false },
  };
  for (const [x, y] of [
    [0, 0],
    [10, 10],
    [5, 0],
    [10, 3],
  ] as const)
    expect(isInArea(square, x, y)).toBe(true);
  for (const [x, y] of [
    [-1, 5],
    [11, 10],
    [5, 10.001],
  ] as const)
    expect(isInArea(square, x, y)).toBe(false);
  // From (0, 0) to (99, 99): the straight line is above 9 at 8 only where both axes are logarithmic.
  const corners = [
    [0, 0],
    [99, 9],
    [99, 0],
  ] as const;
  expect(isInArea({ corners, isLog: { x: true, y: false } }, 9, 4.4)).toBe(true);
  expect(isInArea({ corners, isLog: { x: false, y: false } }, 9, 4.4)).toBe(false);
});
