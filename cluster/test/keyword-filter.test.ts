import { expect, test } from 'vitest';
import { filteredLists, type KeywordFilter } from '../src/lists/keyword-filter.ts';
import { readLists } from '../src/lists/read-lists.ts';
import { uploadFields } from '../src/merge/upload-fields.ts';
import { utf8 } from './support/lists.ts';
import { sourceOf } from './support/workbooks.ts';

const list = `Keyword,Volume,Clicks,Group,URL,Competitor,Rank,SERP Features
Acme hose,0,1,Hoses,https://a.com/x,https://one.example/,1,Video
garden hose,100,2,Hoses,https://a.com/y,https://two.example/,1,"Video, Images"
free garden hose,50,3,Hoses,,https://three.example/,2,
hose reel,,4,Reels,https://a.com/z,https://one.example/,3,
freedom reel acme,10,5,Reels,https://a.com/x,https://two.example/,1,Images
`;

async function filtered(filter: KeywordFilter, text = list) {
  const lists = await readLists([{ name: 'x.csv', source: sourceOf(utf8(text)) }]);
  if ('refusal' in lists) expect.fail(JSON.stringify(lists));
  return filteredLists(lists, filter);
}

test('without a filter, the lists are the same ones', async () => {
  const { lists, counts } = await filtered({});
  expect(counts).toEqual({ kept: 5, belowVolume: 0, withWords: 0, branded: 0 });
  expect(lists.keywords.text).toHaveLength(5);
});

// Shows P20.13.
test('a low volume is left out, and an unknown one is not low', async () => {
  const { lists, counts } = await filtered({ minVolume: 10 });
  expect(lists.keywords.text).toEqual(['garden hose', 'free garden hose', 'hose reel', 'freedom reel acme']);
  expect(counts).toMatchObject({ kept: 4, belowVolume: 1 });
});

test('words and phrases are whole ones, whatever their case', async () => {
  const { lists } = await filtered({ leaveOut: ['FREE', 'hose reel'] });
  expect(lists.keywords.text).toEqual(['Acme hose', 'garden hose', 'freedom reel acme']);
});

test('scripts without blanks between words have parts of words', async () => {
  const text = 'Keyword,Volume\n木の机,1\n白い机,1\n木の棚,1\n';
  const { lists } = await filtered({ leaveOut: ['木'] }, text);
  expect(lists.keywords.text).toEqual(['白い机']);
});

// Shows P20.13.
test('brand words mark keywords in a column of the map', async () => {
  const { lists, counts } = await filtered({ brands: ['acme'] });
  expect(counts.branded).toBe(2);
  const branded = uploadFields(lists.keywords).find(({ name }) => name === 'Branded')!;
  expect(Array.from(branded.values)).toEqual(['yes', 'no', 'no', 'no', 'yes']);
});

test('what is known about a keyword stays with it', async () => {
  const filter = { minVolume: 10, leaveOut: ['free'] };
  const { lists } = await filtered(filter);
  const lines = list.split('\n').filter((line) => /^(Keyword|garden|hose|freedom)/u.test(line));
  const alone = await filtered({}, lines.join('\n'));
  const { file: _, ...known } = lists.keywords;
  const { file: __, ...expected } = alone.lists.keywords;
  // Both have the texts of the whole list in their columns; which of them each keyword has is what counts.
  const texts = ({ serpFeatures, urls, results, ...rest }: typeof known) => ({
    ...rest,
    texts: rest.texts.map(({ name, values, codes }) => [name, [...codes].map((code) => values[code])]),
    serpFeatures: serpFeatures && [...serpFeatures.codes].map((code) => serpFeatures.values[code]),
    addresses: [urls, results].map(
      (postings) =>
        postings && {
          start: [...postings.start],
          names: [...postings.url].map((at) => postings.names[at]),
          position: [...postings.position],
        },
    ),
  });
  expect(texts(known)).toEqual(texts(expected));
});
