import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { bestAddresses, folderLevels, pageLevel } from '../src/merge/address-levels.ts';
import { groupingByUrl, groupingOf, groupTree } from '../src/merge/grouping.ts';
import { dataFile, keywordsOf, named, testWithData, utf8 } from './support/lists.ts';

const listOf = (text: string, name = 'list.csv') => keywordsOf([{ name, bytes: utf8(text) }]).keywords;
const levelNames = (text: string) => groupingOf(listOf(text))?.levels.map(({ name }) => name);

/** Each keyword with the path of its groups. */
function pathsOf(text: string, chosen?: readonly string[]): Record<string, string> {
  const keywords = listOf(text);
  const { levels } = groupingOf(keywords, chosen)!;
  const tree = groupTree(levels, keywords.text.length);
  const pathTo = (group: number): string[] => (group < 0 ? [] : [...pathTo(tree.parent[group]!), tree.name[group]!]);
  return Object.fromEntries(keywords.text.map((keyword, at) => [keyword, pathTo(tree.of[at]!).join(' > ')]));
}

const shoes = `Keyword,Volume,Cluster,Topic
red shoes,10,Colours,Shoes
blue shoes,9,Colours,Shoes
shoe repair,8,Repair,Shoes
hat repair,7,Repair,Hats
hats,6,,Hats
gloves,5,Wool,
`;

describe('levels', () => {
  test('stand in the order in which they nest, whatever their columns', () => {
    const nested = 'Keyword,Volume,Cluster,Group\na,1,x,A\nb,1,x,A\nc,1,y,A\nd,1,z,B\ne,1,z,B\nf,1,w,B\n';
    expect(levelNames(nested)).toEqual(['Group', 'Cluster']);
    expect(levelNames(nested.replace('Cluster,Group', 'Group,Cluster'))).toEqual(['Cluster', 'Group']);
  });

  test('stand by their names where values do not nest', () => {
    expect(levelNames(shoes)).toEqual(['Topic', 'Cluster']);
  });

  test('a parent keyword is a level, and numbers are none', () => {
    const ahrefs = 'Keyword,Difficulty,Volume,Parent Keyword\nred shoe,1,9,shoes\nblue shoe,2,8,shoes\nhat,3,7,hats\n';
    expect(levelNames(ahrefs)).toEqual(['Parent Keyword']);
    expect(levelNames('Keyword,Volume,Group\na,9,1\nb,8,1\nc,7,2\nd,6,2\n')).toBeUndefined();
  });

  // Shows P20.11.
  test('are called so: texts that repeat and nest are none unless a person chooses them', () => {
    const table =
      'text,label,area,device\na b,x,A,phone\nb c,x,A,desk\nc d,y,A,phone\nd e,y,A,desk\ne f,z,B,phone\nf g,z,B,desk\n';
    expect(groupingOf(listOf(table))).toBeUndefined();
    expect(groupingOf(listOf(table), ['area', 'label'])!.levels.map(({ name }) => name)).toEqual(['area', 'label']);
  });

  test.each([
    ['Video, Images', 'Reviews'],
    ['true', 'false'],
    ['desktop', 'mobile'],
    ['organic', 'site links'],
    ['Easy', 'Hard'],
    ['Y', 'N'],
    ['No data', '0.50 EUR'],
  ])('are not columns of "%s" and "%s"', (one, other) => {
    const rows = Array.from({ length: 40 }, (_, at) =>
      `word ${at},10,${at % 3 ? one : other}\n`.replace(one, `"${one}"`),
    );
    expect(levelNames(`Keyword,Volume,Kind of it\n${rows.join('')}`)).toBeUndefined();
  });

  test('are called so in any language, and answers are no groups even then', () => {
    const list = (name: string, one: string, other: string) =>
      `Keyword,Volume,${name}\n${Array.from({ length: 8 }, (_, at) => `word ${at},10,${at % 2 ? one : other}\n`).join('')}`;
    for (const name of ['Группа', 'Кластер', 'Gruppe', 'Catégorie', 'Grupo de anuncios', 'グループ', '分类', 'Küme'])
      expect(levelNames(list(name, 'tables', 'chairs')), name).toEqual([name]);
    expect(levelNames(list('Group', 'yes', 'no'))).toBeUndefined();
  });

  test.each(['Tier', 'Ebene', 'Nível', 'Nivå', 'Уровень', 'レベル'])('are numbered in any language: "%s 1"', (name) => {
    const rows = Array.from({ length: 8 }, (_, at) => `word ${at},upper ${at % 2},lower ${at % 4}\n`);
    expect(levelNames(`Keyword,${name} 1,${name} 2\n${rows.join('')}`)).toEqual([`${name} 1`, `${name} 2`]);
  });

  test('are at most four, the topmost of many', () => {
    const tiers = Array.from({ length: 40 }, (_, at) => 40 - at);
    const rows = Array.from(
      { length: 8 },
      (_, row) => `k ${row},${tiers.map((tier) => `${tier} ${tier > 20 ? row % 4 : row % 2}`)}\n`,
    );
    const text = `Keyword,${tiers.map((tier) => `Tier ${tier}`)}\n${rows.join('').replaceAll(/(\d+ \d)/gu, 'tier $1')}`;
    expect(levelNames(text)).toEqual(['Tier 1', 'Tier 2', 'Tier 3', 'Tier 4']);
  });

  test('are neither tags nor addresses', () => {
    const rows = (value: (at: number) => string) =>
      Array.from({ length: 8 }, (_, at) => `k ${at},1,${value(at % 2)}\n`).join('');
    expect(levelNames(`Keyword,Volume,Tags\n${rows((at) => `tag ${at}`)}`)).toBeUndefined();
    expect(levelNames(`Keyword,Volume,Group\n${rows((at) => `https://x.com/${at}`)}`)).toBeUndefined();
  });

  test('of one level, up to 60 values are pillar topics and more are clusters', () => {
    const list = (values: number) =>
      `Keyword,Volume,Group\n${Array.from({ length: 200 }, (_, at) => `keyword ${at},1,group ${at % values}\n`).join('')}`;
    expect(groupingOf(listOf(list(60)))!.are).toBe('pillar-topics');
    expect(groupingOf(listOf(list(61)))!.are).toBe('clusters');
  });
});

describe('groups', () => {
  test('of equal names are different below different groups; an empty level leaves a keyword above', () => {
    expect(pathsOf(shoes)).toEqual({
      'red shoes': 'Shoes > Colours',
      'blue shoes': 'Shoes > Colours',
      'shoe repair': 'Shoes > Repair',
      'hat repair': 'Hats > Repair',
      hats: 'Hats',
      gloves: 'Wool',
    });
  });

  test('follow the order that a person chose', () => {
    expect(pathsOf(shoes, ['Cluster', 'Topic'])).toMatchObject({
      'red shoes': 'Colours > Shoes',
      'hat repair': 'Repair > Hats',
    });
    expect(pathsOf(shoes, ['Topic'])).toMatchObject({ 'red shoes': 'Shoes', gloves: '' });
  });
});

describe('addresses', () => {
  const positions = `Keyword,Position,Search Volume,Traffic (%),URL,Clicks
a,3,9,1,https://www.x.com/blog/one,5
a,1,9,1,https://www.x.com/shop,2
b,4,9,1,https://www.x.com/shop,
b,2,9,1,https://www.x.com/blog/two/deep,
c,1,9,1,https://www.x.com/,
d,,9,1,,
`;

  test('the one with most clicks counts, then the best position', () => {
    const { urls } = listOf(positions);
    expect([...bestAddresses(urls!)].map((url) => urls!.names[url])).toEqual([
      'https://www.x.com/blog/one',
      'https://www.x.com/blog/two/deep',
      'https://www.x.com/',
      undefined,
    ]);
    const { values, codes } = pageLevel(urls!);
    expect([...codes].map((code) => values[code])).toEqual(['/blog/one', '/blog/two/deep', '/', undefined]);
  });

  test('pages are told apart by what counts, and named with their hosts if there are several', () => {
    const list = (urls: readonly string[]) =>
      listOf(`Keyword,URL,Clicks\n${urls.map((url, row) => `k${row},${url},1`).join('\n')}\n`).urls!;
    const pages = (urls: readonly string[]) => {
      const { values, codes } = pageLevel(list(urls));
      return Array.from(codes, (code) => values[code]);
    };
    expect(
      pages(['https://x.com/a/', 'http://www.X.com/a#top', 'x.com/a?utm_source=mail', 'https://x.com/a?id=2']),
    ).toEqual(['/a', '/a', '/a', '/a?id=2']);
    expect(pages(['https://x.com/caf%C3%A9', 'https://x.com/100%', 'https://y.org/', 'https://x.com'])).toEqual([
      'x.com/café',
      'x.com/100%',
      'y.org/',
      'x.com/',
    ]);
    const [hosts, folders] = folderLevels(list(['https://x.com/a/b', 'https://y.org/a']), 1);
    expect([hosts!.values, folders!.values]).toEqual([['x.com', 'y.org'], ['a']]);
  });

  test('a grouping by URL has pages as clusters, and folders as a tree', () => {
    const { urls } = listOf(positions);
    expect(groupingByUrl(urls!, 'page')).toMatchObject({ levels: [{ name: 'Page' }], are: 'clusters' });
    expect(groupingByUrl(urls!, 1)).toMatchObject({ levels: [{ name: 'Folder' }], are: 'pillar-topics' });
    // No page lies deeper than three segments, and only one that deep.
    expect(groupingByUrl(urls!, 3)).toMatchObject({
      levels: [{ name: 'Folder' }, { name: 'Folder 2' }, { name: 'Folder 3', values: ['deep'] }],
      are: 'tree',
    });
  });

  test('folders are the segments of the path', () => {
    const { urls } = listOf(positions);
    const [first, second] = folderLevels(urls!, 2);
    expect([...first!.codes].map((code) => first!.values[code])).toEqual(['blog', 'blog', '/', undefined]);
    expect([...second!.codes].map((code) => second!.values[code])).toEqual(['one', 'two', undefined, undefined]);
    expect(folderLevels(urls!, 3)).toHaveLength(3);
  });
});

test('keywords without a group may have one that is called so', () => {
  const rows = ['A,oak desk', 'A,ash desk', 'no_cluster,x1', 'Unclustered,x2', 'No group,x3'];
  const { keywords } = keywordsOf([{ name: 'list.csv', bytes: utf8(`Cluster,Keyword\n${rows.join('\n')}\n`) }]);
  expect(groupingOf(keywords)!.without.map(({ value }) => value)).toEqual(['no_cluster', 'Unclustered', 'No group']);
});

// Shows P20.5.
testWithData('add-to-website: 17 groups above 116 clusters, and those without a group', () => {
  const { keywords } = keywordsOf([named('semrush-clustered/add-to-website_clustered_full_us_2026-04-22.csv')]);
  const grouping = groupingOf(keywords)!;
  expect(grouping).toMatchObject({ are: 'tree', without: [{ value: 'Other', keywords: 12_586 }] });
  const tree = groupTree(grouping.levels, keywords.text.length);
  const clusters = tree.name.flatMap((name, group) => (tree.level[group] === 1 ? [{ name, group }] : []));
  expect([tree.name.length - clusters.length, clusters.length]).toEqual([17, 116]);
  const text = new TextDecoder().decode(dataFile('semrush-clustered/add-to-website_cluster_summary_us_2026-04-22.csv'));
  const summary = parse(text, { columns: true }) as Record<'GROUP' | 'CLUSTER' | 'KEYWORDS' | 'VOLUME_MO', string>[];
  const counted = clusters.map(({ name, group }) => {
    const members = [...tree.of.keys()].filter((keyword) => tree.of[keyword] === group);
    const volume = members.reduce((sum, keyword) => sum + keywords.figures.volume![keyword]!, 0);
    return `${tree.name[tree.parent[group]!]!.replace('_', '')} ${name} ${members.length} ${volume}`;
  });
  const expected = summary.map((row) => `${row.GROUP} ${row.CLUSTER} ${row.KEYWORDS} ${row.VOLUME_MO}`);
  expect(counted.sort()).toEqual(expected.sort());
});

testWithData('hwu64: scenario above intent, chosen by hand, each intent in one scenario', () => {
  const { keywords } = keywordsOf([named('clustering-gold/hwu64-sample.tsv')]);
  expect(groupingOf(keywords)).toBeUndefined();
  const { levels } = groupingOf(keywords, ['scenario', 'intent'])!;
  expect(levels.map(({ name, values }) => [name, values.length])).toEqual([
    ['scenario', 18],
    ['intent', 64],
  ]);
  expect(groupTree(levels, keywords.text.length).name).toHaveLength(18 + 64);
});

testWithData('banking77: one column of 77 values, which are clusters', () => {
  const { keywords } = keywordsOf([named('clustering-gold/banking77-test.csv')]);
  expect(groupingOf(keywords)).toMatchObject({ levels: [{ name: 'category' }], are: 'clusters' });
});

// Shows P20.9.
testWithData('Organic Positions: each keyword is below the folder of its page', () => {
  const name = 'semrush-organic-positions/marker.io-organic.Positions-us-20260417.csv';
  const { keywords } = keywordsOf([named(name)]);
  const rows = parse<Record<string, string>>(dataFile(name), { columns: true, bom: true });
  /** The organic positions of each keyword's URLs, read by another parser; infinite where it has another position. */
  const positions = new Map<string, Map<string, number[]>>();
  for (const row of rows) {
    const urls = positions.get(row.Keyword!) ?? new Map<string, number[]>();
    const position = row['Position Type'] === 'Organic' ? Number(row.Position) : Number.POSITIVE_INFINITY;
    positions.set(row.Keyword!, urls.set(row.URL!, [...(urls.get(row.URL!) ?? []), position]));
  }
  const { levels } = groupingByUrl(keywords.urls!, 1);
  const folders = levels.at(-1)!;
  expect(keywords.text.length).toBe(positions.size);
  // A page that is the best one of no keyword is no group.
  const { values, codes } = pageLevel(keywords.urls!);
  expect(new Set(codes).size).toBe(values.length);
  keywords.text.forEach((text, keyword) => {
    const [[best]] = [...positions.get(text)!].toSorted(
      ([, one], [, other]) => Math.min(...one) - Math.min(...other),
    ) as unknown as [[string]];
    const [folder = '/'] = new URL(best).pathname.split('/').filter(Boolean);
    expect(folders.values[folders.codes[keyword]!]).toBe(decodeURI(folder));
  });
});
