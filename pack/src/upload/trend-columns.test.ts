import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { sampled } from '../../test/support/sampled.ts';
import { everyLoop } from '../../test/support/tokenizers.ts';
import { arraySink, arraySource } from '../../test/support/trees.ts';
import { describeNode, type NodeDetail } from '../detail/node-detail.ts';
import { createIngest } from '../ingest.ts';
import { checkPack } from '../write/pack-check.ts';
import { writePack } from '../write/pack-writer.ts';
import type { UploadLoop } from './name-loop.ts';
import { monthText, trendField } from './trend-columns.ts';
import { readSeries } from './trend-text.ts';

async function packOf(file: unknown, loop?: UploadLoop, blockBytes = Number.POSITIVE_INFINITY) {
  const bytes = new TextEncoder().encode(JSON.stringify(file));
  const reading = createIngest({ hashKey: [1, 2], ...(loop && { loop }) });
  for (let at = 0; at < bytes.length; at += blockBytes) reading.push(bytes.subarray(at, at + blockBytes));
  const result = reading.finish();
  if (!result.ok) throw new Error(result.problem.what);
  const sink = arraySink();
  await writePack(result.tree, '00'.repeat(32), sink);
  return { bytes: sink.bytes(), original: arraySource(bytes) };
}

async function trendIn(file: unknown, node = 0): Promise<NodeDetail['trend']> {
  const { bytes, original } = await packOf(file);
  return (await describeNode(await checkPack(arraySource(bytes)), node, original)).trend;
}

const year = (from: number) => Array.from({ length: 12 }, (_, month) => from + month);
const shoes = (...keywords: object[]) => ({
  keywords,
  hierarchy: {
    name: 'shoes',
    children: keywords.map((keyword) => ({ name: 'keyword' in keyword && keyword.keyword })),
  },
});

describe('a trend is read in every format that tools write', () => {
  it('as a list of numbers', async () => {
    expect(await trendIn(shoes({ keyword: 'a', trend: year(200) }))).toEqual({
      months: year(200),
      unit: 'searches',
      known: 1,
    });
  });

  it('as text, with or without brackets', async () => {
    const trends = ['200,201,202,203,204,205,206,207,208,209,210,211', `[${year(200).join(', ')}]`];
    expect(await trendIn(shoes({ keyword: 'a', Trend: trends[0] }, { keyword: 'b', Trends: trends[1] }))).toEqual({
      months: year(200).map((value) => 2 * value),
      unit: 'searches',
      known: 2,
    });
  });

  it('as one column per month, in any order', async () => {
    const columns = ['Jun 2025', 'May 2025', 'Jul 2025', 'August 2025', 'Sept 2025', 'Oct 2025', 'Nov 2025'];
    const later = ['Dec 2025', 'Jan 2026', 'Feb 2026', 'Mar 2026', 'Apr 2026'];
    const entry = Object.fromEntries([...columns, ...later].map((name, at) => [`Searches: ${name}`, 300 + at]));
    const months = [301, 300, ...year(300).slice(2)];
    expect(await trendIn(shoes({ keyword: 'a', ...entry }))).toEqual({
      months,
      unit: 'searches',
      known: 1,
      newest: '2026-04',
    });
  });

  it('as months with their searches, the newest first, inside `keyword_info`', async () => {
    const month = (at: number) => ({
      year: at < 3 ? 2025 : 2026,
      month: at < 3 ? 10 + at : at - 2,
      search_volume: 400 + at,
    });
    const monthly_searches = Array.from({ length: 13 }, (_, at) => month(13 - at - 1));
    expect(await trendIn(shoes({ keyword: 'a', keyword_info: { search_volume: 450, monthly_searches } }))).toEqual({
      months: year(401),
      unit: 'searches',
      known: 1,
      newest: '2026-10',
    });
  });

  it('with the last month in its name', () => {
    const named = trendField('SV trend (05-2025 - 04-2026)');
    expect(named).toBeGreaterThan(trendField('Trend'));
    expect(trendField('SV Forecasting trend (05-2026 - 04-2027)')).toBe(-1);
    expect(monthText(12 * 2026 + 3)).toBe('2026-04');
  });
});

describe('an incomplete year is not in any sum', () => {
  it('still shows the known values of a keyword, and null for the others', async () => {
    const file = shoes({ keyword: 'a', trend: [null, ...year(1).slice(1)] }, { keyword: 'b', trend: year(500) });
    expect(await trendIn(file)).toEqual({ months: year(500), unit: 'searches', known: 1 });
    expect((await trendIn(file, 1))?.months).toEqual([null, ...year(1).slice(1)]);
  });

  it('does not treat fewer than twelve numbers as a trend', async () => {
    expect(await trendIn(shoes({ keyword: 'a', trend: [1, 2, 3] }, { keyword: 'b', trend: 'rising' }))).toBeUndefined();
  });
});

test('shares of the best month become searches if the volume is known, and stay shares otherwise', async () => {
  const share = [0.5, 1, 0.5, 1, 0.5, 1, 0.5, 1, 0.5, 1, 0.5, 1];
  const file = shoes({ keyword: 'a', volume: 75, trend: share }, { keyword: 'b', trend: share.join(',') });
  const searches = share.map((value) => 100 * value);
  expect(await trendIn(file)).toEqual({ months: searches, unit: 'searches', known: 1 });
  expect(await trendIn(file, 1)).toEqual({ months: searches, unit: 'searches', known: 1 });
  expect(await trendIn(file, 2)).toEqual({ months: share, unit: 'share', known: 0 });
});

test('text is a series only if every part is a decimal number', () => {
  const read = (text: string) => {
    const last = new Float64Array(3);
    const count = readSeries(new TextEncoder().encode(text), 0, new TextEncoder().encode(text).length, last);
    return [count, ...last];
  };
  expect(read(' 0.67; 0.81,1.00 ')).toEqual([3, 0.67, 0.81, 1]);
  expect(read('[1,,3]')).toEqual([3, 1, Number.NaN, 3]);
  expect(read('1,2,3,4')).toEqual([4, 2, 3, 4]);
  for (const text of ['', '[]', 'up', '1,2,-3', '1.2.3', '.', '1e3']) expect(read(text)[0]).toBe(0);
});

type Random = { name: string; volume: number | undefined; trend: number[] | undefined; group: number };
const randoms = fc.array(
  fc.record({
    name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
    volume: fc.option(fc.integer({ min: 0, max: 1000 }), { nil: undefined }),
    trend: fc.option(fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 11, maxLength: 13 }), { nil: undefined }),
    group: fc.nat(2),
  }),
  { minLength: 1, maxLength: 20 },
);

/** Entries in four notations in turn, grouped by notation. */
function fileOf(randoms: readonly Random[]) {
  const written = (trend: number[], at: number) => [trend, trend.join(','), `[${trend}]`, trend.map(String)][at % 4];
  const child = ({ name, volume, trend }: Random, at: number) => ({
    name,
    type: 'keyword',
    volume,
    trend: trend && written(trend, at),
  });
  const groups = [0, 1, 2].map((group) => randoms.filter((one) => one.group === group).map(child));
  const third = { name: 'third', type: 'cluster', children: groups[2] };
  const second = { name: 'second', type: 'cluster', children: [...groups[1]!, third] };
  return { hierarchy: { name: 'root', type: 'root', children: [...groups[0]!, second] } };
}

// Shows P15.12.
test('sums of branches are those of a naive recomputation, duplicates counted once', async () => {
  await fc.assert(
    fc.asyncProperty(randoms, async (all) => {
      const { bytes, original } = await packOf(fileOf(all));
      const pack = await checkPack(arraySource(bytes));
      const inOrder = [0, 1, 2].flatMap((group) => all.filter((one) => one.group === group));
      const values = inOrder.flatMap(({ trend }) => (trend && trend.length >= 12 ? trend.slice(-12) : []));
      const greatest = Math.max(0, ...values);
      const isShare = greatest <= 1 || greatest === 100;
      const searchesOf = ({ trend, volume }: Random) => {
        if (!trend || trend.length < 12) return undefined;
        const last = trend.slice(-12);
        const sum = last.reduce((total, value) => total + value, 0);
        if (!isShare) return last;
        return volume === undefined || sum === 0 ? undefined : last.map((value) => (value * volume * 12) / sum);
      };
      for (const [name, from] of [
        ['root', 0],
        ['second', 1],
        ['third', 2],
      ] as const) {
        const firsts = inOrder
          .filter((one) => one.group >= from)
          .filter((one, at, same) => same.findIndex((other) => other.name === one.name) === at);
        const known = firsts.flatMap((one) => searchesOf(one) ?? []).length / 12;
        const expected = Array.from({ length: 12 }, (_, month) =>
          firsts.reduce((total, one) => total + (searchesOf(one)?.[month] ?? 0), 0),
        );
        const details = await Promise.all(
          Array.from({ length: pack.metadata.nodes }, (_, row) => describeNode(pack, row, original)),
        );
        const trend = details.find((detail) => detail.name === name)!.trend;
        expect(trend?.known ?? 0).toBe(known);
        for (const [month, value] of (trend?.months ?? []).entries()) expect(value).toBeCloseTo(expected[month]!, 6);
      }
    }),
    { numRuns: sampled(60) },
  );
});

const loops = everyLoop(readFileSync(new URL('../../dist/json-loop.wasm', import.meta.url)));

test.for(loops)('gives the same bytes however they are split, by $name', async ({ loop }) => {
  await fc.assert(
    fc.asyncProperty(randoms, fc.integer({ min: 1, max: 60 }), async (all, blockBytes) => {
      const whole = await packOf(fileOf(all));
      expect((await packOf(fileOf(all), loop, blockBytes)).bytes).toEqual(whole.bytes);
    }),
    { numRuns: 40 },
  );
});
