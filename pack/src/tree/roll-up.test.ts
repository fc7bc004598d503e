import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from '../../test/support/sampled.ts';
import { tablesArbitrary } from '../../test/support/tables.ts';
import type { Tree } from './tree.ts';
import { buildTree } from './tree-builder.ts';

/** The nodes of a branch in document order, found by brute force. */
function nodesUnder(tree: Tree, root: number): number[] {
  const { parent } = tree.tables.nodes;
  const isUnder = (node: number): boolean => node === root || (node > 0 && isUnder(parent[node]!));
  return [...parent.keys()].filter(isUnder);
}

function textOf(tree: Tree, node: number): string {
  const { names, nameStart, nameLength } = tree.tables.nodes;
  const name = new TextDecoder().decode(names.subarray(nameStart[node]!, nameStart[node]! + nameLength[node]!));
  return name.normalize('NFC').toLowerCase();
}

const isKnown = (value: number) => !Number.isNaN(value);
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

/** An absent column has no known values. */
const ownOf = ({ own, keyword }: Tree) => ({
  isKeyword: (node: number) => keyword[node]! >= 0,
  volume: (node: number) => own.volume?.[node] ?? Number.NaN,
  difficulty: (node: number) => own.difficulty?.[node] ?? Number.NaN,
  cpc: (node: number) => own.cpc?.[node] ?? Number.NaN,
  competition: (node: number) => own.competition?.[node] ?? Number.NaN,
  position: (node: number) => own.position?.[node] ?? Number.NaN,
  intent: (node: number) => own.intent?.[node] ?? 0,
});

/** The roll-up of a branch by definition: its distinct keywords, each in its first occurrence in the file. */
function byDefinition(tree: Tree, root: number) {
  const own = ownOf(tree);
  const all = nodesUnder(tree, root);
  const occurrences = all.filter((node) => own.isKeyword(node));
  const distinct = occurrences.filter(
    (node, index) => occurrences.findIndex((other) => textOf(tree, other) === textOf(tree, node)) === index,
  );
  const measure = (of: (node: number) => number) => {
    const known = distinct.map(of).filter(isKnown);
    return { sum: sum(known), known: known.length };
  };
  const weighted = (of: (node: number) => number) => {
    const both = distinct.filter((node) => isKnown(of(node)) && isKnown(own.volume(node)));
    return { weighted: sum(both.map((node) => of(node) * own.volume(node))), weight: sum(both.map(own.volume)) };
  };
  const withVolume = occurrences.filter((node) => isKnown(own.volume(node)));
  const highest = Math.max(...withVolume.map(own.volume));
  return {
    nodes: all.length,
    leaves: all.filter((node) => !tree.tables.nodes.parent.includes(node, 1) && !(node === 0 && all.length > 1)).length,
    keywords: distinct.length,
    repeats: occurrences.length - distinct.length,
    volume: measure(own.volume),
    difficulty: { ...measure(own.difficulty), ...weighted(own.difficulty) },
    cpc: { ...measure(own.cpc), ...weighted(own.cpc) },
    competition: measure(own.competition),
    position: measure(own.position),
    intent: [0, 1, 2, 3].map((kind) => distinct.filter((node) => own.intent(node) & (1 << kind)).length),
    intentKnown: distinct.filter((node) => own.intent(node) !== 0).length,
    top: withVolume.find((node) => own.volume(node) === highest) ?? -1,
  };
}

function asBuilt({ rollUp: totals }: Tree, node: number) {
  const branch = totals.branch[node]!;
  const measure = (of: 'volume' | 'competition' | 'position') => ({
    sum: totals[of]?.sum[branch] ?? 0,
    known: totals[of]?.known[branch] ?? 0,
  });
  const weighted = (of: 'difficulty' | 'cpc') => ({
    sum: totals[of]?.sum[branch] ?? 0,
    known: totals[of]?.known[branch] ?? 0,
    weighted: totals[of]?.weighted[branch] ?? 0,
    weight: totals[of]?.weight[branch] ?? 0,
  });
  return {
    nodes: totals.nodes[branch],
    leaves: totals.leaves[branch],
    keywords: totals.keywords[branch],
    repeats: totals.repeats[branch],
    volume: measure('volume'),
    difficulty: weighted('difficulty'),
    cpc: weighted('cpc'),
    competition: measure('competition'),
    position: measure('position'),
    intent: [0, 1, 2, 3].map((kind) => totals.intent?.counts[4 * branch + kind] ?? 0),
    intentKnown: totals.intent?.known[branch] ?? 0,
    top: totals.top[branch],
  };
}

// Shows P10.6.
test('every branch of any tree matches the definition of roll-ups', () => {
  fc.assert(
    fc.property(tablesArbitrary, (tables) => {
      const tree = buildTree(tables, [7, 8]);
      for (const node of tree.order) {
        if (tree.rollUp.branch[node]! >= 0) expect(asBuilt(tree, node)).toEqual(byDefinition(tree, node));
      }
    }),
    { numRuns: sampled(300) },
  );
});

test('the join does not depend on the key of its hash', () => {
  fc.assert(
    fc.property(tablesArbitrary, fc.tuple(fc.nat(), fc.nat()), (tables, key) => {
      expect(buildTree(tables, key).rollUp).toEqual(buildTree(tables, [0, 0]).rollUp);
    }),
    { numRuns: 50 },
  );
});
