import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Expected, expectedUnder } from '../../test/support/filter-oracle.ts';
import { entries, filter, packOf, root } from '../../test/support/filter-trees.ts';
import { sampled } from '../../test/support/sampled.ts';
import type { Filter } from '../filter/filter.ts';
import { readFilter, writeFilter } from '../filter/filter-text.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { filterPack } from '../levels/filter-pack.ts';
import { type Histogram, takeHistogram, withoutPart } from './histogram.ts';

/** The counts that the panel requests: under the filter without the part for this field. */
async function counted(pack: PackReader, asked: Filter, of: string): Promise<Histogram | undefined> {
  return takeHistogram(await filterPack(pack, readFilter(writeFilter(withoutPart(asked, of)))!), of);
}

const countsOf = (histogram: Histogram) =>
  histogram.kind === 'values'
    ? new Map(histogram.values.flatMap(({ value, count }) => (count > 0 ? [[value, count] as const] : [])))
    : expect.fail('no values');
const some = (counts: ReadonlyMap<string, number>) => new Map([...counts].filter(([, count]) => count > 0));

test('each value counts the keywords that the other criteria keep, as in a naive count', async () => {
  let parts = 0;
  await fc.assert(
    fc.asyncProperty(root, entries, filter, async (hierarchy, keywords, asked) => {
      const { pack } = await packOf(hierarchy, keywords);
      const naive = (of: string) => expectedUnder(hierarchy, keywords, withoutPart(asked, of), () => '')[0]!;
      if (asked.intents.length + asked.categories.length + asked.types.length > 0) parts++;
      for (const of of ['intent', 'type', 'field:Stage', 'field:Tags', 'volume']) {
        const found = await counted(pack, asked, of);
        const expected = naive(of);
        if (!found) {
          // A field that no keyword of the file has.
          expect(pack.metadata.fields.some(({ name }) => `field:${name}` === of)).toBe(false);
          continue;
        }
        expectSame(of, found, expected);
      }
    }),
    { numRuns: sampled(300), seed: 7, endOnFailure: true },
  );
  // The test proves something only if filters with a part that `withoutPart` removes are not rare.
  expect(parts).toBeGreaterThanOrEqual(sampled(40));
});

function expectSame(of: string, found: Histogram, expected: Expected): void {
  const { keywords } = expected;
  if (of === 'intent') {
    const names = ['informational', 'navigational', 'commercial', 'transactional'];
    expect(countsOf(found)).toEqual(some(new Map(names.map((name, at) => [name, expected.intents[at]!]))));
    expect([found.known, found.unknown]).toEqual([expected.intentKnown, keywords - expected.intentKnown]);
  } else if (of === 'type') {
    const all = [...new Set(expected.types.flat())];
    const having = (type: string) => expected.types.filter((types) => types.includes(type)).length;
    expect(countsOf(found)).toEqual(new Map(all.map((type) => [type, having(type)])));
  } else if (of === 'volume') expectSpread(found, expected.volumes, keywords);
  else {
    const { counts, known } = of === 'field:Stage' ? expected.stage : expected.tags;
    expect(countsOf(found)).toEqual(some(counts));
    expect([found.known, found.unknown]).toEqual([known, keywords - known]);
  }
}

/**
 * Below each edge there are as many values as the preceding bins count; a value equal to the edge may be on either
 * side.
 */
function expectSpread(found: Histogram, values: readonly number[], keywords: number): void {
  if (found.kind !== 'number') expect.fail('no numbers');
  const { bins, edges, known, unknown } = found;
  expect([known, unknown]).toEqual([values.length, keywords - values.length]);
  expect(bins.reduce((sum, count) => sum + count, 0)).toBe(values.length);
  if (values.length === 0) return;
  expect([edges[0], edges.at(-1)]).toEqual([Math.min(...values), Math.max(...values)]);
  let before = 0;
  for (let at = 1; at < bins.length; at++) {
    before += bins[at - 1]!;
    const [edge, near] = [edges[at]!, 1e-9 * Math.abs(edges[at]!)];
    expect(before).toBeGreaterThanOrEqual(values.filter((value) => value < edge - near).length);
    expect(before).toBeLessThanOrEqual(values.filter((value) => value <= edge + near).length);
  }
}
