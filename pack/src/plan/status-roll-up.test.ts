import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entries, filter, packOf, root } from '../../test/support/filter-trees.ts';
import { expectedCoverage, plainNodes } from '../../test/support/plan-oracle.ts';
import { sampled } from '../../test/support/sampled.ts';
import { type PlanMark, planMarks } from '../filter/filter.ts';
import { readFilter, writeFilter } from '../filter/filter-text.ts';
import { filterPack } from '../levels/filter-pack.ts';
import { markPlanned, takePlanFields } from './plan-fields.ts';
import { rollUpStatus } from './status-roll-up.ts';

const none = { keywords: 0, volume: 0 };

test('a keyword has the status of its nearest ancestor with one, and its own wins', async () => {
  const { pack } = await packOf(
    {
      name: 'root',
      children: [
        {
          name: 'shoes',
          children: [
            { name: 'trail', volume: 30 },
            { name: 'road', volume: 20 },
          ],
        },
        { name: 'socks', children: [{ name: 'wool', volume: 5 }] },
      ],
    },
    [],
  );
  const nodes = await plainNodes(pack);
  const row = (name: string) => nodes.find(({ key }) => key === name)!.row;
  const rolled = await rollUpStatus(pack, [
    { row: row('shoes'), rank: 3 },
    { row: row('road'), rank: 1 },
  ]);
  expect(await rolled.coverageOf(0)).toEqual({
    keywords: 3,
    volumeKnown: 3,
    ofStatus: [{ keywords: 1, volume: 5 }, { keywords: 1, volume: 20 }, none, { keywords: 1, volume: 30 }, none],
  });
  expect(await rolled.coverageOf(row('road'))).toEqual({
    keywords: 1,
    volumeKnown: 1,
    ofStatus: [none, { keywords: 1, volume: 20 }, none, none, none],
  });
});

test('a keyword in two places counts once, with the furthest status of its places in the branch', async () => {
  const { pack } = await packOf(
    {
      name: 'root',
      children: [
        { name: 'a', children: [{ name: 'same', volume: 10 }] },
        {
          name: 'b',
          children: [
            { name: 'Same', volume: 10 },
            { name: 'other', volume: 1 },
          ],
        },
      ],
    },
    [],
  );
  const nodes = await plainNodes(pack);
  const branch = (name: string) => nodes.find(({ key }) => key === name)!.row;
  const rolled = await rollUpStatus(pack, [
    { row: branch('a'), rank: 4 },
    { row: branch('b'), rank: 2 },
  ]);
  const of = async (row: number) => (await rolled.coverageOf(row)).ofStatus.map(({ volume }) => volume);
  expect(await of(0)).toEqual([0, 0, 1, 0, 10]);
  expect(await of(branch('a'))).toEqual([0, 0, 0, 0, 10]);
  expect(await of(branch('b'))).toEqual([0, 0, 11, 0, 0]);
});

// Shows P24.5.
test('the figures of every branch of any tree are those of its distinct keywords', async () => {
  const chosen = fc.array(fc.record({ at: fc.nat(), rank: fc.integer({ min: 1, max: 4 }) }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(root, entries, chosen, async (tree, keywords, given) => {
      const { pack } = await packOf(tree, keywords);
      const nodes = await plainNodes(pack);
      const ranks = new Map(given.map(({ at, rank }) => [at % nodes.length, rank]));
      const expected = expectedCoverage(nodes, ranks);
      const rolled = await rollUpStatus(
        pack,
        [...ranks].map(([row, rank]) => ({ row, rank })),
      );
      expect([...rolled.effective]).toEqual(expected.effective);
      for (const { row } of nodes) expect(await rolled.coverageOf(row)).toEqual(expected.coverage[row]);
    }),
    { numRuns: sampled(60) },
  );
});

test('a row that is no node has no coverage', async () => {
  const { pack } = await packOf({ name: 'root', children: [{ name: 'a' }] }, []);
  const rolled = await rollUpStatus(pack, []);
  for (const row of [-1, 2, 0.5]) await expect(rolled.coverageOf(row)).rejects.toThrow(RangeError);
});

test('under a filter, only what it keeps counts, and the fields of a slice say the same', async () => {
  const chosen = fc.array(fc.record({ at: fc.nat(), rank: fc.integer({ min: 1, max: 4 }) }), { maxLength: 6 });
  const wanted = fc.subarray([...planMarks], { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(root, entries, filter, chosen, wanted, async (tree, keywords, parts, given, marks) => {
      const { pack } = await packOf(tree, keywords);
      const nodes = await plainNodes(pack);
      const ranks = new Map(given.map(({ at, rank }) => [at % nodes.length, rank]));
      const statuses = [...ranks].map(([row, rank]) => ({ row, rank }));
      const filtered = await filterPack(pack, readFilter(writeFilter(parts))!);
      const kept = nodes.map((node) => ({ ...node, isKeyword: filtered.counts(node.row) }));
      const { effective, coverage } = expectedCoverage(kept, ranks);
      const rolled = await rollUpStatus(filtered, statuses);
      expect([...rolled.effective]).toEqual(effective);
      const rows = Uint32Array.from(nodes.filter(({ row }) => filtered.keeps(row) && row > 0).map(({ row }) => row));
      expect(await rolled.coverageAt(rows)).toEqual(Array.from(rows, (row) => coverage[row]));
      const [status, covered] = await takePlanFields(rolled, rows);
      for (const [at, row] of rows.entries()) {
        const { keywords: all, volumeKnown, ofStatus } = coverage[row]!;
        const isByVolume = 2 * volumeKnown >= all && ofStatus.some(({ volume }) => volume > 0);
        const weights = ofStatus.map((one) => (isByVolume ? one.volume : one.keywords));
        const main = weights.lastIndexOf(Math.max(...weights));
        expect([row, status!.value[at]]).toEqual([row, all === 0 ? 0 : main + 1]);
        const sum = weights.reduce((total, one) => total + one, 0);
        const percent = all === 0 ? Number.NaN : (100 * (weights[3]! + weights[4]!)) / sum;
        expect(covered!.value[at]?.toFixed(6)).toBe(percent.toFixed(6));
      }
      // A filter by status keeps what it keeps of the others, and nothing else.
      const whole = await rollUpStatus(pack, statuses);
      const marked = markPlanned(whole, marks);
      const wantsRank = (rank: number) => marks.includes((rank === 0 ? 'none' : planMarks[rank - 1]) as PlanMark);
      const both = await filterPack(pack, { ...parts, plan: marks }, { marked });
      for (const { row, isKeyword } of nodes) {
        const ofParts = isKeyword && filtered.counts(row);
        if (parts.branches.length === 0) expect(both.counts(row)).toBe(ofParts && wantsRank(whole.effective[row]!));
      }
    }),
    { numRuns: sampled(60) },
  );
});

test('a filter by status without the plan is refused', async () => {
  const { pack } = await packOf({ name: 'root', children: [{ name: 'a' }] }, []);
  await expect(filterPack(pack, readFilter('plan-idea')!)).rejects.toThrow('Nothing is marked');
});
