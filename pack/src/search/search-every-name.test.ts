import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from '../../test/support/sampled.ts';
import { arraySink, arraySource, treeOf } from '../../test/support/trees.ts';
import { findFallback, hitKind } from '../find/find-fallback.ts';
import { simdFinder } from '../find/find-texts.ts';
import { phrase } from '../find/text-query.ts';
import { namesAt } from '../format/names-at.ts';
import { openPack, type PackReader } from '../format/pack-reader.ts';
import { writePack } from '../write/pack-writer.ts';
import { findHits } from './search.ts';

/**
 * Compares the search with a naive Unicode search, letter by letter, that uses neither the bytes of the pack, nor its
 * folded names, nor its search algorithm.
 */

const binary = readFileSync(new URL('../../dist/find-texts.wasm', import.meta.url));
/** The names are in the memory of the first finder; the others access them in different ways. */
const finders = {
  'in WebAssembly, where they are': simdFinder(binary)!,
  'in WebAssembly, piece by piece': simdFinder(binary)!,
  'in TypeScript': { find: findFallback },
};

/** Marks of these scripts are vowels and signs that are part of a word. */
const isLetterMark = (mark: string) =>
  /\p{Script=Devanagari}|\p{Script=Bengali}|\p{Script=Tamil}|\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer}|\p{Script=Myanmar}/u.test(
    mark,
  );

/** A text as letters without case and accents. */
function lettersOf(text: string): string {
  const letters = [...text.normalize('NFKD')].filter((sign) => !/\p{M}/u.test(sign) || isLetterMark(sign));
  return letters
    .map((letter) => (letter === 'ς' ? 'σ' : letter.toLowerCase().toUpperCase().toLowerCase()))
    .join('')
    .normalize('NFC');
}

function kindOf(name: string, sought: string): number {
  if (name === sought) return hitKind.whole;
  if (name.startsWith(sought)) return hitKind.beginning;
  // A word starts after an ASCII character that is neither letter nor digit. The searched text may start with one.
  const isWord = Array.from({ length: name.length }, (_, at) => at).some(
    (at) => name.startsWith(sought, at) && /^[\0-\x2f\x3a-\x60\x7b-\x7f]$/.test(name.charAt(at - 1)),
  );
  return isWord ? hitKind.word : hitKind.part;
}

async function packOfNames(names: readonly string[]): Promise<PackReader> {
  const outline = `r (${names.map((name) => JSON.stringify(name)).join(' ')})`;
  const sink = arraySink();
  await writePack(treeOf(outline), '00'.repeat(32), sink);
  return openPack(arraySource(sink.bytes()));
}

/** Expects every finder to find what the naive search finds in the names of a pack. */
async function expectAgreement(pack: PackReader, texts: readonly string[]): Promise<number> {
  const names = await namesAt(
    pack,
    Uint32Array.from({ length: pack.metadata.nodes }, (_, row) => row),
  );
  const folded = names.map(lettersOf);
  let found = 0;
  for (const text of texts) {
    const sought = lettersOf(text.trim());
    const expected = sought === '' ? [] : folded.flatMap((name, row) => (name.includes(sought) ? [row] : []));
    found += expected.length;
    for (const [way, find] of Object.entries(finders)) {
      const { kinds, total } = await findHits(pack, phrase(text), { find });
      const rows = [...kinds.keys()].filter((row) => kinds[row] !== hitKind.none);
      expect(rows, `${text} ${way}`).toEqual(expected);
      expect(total, `how many have ${text} ${way}`).toBe(expected.length);
      const said = rows.map((row) => kinds[row]);
      expect(said, `how well ${text} ${way}`).toEqual(expected.map((row) => kindOf(folded[row]!, sought)));
    }
  }
  return found;
}

/** Letters of several scripts, cases and byte lengths, with and without marks, for names that contain a part twice. */
const letters = [
  ...['a', 'b', 'A', ' ', '-', '7', 'é', 'E\u0301', 'ß', 'ẞ', 'ss', 'ł', 'İ', 'ı', 'ﬁ', 'Ａ', 'œ'],
  ...[
    'Σ',
    'σ',
    'ς',
    'ё',
    'Е',
    'й',
    'कि',
    'का',
    'กิ',
    'ก',
    'が',
    'か',
    'ｶﾞ',
    '한',
    '하',
    '漢',
    'كِ',
    'ك',
    'שׁ',
    '🙂',
    '𐐀',
    '𐐨',
  ],
];
const name = fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 9 }).map((parts) => parts.join(''));

test('a generated name is found if and only if a naive search finds it', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(name, { minLength: 1, maxLength: 40 }),
      fc.array(fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 }),
      async (names, parts) => {
        const texts = parts.map((signs) => signs.join(''));
        found += await expectAgreement(await packOfNames(names), texts);
      },
    ),
    { numRuns: 30, seed: 3 },
  );
  expect(found).toBeGreaterThan(50);
});

test('names are found across the pieces in which texts are searched', async () => {
  // More texts than fit in one piece, and texts as long as half a piece.
  const many = Array.from({ length: 66_000 }, (_, index) => `n${index % 977}`);
  const long = Array.from({ length: 40 }, (_, index) => `${'ab'.repeat(25_000)} end${index}`);
  const pack = await packOfNames([...many, ...long]);
  expect(await expectAgreement(pack, ['n976', 'end7', 'b end', 'abab', 'n'])).toBeGreaterThan(60_000);
});

const data = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));
const research = `${data}semrush-keyword-magic/`;
const wordnet = `${data}wordnet-nouns/wordnet-3.1-nouns.hierarchy.json`;

test('a real keyword of any script is found by its parts', async (context) => {
  if (!existsSync(research)) context.skip(`not on this machine: ${research}`);
  const keywords = readdirSync(research)
    .filter((file) => file.endsWith('.csv'))
    .flatMap((file) => {
      const rows: string[][] = parse(readFileSync(research + file), { relax_column_count: true, bom: true });
      return rows.slice(1).map(([keyword]) => keyword!);
    });
  const foreign = keywords.filter((keyword) => /[^\0-\x7f]/.test(keyword));
  const scripts = ['Latin', 'Cyrillic', 'Arabic', 'Han', 'Hangul', 'Thai', 'Devanagari', 'Hebrew', 'Greek', 'Hiragana'];
  const present = scripts.filter((script) =>
    foreign.some((keyword) => new RegExp(`\\p{Script=${script}}`, 'u').test(keyword)),
  );
  expect(present.length).toBeGreaterThan(3);
  const pack = await packOfNames([...foreign, ...keywords.filter((_, index) => index % 7 === 0)]);
  const asked = [...spread(foreign, sampled(60)), ...spread(keywords, sampled(20))];
  expect(await expectAgreement(pack, piecesOf(asked))).toBeGreaterThan(sampled(500));
});

test('a real word is found by its parts', async (context) => {
  if (!existsSync(wordnet)) context.skip(`not on this machine: ${wordnet}`);
  const words = [...readFileSync(wordnet, 'utf8').matchAll(/"name":\s*("(?:[^"\\]|\\.)*")/gu)].map(
    ([, text]) => JSON.parse(text!) as string,
  );
  const pack = await packOfNames(spread(words, 20_000));
  expect(await expectAgreement(pack, piecesOf(spread(words, sampled(40))))).toBeGreaterThan(sampled(100));
});

/** A given number of elements, evenly spaced. */
const spread = <T>(all: readonly T[], count: number): T[] =>
  Array.from(
    { length: Math.min(count, all.length) },
    (_, at) => all[Math.floor((at * all.length) / Math.min(count, all.length))]!,
  );

/** For each text: the text itself, in capitals, its beginning, and its middle. */
function piecesOf(texts: readonly string[]): string[] {
  return texts.flatMap((text) => {
    const signs = [...text];
    const half = Math.max(1, signs.length >> 1);
    return [text, text.toUpperCase(), signs.slice(0, half).join(''), signs.slice(half >> 1, half + 1).join('')];
  });
}
