import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Expected, expectedUnder, type PlainFigures } from '../../test/support/filter-oracle.ts';
import { entries, filter, packOf, root, rowsInFile } from '../../test/support/filter-trees.ts';
import { sampled } from '../../test/support/sampled.ts';
import { type Filter, noFilter } from '../filter/filter.ts';
import { readFilter, writeFilter } from '../filter/filter-text.ts';
import { filterPack } from '../levels/filter-pack.ts';
import type { View } from '../sums/filtered-pack.ts';
import { takeHistogram } from '../sums/histogram.ts';
import { takeSeason } from './season.ts';
import { noSeason, seasonFieldName } from './season-name.ts';

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The searches of a keyword. In a file that has only shares of the best month, they come from the volume. */
function yearOf({ trend, volume }: PlainFigures, isShares: boolean): readonly number[] | undefined {
  if (!trend || !isShares) return trend;
  if (volume === undefined || sum(trend) === 0) return undefined;
  return trend.map((share) => (share * volume * 12) / sum(trend));
}

const close = (one: number, other: number): boolean => Math.abs(one - other) < 1e-9 * Math.max(one, other);

/** The months that may be the peak, because sums differ in their last digits; `noSeason`; or undefined for unknown. */
function peaksOfYear(year: readonly number[] | undefined): readonly string[] | undefined {
  if (!year) return undefined;
  const most = Math.max(...year);
  if (most === 0 || 12 * most < 1.3 * sum(year) * (1 - 1e-6)) return [noSeason];
  const months = year.flatMap((searches, month) => (close(searches, most) ? [month] : []));
  return months.map((month) => `Month ${month + 1} of 12`);
}

function expectedPeaks(node: Expected, isShares: boolean): readonly string[] | undefined {
  // A keyword's own shares have the same peak whether or not its volume is known.
  if (node.isLeaf) return peaksOfYear(node.own[0]?.trend);
  const years = node.own.flatMap((figures) => [yearOf(figures, isShares) ?? []]).filter((year) => year.length > 0);
  if (years.length === 0) return undefined;
  const total = Array.from({ length: 12 }, (_, month) => sum(years.map((year) => year[month]!)));
  const isByVolume = 2 * node.volume.known >= node.keywords && (node.volume.sum ?? 0) > 0;
  const share = isByVolume ? sum(total) / 12 / node.volume.sum! : years.length / node.keywords;
  return share < 0.2 && years.length < node.keywords ? [noSeason] : peaksOfYear(total);
}

async function expectSame(pack: View, nodes: readonly Expected[], rows: readonly number[]) {
  const isShares = pack.metadata.trend!.unit === 'share';
  const kept = nodes.filter(({ isKept }) => isKept);
  const asked = Uint32Array.from(kept, ({ place }) => rows[place]!);
  const order = asked.toSorted();
  const { values, value, known } = await takeSeason(pack, order, undefined);
  const seen = { peaks: 0 };
  for (const [at, node] of kept.entries()) {
    const nth = order.indexOf(asked[at]!);
    const found = values[value[nth]!]!;
    const expected = expectedPeaks(node, isShares);
    if (expected) expect(expected, `${node.place}: ${JSON.stringify(node.own)}`).toContain(found);
    else expect(found).toBe('');
    const years = node.isLeaf
      ? node.own.filter(({ trend }) => trend)
      : node.own.filter((figures) => yearOf(figures, isShares));
    expect(known[nth]).toBe(years.length);
    if (found.startsWith('Month')) seen.peaks++;
  }
  return seen.peaks;
}

// Shows P15.28.
test('every node peaks in the same month as in a naive sum, with and without a filter', async () => {
  const seen = { filtered: 0, plain: 0 };
  await fc.assert(
    fc.asyncProperty(root, entries, filter, async (hierarchy, keywords, asked) => {
      const { pack } = await packOf(hierarchy, keywords);
      if (!pack.metadata.trend) return;
      const rows = await rowsInFile(pack);
      seen.plain += await expectSame(
        pack,
        expectedUnder(hierarchy, keywords, noFilter, () => ''),
        rows,
      );
      const filtered = await filterPack(pack, readFilter(writeFilter(asked))!);
      seen.filtered += await expectSame(
        filtered,
        expectedUnder(hierarchy, keywords, asked, () => ''),
        rows,
      );
    }),
    { numRuns: sampled(200), seed: 31 },
  );
  expect(seen.plain).toBeGreaterThan(sampled(800));
  expect(seen.filtered).toBeGreaterThan(sampled(200));
});

test('a filter by months keeps the keywords that peak in them', async () => {
  let kept = 0;
  await fc.assert(
    fc.asyncProperty(root, entries, fc.subarray([3, 12], { minLength: 1 }), async (hierarchy, keywords, months) => {
      const { pack } = await packOf(hierarchy, keywords);
      if (!pack.metadata.trend) return;
      const rows = await rowsInFile(pack);
      const values = months.map((month) => `Month ${month} of 12`);
      const part = { field: seasonFieldName(undefined), values };
      const filtered = await filterPack(pack, readFilter(writeFilter({ ...noFilter, categories: [part] }))!);
      for (const node of expectedUnder(hierarchy, keywords, noFilter, () => '')) {
        if (!node.isLeaf) continue;
        const isWanted = peaksOfYear(node.own[0]?.trend)?.at(-1);
        expect(filtered.keeps(rows[node.place]!), JSON.stringify(node.own)).toBe(values.includes(isWanted ?? ''));
        if (isWanted && values.includes(isWanted)) kept++;
      }
    }),
    { numRuns: sampled(100), seed: 32 },
  );
  expect(kept).toBeGreaterThan(sampled(80));
});

test('a filter by what is known keeps the keywords with a whole year', async () => {
  const trend = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1];
  const children = [
    { name: 'x', trend, volume: 1 },
    { name: 'y', volume: 1 },
  ];
  const { pack } = await packOf({ name: 'r', children }, []);
  const field = seasonFieldName(undefined);
  const namesUnder = async (filter: Partial<Filter>) => {
    const filtered = await filterPack(pack, readFilter(writeFilter({ ...noFilter, ...filter }))!);
    return [1, 2].map((row) => filtered.keeps(row));
  };
  expect(await namesUnder({ known: [`field:${field}`] })).toEqual([true, false]);
  expect(await namesUnder({ categories: [{ field, values: [''] }] })).toEqual([false, true]);
  const everything = await filterPack(pack, noFilter);
  expect(await takeHistogram(everything, `field:${field}`)).toMatchObject({
    kind: 'values',
    known: 1,
    unknown: 1,
    values: expect.arrayContaining([
      { value: noSeason, count: 1 },
      { value: 'Month 1 of 12', count: 0 },
    ]),
  });
});

test('months are those of the calendar if the newest one is known', async () => {
  const trend = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0];
  const { pack } = await packOf({ name: 'r', children: [{ name: 'x', trend, volume: 1 }] }, []);
  const month = async (newest: string | undefined) => {
    const { values, value } = await takeSeason(pack, Uint32Array.of(0, 1), newest);
    return Array.from(value, (one) => values[one]);
  };
  expect(await month(undefined)).toEqual(['Month 11 of 12', 'Month 11 of 12']);
  expect(await month('2026-04')).toEqual(['March', 'March']);
  expect(await month('2026-01')).toEqual(['December', 'December']);
  expect(await month('2026-12')).toEqual(['November', 'November']);
});
