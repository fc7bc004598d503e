import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlainNode } from '../../test/support/filter-oracle.ts';
import { entries, filter, packOf, root } from '../../test/support/filter-trees.ts';
import { clusterOf, distinctWithin, plainNodes, rowsOfLevel } from '../../test/support/levels-oracle.ts';
import { sampled } from '../../test/support/sampled.ts';
import { arraySink, arraySource } from '../../test/support/trees.ts';
import { noFilter } from '../filter/filter.ts';
import { readFilter } from '../filter/filter-text.ts';
import { noPause } from '../format/in-pieces.ts';
import { namesAt } from '../format/names-at.ts';
import { noRow } from '../format/pack-format.ts';
import { createIngest } from '../ingest.ts';
import type { View } from '../sums/filtered-pack.ts';
import { levels } from '../vocabulary/choices.ts';
import { checkPack } from '../write/pack-check.ts';
import { writePack } from '../write/pack-writer.ts';
import { filterPack } from './filter-pack.ts';
import { hardlyKnownBelow, knownShare } from './known-share.ts';
import { levelRows } from './level-rows.ts';
import { knownVolumes } from './row-values.ts';
import { clustersOf, levelsOf } from './topics.ts';

// Shows P15.16.
test('every level below every node has the rows of its definition, for random trees and filters', async () => {
  let clusters = 0;
  await fc.assert(
    fc.asyncProperty(root, entries, filter, async (hierarchy, keywords, asked) => {
      const { pack } = await packOf(hierarchy, keywords);
      const both: readonly View[] = [pack, await filterPack(pack, asked)];
      for (const one of both) {
        const nodes = await plainNodes(one);
        const isKept = (row: number) => !('kept' in one) || one.keeps(row);
        for (let within = 0; within < nodes.length; within++) {
          if (!isKept(within)) continue;
          for (const level of [...levels, 'children'] as const) {
            const found = Array.from(await levelRows(one, level, within));
            expect(found, `${level} within ${within}`).toEqual(rowsOfLevel(nodes, level, within).filter(isKept));
            if (level === 'clusters') clusters += found.length;
          }
        }
      }
    }),
    { numRuns: sampled(100), endOnFailure: true, seed: 11 },
  );
  expect(clusters).toBeGreaterThan(sampled(1500));
});

test('every node below the root has one cluster: the nearest of that type, else its parent', async () => {
  await fc.assert(
    fc.asyncProperty(root, entries, async (hierarchy, keywords) => {
      const { pack } = await packOf(hierarchy, keywords);
      const { of } = await clustersOf(pack, noPause);
      for (const node of await plainNodes(pack)) expect(of(node.row)).toBe(clusterOf(node)?.row ?? noRow);
    }),
    { numRuns: sampled(100), seed: 12 },
  );
});

// Shows P15.16.
test('a map of a list has its subtopics as a level, clusters without any among them, and strays on none', async () => {
  const group = (type: string, name: string, ...children: (PlainNode | string)[]): PlainNode => ({
    name,
    type,
    children: children.map((child) => (typeof child === 'string' ? { name: child, type: 'keyword' } : child)),
  });
  const shoes = group('cluster', 'shoes', group('subtopic', 'trail', 'fells', 'mud'), group('subtopic', 'town', 'tar'));
  const { pack } = await packOf(
    group(
      'root',
      'r',
      group('pillar', 'running', shoes, group('cluster', 'hats', 'cap')),
      group('stray', 'rest', 'rain'),
    ),
    [],
  );
  expect(await levelsOf(pack, noPause)).toEqual(['pillars', 'clusters', 'subtopics', 'keywords']);
  const namesOf = async (level: (typeof levels)[number]) => namesAt(pack, await levelRows(pack, level, 0));
  expect(await namesOf('pillars')).toEqual(['running']);
  expect((await namesOf('clusters')).sort()).toEqual(['hats', 'shoes']);
  expect((await namesOf('subtopics')).sort()).toEqual(['hats', 'town', 'trail']);
  expect((await namesOf('keywords')).sort()).toEqual(['cap', 'fells', 'mud', 'rain', 'tar']);
  const keptBy = async (text: string) => {
    const kept = await filterPack(pack, readFilter(text)!);
    return (await namesAt(pack, await levelRows(kept, 'keywords', 0))).sort();
  };
  expect(await keptBy('subtopic-keywords-2_')).toEqual(['fells', 'mud']);
  expect(await keptBy('cluster-keywords-1_')).toEqual(['cap', 'fells', 'mud', 'tar']);
  expect(await keptBy('pillar-keywords-1_')).toEqual(['cap', 'fells', 'mud', 'tar']);
});

test('clusters are found once for an open pack, whatever the filter', async () => {
  const { pack } = await packOf({ name: 'root', children: [{ name: 'a' }] }, []);
  const filtered = await filterPack(pack, { ...noFilter, contains: ['a'] });
  expect(await clustersOf(filtered.whole, noPause)).toBe(await clustersOf(pack, noPause));
});

// Shows P15.17.
test('the volume of what is known equals a sum over distinct keywords, for random trees and filters', async () => {
  await fc.assert(
    fc.asyncProperty(root, entries, filter, async (hierarchy, keywords, asked) => {
      const { pack } = await packOf(hierarchy, keywords);
      const both: readonly View[] = [pack, await filterPack(pack, asked)];
      for (const one of both) {
        const nodes = await plainNodes(one);
        const starts = await pack.column('branch');
        const known = { difficulty: await knownVolumes(one, 'difficulty'), intent: await knownVolumes(one, 'intent') };
        for (const { row } of nodes) {
          if (starts[row] === starts[row + 1]) continue;
          const inside = distinctWithin(nodes, [row]);
          const sum = (isKnown: (node: (typeof inside)[number]) => boolean) =>
            inside.reduce((total, node) => total + (isKnown(node) ? node.volume || 0 : 0), 0);
          expect(known.difficulty[starts[row]!]).toBeCloseTo(
            sum((node) => !Number.isNaN(node.difficulty)),
            6,
          );
          expect(known.intent[starts[row]!]).toBeCloseTo(
            sum((node) => node.intent !== 0),
            6,
          );
        }
      }
    }),
    { numRuns: sampled(100), seed: 13 },
  );
});

// Shows P15.17.
test('a share counts volume where at least half of the volumes are known, and keywords elsewhere', () => {
  const row = { keywords: 4, volumeKnown: 2, volume: 100, known: 1, knownVolume: 90 };
  expect(knownShare(row)).toBe(0.9);
  expect(knownShare({ ...row, volumeKnown: 1 })).toBe(0.25);
  expect(knownShare({ ...row, volume: 0 })).toBe(0.25);
  expect(knownShare({ ...row, volume: Number.NaN, volumeKnown: 0 })).toBe(0.25);
  expect(knownShare({ ...row, keywords: 0, volumeKnown: 0, known: 0 })).toBeNaN();
});

const real = fileURLToPath(new URL('../../../../shared/data/seed-shape-real/add-to-website.json', import.meta.url));

test.skipIf(!existsSync(real))('a real file has 17 pillars, 116 clusters and 27,640 keywords', async () => {
  const reading = createIngest({ hashKey: [3, 4] });
  reading.push(await readFile(real));
  const result = reading.finish();
  if (!result.ok) throw new Error(result.problem.what);
  const sink = arraySink();
  await writePack(result.tree, '00'.repeat(32), sink);
  const pack = await checkPack(arraySource(sink.bytes()));
  const rowsOf = Object.fromEntries(
    await Promise.all(levels.map(async (level) => [level, await levelRows(pack, level, 0)] as const)),
  ) as Record<(typeof levels)[number], Uint32Array>;
  expect(Object.values(rowsOf).map((rows) => rows.length)).toEqual([17, 116, 116, 27_640]);

  const nodes = await plainNodes(pack);
  const clusters = rowsOf.clusters;
  expect(Array.from(clusters)).toEqual(nodes.filter(({ type }) => type === 'cluster').map(({ row }) => row));
  const [starts, volume, keywords, volumeKnown, known] = [
    await pack.column('branch'),
    await pack.column('volume'),
    await pack.column('keywords'),
    await pack.column('volume_known'),
    await pack.column('difficulty_known'),
  ];
  const branchOf = (row: number) => starts[row]!;
  const heaviest = Array.from(clusters).sort((one, other) => volume[branchOf(other)]! - volume[branchOf(one)]!);
  const names = await Promise.all(heaviest.slice(0, 5).map((row) => namesAt(pack, Uint32Array.of(row))));
  expect(names.flat()).toEqual(['Other', 'Home screen', 'Bookmarks/Favorites', 'Desktop/Dock', 'Keywords']);
  expect(heaviest.slice(0, 5).map((row) => volume[branchOf(row)])).toEqual([36_440, 11_580, 11_210, 10_550, 9_570]);
  // Counted in keywords, almost every cluster would be hardly known.
  const volumes = await knownVolumes(pack, 'difficulty');
  const byVolume = Array.from(clusters, branchOf).filter(
    (at) =>
      knownShare({
        keywords: keywords[at]!,
        volumeKnown: volumeKnown[at]!,
        volume: volume[at]!,
        known: known[at]!,
        knownVolume: volumes[at]!,
      }) >= hardlyKnownBelow,
  );
  const byKeywords = Array.from(clusters, branchOf).filter((at) => known[at]! / keywords[at]! >= hardlyKnownBelow);
  expect([byVolume.length, byKeywords.length]).toEqual([39, 4]);
});
