import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packOf } from '../../test/support/filter-trees.ts';
import { sampled } from '../../test/support/sampled.ts';
import { countWords, wordCounts } from './count-words.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
const segmented = (text: string) => [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length;

/** Characters of several scripts, and every sign that connects or ends words. */
const anyName = fc
  .string({ unit: fc.constantFrom(...'ab1_:.,;\'’ é я ñ가한عربहिन्दी2٣٤-؟،।?!"&@+\u0301ßÄ\tœЁйΩ語とไท') })
  // The segmenter takes a run of underscores alone for a word.
  .filter((text) => !text.includes('__'));

test('words are those of Unicode word segmentation', () => {
  // If one of these changes with Node, counts of words change for everybody.
  for (const [text, count] of [
    ['how to add a website to your desktop', 8],
    ["don't", 1],
    ['wi-fi 6e', 3],
    ['node.js 3.5', 2],
    ['1,000 km/h', 3],
    ['c++ & c#', 2],
    ['snake_case', 1],
    ['l’été à Paris', 3],
    ['как сделать сайт', 3],
    ['हिन्दी में खोज', 3],
    ['웹사이트 만들기', 2],
    ['日本語の検索', 3],
    ['วิธีทำเว็บไซต์', 3],
    ['', 0],
    ['?!', 0],
  ] as const) {
    expect([text, countWords(text)]).toEqual([text, count]);
  }
});

test('the rules for alphabets give what the segmenter gives', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      expect(countWords(name)).toBe(segmented(name));
    }),
    { numRuns: sampled(3000) },
  );
});

test('a pack counts the words of each name, in ASCII and beyond, up to 255', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        anyName.filter((name) => name.trim() !== ''),
        { minLength: 1, maxLength: 20 },
      ),
      async (names) => {
        const { pack } = await packOf({ name: 'root', children: names.map((name) => ({ name })) }, []);
        const { start, bytes } = await pack.texts('name');
        const name = (row: number) => new TextDecoder().decode(bytes.subarray(start[row]!, start[row + 1]!));
        const counted = await wordCounts(pack, {});
        expect([...counted]).toEqual(Array.from(counted, (_, row) => segmented(name(row))));
      },
    ),
    { numRuns: 40 },
  );
  const { pack } = await packOf({ name: 'root', children: [{ name: 'a '.repeat(300) }] }, []);
  expect((await wordCounts(pack, {}))[1]).toBe(255);
});
