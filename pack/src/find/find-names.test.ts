import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from '../../test/support/sampled.ts';
import { arraySink, arraySource, treeOf } from '../../test/support/trees.ts';
import { namesAt } from '../format/names-at.ts';
import { openPack } from '../format/pack-reader.ts';
import { matchModes } from '../vocabulary/choices.ts';
import { writePack } from '../write/pack-writer.ts';
import { hitKind } from './find-fallback.ts';
import { findNames, PatternError } from './find-names.ts';
import type { TextQuery } from './text-query.ts';

async function packOf(names: readonly string[]) {
  const sink = arraySink();
  await writePack(treeOf(`r (${names.map((name) => JSON.stringify(name)).join(' ')})`), '00'.repeat(32), sink);
  return openPack(arraySource(sink.bytes()));
}

/** The kind of match of every name in a pack, by name. */
async function kindsOf(names: readonly string[], queries: readonly TextQuery[]) {
  const pack = await packOf(names);
  const rows = Uint32Array.from({ length: pack.metadata.nodes }, (_, row) => row);
  const inRows = await namesAt(pack, rows);
  return Promise.all(
    queries.map(async (query) => {
      const { kinds, total } = await findNames(pack, query);
      expect(total).toBe(kinds.filter((kind) => kind !== hitKind.none).length);
      return inRows.map((name, row) => ({ name, kind: kinds[row]! }));
    }),
  );
}

const found = async (names: readonly string[], query: TextQuery) =>
  (await kindsOf(names, [query]))[0]!
    .filter(({ kind }) => kind !== hitKind.none)
    .map(({ name }) => name)
    .sort();

const shoes = ['running shoes', 'shoes for trail running', 'trail shoes', 'runningshoes', 'boots', 'shoes running'];

test('all words are required in any order, each as part of a word', async () => {
  expect(await found(shoes, { mode: 'all', text: ' shoes  Running' })).toEqual([
    'running shoes',
    'runningshoes',
    'shoes for trail running',
    'shoes running',
  ]);
});

test('one word is enough in mode any', async () => {
  expect(await found(shoes, { mode: 'any', text: 'boots trail' })).toEqual([
    'boots',
    'shoes for trail running',
    'trail shoes',
  ]);
});

test('a phrase must match exactly', async () => {
  expect(await found(shoes, { mode: 'phrase', text: 'running shoes' })).toEqual(['running shoes']);
});

test('a pattern and the names are matched without case and accents', async () => {
  const names = ['Größe 42', 'grosse', 'Café au lait', 'cafe', 'giày chạy bộ', '（x）', 'x'];
  expect(await found(names, { mode: 'regex', text: '^gr(ö|o)ße' })).toEqual(['Größe 42', 'grosse']);
  expect(await found(names, { mode: 'regex', text: 'CAFÉ$' })).toEqual(['cafe']);
  expect(await found(names, { mode: 'regex', text: 'chay b[ộx]' })).toEqual(['giày chạy bộ']);
  expect(await found(names, { mode: 'regex', text: '（x）' })).toEqual(['（x）']);
  expect(await found(names, { mode: 'regex', text: '\\d{2}' })).toEqual(['Größe 42']);
});

test('an invalid pattern is an error, never an empty result', async () => {
  await expect(found(shoes, { mode: 'regex', text: '(a' })).rejects.toThrow(PatternError);
});

test('an aborted pattern search stops', async () => {
  const pack = await packOf(Array.from({ length: 3000 }, (_, index) => `n${index}`));
  const given = new Error('nobody asks any more');
  const pause = () => Promise.reject(given);
  await expect(findNames(pack, { mode: 'regex', text: 'n1' }, { pause })).rejects.toBe(given);
});

// The naive search: whole strings instead of bytes, and no stored folds.

/** Marks that are vowels of Thai or Devanagari do not occur in these names. */
const bare = (text: string) =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().toLowerCase().normalize('NFC');

const startsWord = (name: string, at: number) => /^[\0-\x2f\x3a-\x60\x7b-\x7f]?$/.test(name.charAt(at - 1));

function kindOfText(name: string, text: string): number {
  if (!name.includes(text)) return hitKind.none;
  if (name === text) return hitKind.whole;
  if (name.startsWith(text)) return hitKind.beginning;
  const isWord = Array.from({ length: name.length }, (_, at) => at).some(
    (at) => name.startsWith(text, at) && startsWord(name, at),
  );
  return isWord ? hitKind.word : hitKind.part;
}

function naiveKind(original: string, { mode, text }: TextQuery): number {
  const name = bare(original);
  if (mode === 'regex') {
    const match = new RegExp(bare(text), 'u').exec(name);
    if (!match) return hitKind.none;
    if (match.index === 0) return match[0] === name ? hitKind.whole : hitKind.beginning;
    return startsWord(name, match.index) ? hitKind.word : hitKind.part;
  }
  const sought = bare(text.trim());
  const words = sought.split(/\s+/u).filter((word) => word !== '');
  if (words.length === 0) return hitKind.none;
  if (mode === 'phrase') return kindOfText(name, sought);
  if (words.length === 1) return kindOfText(name, words[0]!);
  const whole = kindOfText(name, words.filter((word, at) => words.indexOf(word) === at).join(' '));
  if (whole === hitKind.whole) return whole;
  const kinds = [...new Set(words)].map((word) => kindOfText(name, word));
  if (mode === 'any') {
    const known = kinds.filter((kind) => kind !== hitKind.none);
    return Math.min(...(whole === hitKind.beginning ? [...known, whole] : known), ...(known.length === 0 ? [0] : []));
  }
  if (kinds.includes(hitKind.none)) return hitKind.none;
  if (whole === hitKind.beginning || new Set(words).size === 1) return whole;
  return Math.max(hitKind.word, ...kinds);
}

const words = [
  ...['shoes', 'running', 'run', 'trail-run', '42'],
  ...['ランニング', 'シューズ', '靴', 'ﾄﾚｲﾙ', '東京'],
  ...['giày', 'chạy', 'bộ', 'đường', 'Đà Nẵng'],
  ...['حذاء', 'جَري', 'رياضي', 'أحذية'],
  ...['Größe', 'Straße', 'STRASSE', 'Läufer', 'für'],
];
const anyName = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 })
  .chain((parts) => fc.constantFrom(' ', '-', '').map((gap) => parts.join(gap)));
/** Whole words and prefixes of words. */
const anySought = fc
  .array(
    fc.tuple(fc.constantFrom(...words), fc.nat({ max: 4 })).map(
      ([word, cut]) =>
        [...word]
          .slice(0, [...word].length - cut)
          .join('')
          .trim() || word,
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.join(' '));
const anyPattern = fc
  .tuple(fc.constantFrom('', '^', '.*', '(', ' '), anySought, fc.constantFrom('', '$', '.', '+', '[a-zà-ỹ]'))
  .map(([before, text, after]) => `${before}${text.replaceAll(' ', '.?')}${after}${before === '(' ? ')' : ''}`);
const anyQuery: fc.Arbitrary<TextQuery> = fc
  .constantFrom(...matchModes)
  .chain((mode) => (mode === 'regex' ? anyPattern : anySought).map((text) => ({ mode, text })));

// Shows P15.6.
test('every mode finds the same as a naive search, however often the mode changes', async () => {
  const hits = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(anyName, { minLength: 1, maxLength: 25 }),
      fc.array(anyQuery, { minLength: 1, maxLength: 8 }),
      async (names, queries) => {
        const results = await kindsOf(names, queries);
        for (const [at, query] of queries.entries()) {
          expect(results[at], JSON.stringify(query)).toEqual(
            results[at]!.map(({ name }) => ({ name, kind: naiveKind(name, query) })),
          );
          const count = results[at]!.filter(({ kind }) => kind !== hitKind.none).length;
          hits.set(query.mode, (hits.get(query.mode) ?? 0) + count);
        }
      },
    ),
    { numRuns: sampled(300), seed: 3 },
  );
  for (const mode of matchModes) expect(hits.get(mode), mode).toBeGreaterThan(sampled(20));
});
