import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { packOf } from '../../test/support/filter-trees.ts';
import { grouped } from '../../test/support/warnings-oracle.ts';
import { noFilter } from '../filter/filter.ts';
import { namesAt } from '../format/names-at.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { filterPack } from '../levels/filter-pack.ts';
import { defaultThresholds, type WarningKind } from '../vocabulary/warnings.ts';
import { findWarnings } from './find-warnings.ts';

const data = new URL('../../../../shared/data/', import.meta.url);
const real = new URL('seed-shape-real/add-to-website.json', data);
const table = new URL('semrush-clustered/add-to-website_clustered_full_us_2026-04-22.csv', data);
const positions = new URL('semrush-organic-positions/marker.io-organic.Positions-us-20260417.csv', data);

type Row = Readonly<Record<string, string>>;
const rowsOf = (url: URL) => parse(readFileSync(url), { columns: true, bom: true, relax_quotes: true }) as Row[];

/** The clusters of the table that a rule finds, in words. */
function clustersOf(rows: readonly Row[], holds: (rows: readonly Row[]) => boolean): string[] {
  const clusters = grouped(rows, ({ GROUP, CLUSTER }) => `${GROUP} ${CLUSTER}`);
  return [...clusters].filter(([, some]) => holds(some)).map(([, [first]]) => first!.CLUSTER!);
}

test.skipIf(!existsSync(real) || !existsSync(table))(
  'a real file has the warnings of its table',
  async () => {
    const bytes = readFileSync(real);
    const { pack, original } = await openJson(bytes);
    const rows = rowsOf(table);
    const volume = (some: readonly Row[]) => some.reduce((sum, row) => sum + Number(row.Volume), 0);
    const knows = (some: readonly Row[]) => some.filter((row) => row['Keyword Difficulty'] !== '');
    const isMixed = (some: readonly Row[]) => {
      const known = some.filter(({ Intent }) => Intent !== '');
      const parts = new Map<string, number>();
      for (const { Intent } of known) {
        for (const intent of Intent!.split(', ')) parts.set(intent, (parts.get(intent) ?? 0) + 1 / known.length);
      }
      return known.length >= 5 && [...parts.values()].every((share) => share < 0.6 - 1e-9);
    };
    const isUnknown = (some: readonly Row[]) =>
      volume(some) > 0 ? volume(knows(some)) < 0.2 * volume(some) : knows(some).length < 0.2 * some.length;
    const expected: Readonly<Partial<Record<WarningKind, string[]>>> = {
      mixed: clustersOf(rows, isMixed),
      oversized: clustersOf(rows, (some) => some.length > 500),
      single: clustersOf(rows, (some) => some.length === 1),
      unknown: clustersOf(rows, isUnknown),
    };
    const filtered = await filterPack(pack, noFilter);
    const { lists } = await findWarnings(filtered, defaultThresholds, original);
    for (const [kind, names] of Object.entries(expected)) {
      expect(await namesOf(pack, lists[kind as WarningKind]), kind).toEqual(names.toSorted());
    }
    // No page of this file needs more than one intent that most of its keywords share.
    expect(expected.mixed).toEqual([]);
    expect([expected.oversized, expected.single, expected.unknown].map((names) => names!.length)).toEqual([8, 5, 77]);
    expect(lists['url-clusters']).toEqual({ kind: 'url-clusters', missing: 'no-urls' });
    expect(lists['cluster-urls']).toEqual({ kind: 'cluster-urls', missing: 'no-urls' });
    expect(await namesOf(pack, lists.repeated)).toEqual([]);
    expect(lists.unplaced).toMatchObject({ count: 0 });
    const raised = await findWarnings(filtered, { ...defaultThresholds, oversized: 600 }, original);
    expect(await namesOf(pack, raised.lists.oversized)).toEqual(
      clustersOf(rows, (some) => some.length > 600).toSorted(),
    );
    expect(raised.lists.oversized).toMatchObject({ count: 5 });
  },
  60_000,
);

test.skipIf(!existsSync(positions))(
  'a report of positions has the competing URLs that its rows say',
  async () => {
    const rows = rowsOf(positions);
    // A cluster is what the first word is, so that one page ranks for many clusters.
    const clusterOf = (keyword: string) => keyword.trim().toLowerCase().split(/\s+/)[0]!;
    const keywords = rows.map((row) => ({
      keyword: row.Keyword!,
      position: Number(row.Position),
      url: row.URL!,
      volume: Number(row['Search Volume']),
    }));
    const distinct = [...new Set(keywords.map(({ keyword }) => keyword.toLowerCase()))];
    const clusters = grouped(distinct, clusterOf);
    const hierarchy = {
      name: 'marker.io',
      children: [...clusters].map(([name, some]) => ({
        name: `about ${name}`,
        type: 'cluster',
        children: some.map((keyword) => ({ name: keyword, type: 'keyword' })),
      })),
    };
    const { pack, original } = await packOf(hierarchy, keywords as never);
    const { lists, urls } = await findWarnings(await filterPack(pack, noFilter), defaultThresholds, original);

    /** By keyword: its URLs with the best of their positions. */
    const ranking = new Map<string, string[]>();
    for (const [keyword, some] of grouped(keywords, (one) => one.keyword.toLowerCase())) {
      const byUrl = grouped(some, ({ url }) => bare(url));
      const best = (of: typeof some) => Math.min(...of.map(({ position }) => position));
      ranking.set(
        keyword,
        [...byUrl].filter(([, of]) => best(of) <= 20).map(([url]) => url),
      );
    }
    const strong = new Map<string, Map<string, number>>();
    const torn = new Set<string>();
    for (const [name, some] of clusters) {
      const counts = new Map<string, number>();
      for (const keyword of some) {
        if (ranking.get(keyword)!.length > 1) torn.add(name);
        for (const url of ranking.get(keyword)!) counts.set(url, (counts.get(url) ?? 0) + 1);
      }
      strong.set(name, new Map([...counts].filter(([, count]) => count >= 2)));
    }
    const shared = [...new Set([...strong.values()].flatMap((counts) => [...counts.keys()]))].filter(
      (url) => [...strong.values()].filter((counts) => counts.has(url)).length > 1,
    );
    const rivals = [...strong].filter(([name, counts]) => {
      const second = [...counts.values()].sort((one, other) => other - one)[1] ?? 0;
      return torn.has(name) || (second > 0 && second >= 0.2 * clusters.get(name)!.length);
    });
    const found = lists['url-clusters'];
    if ('missing' in found) throw new Error('the report has URLs');
    expect(Array.from(found.urls!, (url) => urls[url]!).sort()).toEqual(shared.sort());
    expect(await namesOf(pack, lists['cluster-urls'])).toEqual(rivals.map(([name]) => `about ${name}`).sort());
    expect([shared.length, rivals.length].every((count) => count > 10)).toBe(true);
  },
  60_000,
);

/** For the addresses of this report. */
const bare = (url: string) =>
  url
    .replace(/^https?:\/\/(www\.)?/, '')
    .replace(/#.*$/, '')
    .replace(/\/$/, '');

async function openJson(bytes: Uint8Array) {
  const { keywords, hierarchy } = JSON.parse(new TextDecoder().decode(bytes)) as { keywords: never; hierarchy: never };
  const { pack, original } = await packOf(hierarchy, keywords);
  return { pack, original };
}

async function namesOf(pack: PackReader, list: { readonly rows: Uint32Array } | object): Promise<string[]> {
  const rows = 'rows' in list ? list.rows : new Uint32Array(0);
  return (await namesAt(pack, rows.toSorted())).sort();
}
