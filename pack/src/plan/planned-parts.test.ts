import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entries, packOf, root } from '../../test/support/filter-trees.ts';
import { plainNodes } from '../../test/support/plan-oracle.ts';
import { sampled } from '../../test/support/sampled.ts';
import type { PlannedPart } from '../filter/filter.ts';
import { readFilter, writeFilter } from '../filter/filter-text.ts';
import { markPlannedFields, type PlannedFields } from './planned-parts.ts';

const fields = (some: Partial<PlannedFields>): PlannedFields => ({
  owner: '',
  content: '',
  tags: [],
  due: '',
  ...some,
});

async function shoes() {
  const children = [
    { name: 'trail', children: [{ name: 'boots' }, { name: 'spikes' }] },
    { name: 'road', children: [{ name: 'flats' }] },
  ];
  const { pack } = await packOf({ name: 'shoes', children }, []);
  const nodes = await plainNodes(pack);
  const row = (name: string) => nodes.find(({ key }) => key === name)!.row;
  const planned = [
    { row: row('trail'), fields: fields({ owner: 'Lena', content: 'Guide', tags: ['spring', 'top'], due: '2026-12' }) },
    { row: row('spikes'), fields: fields({ owner: 'Ana', due: '2027-02' }) },
  ];
  return async (...parts: [PlannedPart['of'], string][]) => {
    const asked = parts.map(([of, value]) => ({ of, value }));
    const marked = await markPlannedFields(pack, planned, asked);
    return nodes.filter(({ row: at }) => marked[at] === 1).map(({ key }) => key);
  };
}

test('a keyword has the entry of its nearest planned branch, and one of its own wins', async () => {
  const marked = await shoes();
  expect(await marked(['owner', 'Lena'])).toEqual(['trail', 'boots']);
  expect(await marked(['owner', 'Ana'])).toEqual(['spikes']);
  expect(await marked(['owner', 'Lena'], ['owner', 'Ana'])).toEqual(['trail', 'boots', 'spikes']);
  // Of what is planned only: nobody plans the road.
  expect(await marked(['owner', ''])).toEqual([]);
  expect(await marked(['content', ''])).toEqual(['spikes']);
});

test('one of the values of each field that is named', async () => {
  const marked = await shoes();
  expect(await marked(['tag', 'top'], ['content', 'Guide'])).toEqual(['trail', 'boots']);
  expect(await marked(['tag', 'top'], ['content', 'Tool'])).toEqual([]);
  expect(await marked(['tag', ''])).toEqual(['spikes']);
});

test('months from, to, between, and none', async () => {
  const marked = await shoes();
  expect(await marked(['due', '2026-12_2027-01'])).toEqual(['trail', 'boots']);
  expect(await marked(['due', '2027-01_'])).toEqual(['spikes']);
  expect(await marked(['due', '_2026-12'])).toEqual(['trail', 'boots']);
  expect(await marked(['due', ''])).toEqual([]);
});

// Shows P24.10.
test('any tree and any entries agree with looking upwards from each node', async () => {
  const value = fc.constantFrom('', 'a', 'b');
  const anyFields = fc.record({
    owner: value,
    content: value,
    tags: fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
    due: fc.constantFrom('', '2026-12', '2027-02'),
  });
  const anyPart: fc.Arbitrary<PlannedPart> = fc.oneof(
    fc.record({ of: fc.constantFrom('owner', 'content', 'tag'), value }),
    fc.record({ of: fc.constant('due'), value: fc.constantFrom('', '2026-12_', '_2027-01', '2027-01_2027-03') }),
  );
  let kept = 0;
  await fc.assert(
    fc.asyncProperty(
      root,
      entries,
      fc.array(fc.tuple(fc.nat(), anyFields), { maxLength: 6 }),
      fc.array(anyPart, { minLength: 1, maxLength: 3 }),
      async (hierarchy, keywords, picks, parts) => {
        const { pack } = await packOf(hierarchy, keywords);
        const nodes = await plainNodes(pack);
        const byRow = new Map(picks.map(([pick, some]) => [nodes[pick % nodes.length]!.row, some]));
        const marked = await markPlannedFields(
          pack,
          Array.from(byRow, ([row, some]) => ({ row, fields: some })),
          parts,
        );
        const parent = await pack.column('parent');
        const holds = (some: PlannedFields) =>
          (['owner', 'content', 'tag', 'due'] as const).every((of) => {
            const wanted = parts.filter((part) => part.of === of).map((part) => part.value);
            if (wanted.length === 0) return true;
            if (of === 'tag')
              return wanted.some((one) => (one === '' ? some.tags.length === 0 : some.tags.includes(one)));
            if (of !== 'due') return wanted.includes(some[of]);
            return wanted.some((one) => {
              const [, from, to] = /^(\d{4}-\d\d)?_(\d{4}-\d\d)?$/.exec(one) ?? [];
              if (one === '' || some.due === '') return one === some.due;
              return (!from || from <= some.due) && (!to || some.due <= to);
            });
          });
        for (const { row } of nodes) {
          let at = row;
          while (at > 0 && !byRow.has(at)) at = parent[at]!;
          const some = byRow.get(at);
          expect([row, marked[row]]).toEqual([row, Number(some !== undefined && holds(some))]);
          kept += marked[row]!;
        }
      },
    ),
    { numRuns: sampled(200), seed: 5 },
  );
  expect(kept).toBeGreaterThan(sampled(800));
});

test.each(['due-2026', 'due-_', 'due-2026-12', 'due-2026-12_x', 'owner'])('%s is no filter', (text) => {
  expect(readFilter(text)).toBeUndefined();
});

test('a value may have any sign', () => {
  const text = writeFilter(readFilter('owner-a-b **c*tag-*due-_2027-01')!);
  expect(text).toBe('owner-a-b **c*tag-*due-_2027-01');
});
