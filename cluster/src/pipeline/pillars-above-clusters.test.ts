import { expect, test } from 'vitest';
import { exactNeighbours } from '../../test/support/exact-neighbours.ts';
import { madeEncoder, madeKeywords } from '../../test/support/made-keywords.ts';
import { groupedTree } from '../lists/grouped-tree.ts';
import { listSettingsOf } from './cluster.ts';
import { withPillars } from './pillars-above-clusters.ts';

const tools = { encoder: madeEncoder, neighbours: exactNeighbours };
const made = madeKeywords();

/** A cluster for each thing, as a list may come with; without a group, some keywords. */
const given = (codes = made.thing) => {
  const values = Array.from({ length: 24 }, (_, thing) => `Things ${thing}`);
  return groupedTree([{ values, codes }], made.volume);
};

// Shows P20.9.
test('clusters that a list came with stay as they are, below pillar topics about one kind of things', async () => {
  const tree = await withPillars(await given(), made, listSettingsOf({ pillars: 6 }), tools);
  const pillars = tree.topics.filter(({ kind }) => kind === 'pillar_topic');
  expect(pillars).toHaveLength(6);
  expect(new Set(pillars.map(({ name }) => name)).size).toBe(6);
  const ofKind = Array.from({ length: 6 }, (_, kind) =>
    made.texts.filter((__, row) => made.kind[row] === kind).join('\n'),
  );
  for (const { name } of pillars)
    expect(ofKind.some((texts) => name.split(', ').every((thing) => texts.includes(thing)))).toBe(true);
  const kindsOf = new Map<number, Set<number>>();
  tree.topicOf.forEach((topic, keyword) => {
    expect(tree.topics[topic]).toMatchObject({ name: `Things ${made.thing[keyword]}`, kind: 'cluster' });
    const { parent } = tree.topics[topic]!;
    kindsOf.set(parent, (kindsOf.get(parent) ?? new Set()).add(made.kind[keyword]!));
  });
  for (const kinds of kindsOf.values()) expect(kinds.size).toBe(1);
  // Siblings are in order of volume, as everywhere.
  const volumes = tree.topics.map(() => 0);
  tree.topicOf.forEach((topic, keyword) => {
    for (let at = topic; at >= 0; at = tree.topics[at]!.parent) volumes[at]! += made.volume[keyword]! || 0;
  });
  const tops = volumes.filter((_, topic) => tree.topics[topic]!.parent < 0);
  expect(tops).toEqual(tops.toSorted((one, other) => other - one));
});

test('keywords without a group stay strays, and few clusters have nothing above them', async () => {
  const some = await given(made.thing.map((thing, keyword) => (keyword % 5 === 0 ? -1 : thing)));
  const tree = await withPillars(some, made, listSettingsOf(), tools);
  tree.topicOf.forEach((topic, keyword) => {
    expect(tree.topics[topic]!.kind).toBe(keyword % 5 === 0 ? 'stray' : 'cluster');
  });
  const few = await given(made.kind);
  expect(await withPillars(few, made, listSettingsOf(), tools)).toBe(few);
});
