import { expect, test } from 'vitest';
import { createIngest } from '../../pack/src/ingest.ts';
import type { Keywords } from '../src/merge/keywords.ts';
import { rankedAddresses, uploadFields } from '../src/merge/upload-fields.ts';
import { keywordsOf, named, testWithData, utf8 } from './support/lists.ts';

/** The keywords as an uploaded file holds them, read as every upload is. */
function ingested(keywords: Keywords) {
  const fields = uploadFields(keywords);
  const entries = keywords.text.map((keyword, at) => ({
    keyword,
    ...Object.fromEntries(
      fields.flatMap(({ name, values }) => {
        const value = values[at];
        return value === undefined || Number.isNaN(value) ? [] : [[name, value]];
      }),
    ),
  }));
  const ingest = createIngest({ hashKey: [1, 2] });
  ingest.push(
    utf8(
      JSON.stringify({
        keywords: entries,
        hierarchy: {
          name: 'list',
          type: 'root',
          children: entries.map(({ keyword }) => ({ name: keyword, type: 'keyword' })),
        },
      }),
    ),
  );
  const result = ingest.finish();
  if (!result.ok) expect.fail(result.problem.what);
  return result.tree;
}

const list = `Keyword,Volume,KD,CPC,Competition,Intent,Position,URL,Traffic,SERP Features,Trend,Colour,Group
red shoes,"1,300",45.5,1.2,0.3,"Informational, Commercial",2,https://x.com/a,7,"Video, Sitelinks","1,2,3,4,5,6,7,8,9,10,11,12",red,A
blue shoes,0,,,,,,,,,,blue,A
hats,20,7,,1,T,,,,,,,B
coats,30,7,,1,T,,,,,,green,B
`;

test('an upload with these members has the same figures', () => {
  const { keywords } = keywordsOf([{ name: 'list.csv', bytes: utf8(list) }]);
  const names = uploadFields(keywords).map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      'search_volume',
      'keyword_difficulty',
      'intent',
      'serp_features',
      'trend',
      'url',
      'Colour',
    ]),
  );
  expect(names).not.toContain('Group');
  const tree = ingested(keywords);
  const { metrics } = tree.tables.keywords;
  expect(metrics.volume).toEqual(keywords.figures.volume);
  expect(metrics.difficulty).toEqual(Float32Array.from(keywords.figures.difficulty!));
  expect(metrics.cpc).toEqual(Float32Array.from(keywords.figures.cpc!));
  expect(metrics.competition).toEqual(Float32Array.from(keywords.figures.competition!));
  expect(metrics.position).toEqual(Float32Array.from(keywords.figures.position!));
  expect(metrics.intent).toEqual(keywords.intents);
  const fields = Object.fromEntries(tree.fields.map(({ field }) => [field.name, field.kind]));
  expect(fields).toMatchObject({ traffic: 'number', serp_features: 'set', url: 'category', Colour: 'category' });
  expect(tree.trend).toBeDefined();
});

test('difficulties below 1 that a person called percentages are none of shares in the upload', () => {
  const text = 'Keyword,KD\nred shoes,0.42\nhats,0\ncoats,1\n';
  const difficultyOf = (isCtrPercent: boolean) => {
    const { keywords } = keywordsOf([{ name: 'list.csv', bytes: utf8(text), corrections: { isCtrPercent } }]);
    return ingested(keywords).tables.keywords.metrics.difficulty;
  };
  expect(difficultyOf(true)).toEqual(Float32Array.of(0.42, 0, 1));
  expect(difficultyOf(false)).toEqual(Float32Array.of(42, 0, 100));
});

test('a trend with named months keeps them', () => {
  const header = Array.from(
    { length: 12 },
    (_, at) =>
      `Searches: ${['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'][at]} 2025`,
  );
  const text = `Keyword,Avg. monthly searches,${header.join()}\nred shoes,10,${header.map((_, at) => at * 10)}\n`;
  const { keywords } = keywordsOf([{ name: 'planner.csv', bytes: utf8(text) }]);
  expect(ingested(keywords).trend).toMatchObject({ newest: 12 * 2025 + 11, unit: 'searches' });
});

test('addresses come by position', () => {
  const text =
    'Keyword,Position,URL\na,3,https://x.com/3\na,1,https://x.com/1\na,,https://x.com/none\nb,2,https://x.com/3\nc,1,\n';
  const { keywords } = keywordsOf([{ name: 'ranks.csv', bytes: utf8(text) }]);
  expect(rankedAddresses(keywords.urls!)).toEqual([
    ['https://x.com/1', 'https://x.com/3', 'https://x.com/none'],
    ['https://x.com/3'],
    [],
  ]);
});

testWithData('a real list has the same figures as an upload', () => {
  for (const path of [
    'semrush-organic-positions/marker.io-organic.Positions-us-20260417.csv',
    'semrush-keyword-magic/redmine_broad-match_us_2026-05-01.csv',
  ]) {
    const { keywords } = keywordsOf([named(path)]);
    const tree = ingested(keywords);
    expect(tree.counts).toMatchObject({ keywords: keywords.text.length, merged: 0, distinct: keywords.text.length });
    expect(tree.tables.keywords.metrics.volume, path).toEqual(keywords.figures.volume);
    expect(tree.tables.keywords.metrics.difficulty, path).toEqual(Float32Array.from(keywords.figures.difficulty!));
    expect(tree.tables.keywords.metrics.intent, path).toEqual(keywords.intents);
  }
});
