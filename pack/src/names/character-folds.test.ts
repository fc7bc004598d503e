import { expect, test } from 'vitest';
import { randomFrom } from '../../test/support/documents.ts';
import { sampled } from '../../test/support/sampled.ts';
import { type CharacterFolds, entryFlags, keyFolds, searchFolds, unchangedPage } from './character-folds.ts';
import { foldForSearch } from './normal-form.ts';
import { keyOf, SearchKey, TextKey } from './text-key.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const everyCharacter = Array.from({ length: 0x110000 - 0x80 }, (_, index) => index + 0x80)
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point))
  .filter((character) => /\p{Assigned}/u.test(character));

function flagsOf(folds: CharacterFolds, character: string): number {
  return folds.find(encoder.encode(character), 0);
}

const isAlone = (folds: CharacterFolds, character: string) => (flagsOf(folds, character) & entryFlags.isAlone) !== 0;

/** Every character once, in random order and a few at a time. */
function textsOf(characters: readonly string[], seed: number): string[] {
  const random = randomFrom(seed);
  const left = [...characters];
  const texts: string[] = [];
  while (left.length > 0) {
    let text = '';
    for (let count = 1 + Math.floor(9 * random()); count > 0 && left.length > 0; count--) {
      const at = Math.floor(left.length * random());
      text += random() < 0.2 ? [' ', 'A', 'z', '  '][Math.floor(4 * random())]! : '';
      text += left[at]!;
      left[at] = left.at(-1)!;
      left.pop();
    }
    texts.push(text);
  }
  return texts;
}

test.each([
  ['key', keyFolds, new TextKey(), keyOf],
  ['fold for search', searchFolds, new SearchKey(), foldForSearch],
] as const)('the %s of every Unicode character is the same alone and within a text', (_, folds, names, whole) => {
  const alone = everyCharacter.filter((character) => isAlone(folds, character));
  expect(alone.length).toBeGreaterThan(0.97 * everyCharacter.length);
  const wrong = [];
  // Characters stand at other places in each of several texts; the long run has four of each.
  const seeds = Array.from({ length: sampled(4) }, (_, seed) => seed + 1);
  for (const text of [
    ...alone,
    ...seeds.flatMap((seed) => [...textsOf(alone, seed), ...textsOf(everyCharacter, -seed)]),
  ]) {
    const bytes = encoder.encode(text);
    const length = names.write(bytes, 0, bytes.length);
    if (decoder.decode(names.buffer.bytes.subarray(0, length)) !== whole(text)) wrong.push(text);
  }
  expect(wrong).toEqual([]);
});

test('a character that may combine with the previous one is never folded alone', () => {
  const wrong = [];
  for (const character of everyCharacter) {
    for (const mark of [...character.normalize('NFD')].slice(1)) {
      // Some letters decompose, and normalization never composes them again.
      if (character.normalize('NFC') !== character) continue;
      if (isAlone(keyFolds, mark) || isAlone(searchFolds, mark) || flagsOf(keyFolds, mark) & entryFlags.isNormal)
        wrong.push([character, mark]);
    }
  }
  expect(wrong).toEqual([]);
});

test('names in scripts without case are unchanged, without a table', () => {
  for (const text of ['鞋', '한국어', '漢字']) {
    expect(flagsOf(keyFolds, text)).toBeGreaterThan(0);
    expect(keyFolds.page).toBe(unchangedPage);
  }
});

test('a name with marks in non-canonical order is folded as a whole', () => {
  const names = new SearchKey();
  const key = new TextKey();
  // A tone mark (class 107) before a vowel sign (class 103), and two Arabic marks (27 and 33).
  for (const text of ['น\u0e48\u0e38', 'ن\u0651\u064e', 'ن\u064e\u0651', 'é\u0e48', 'İ\u0e48']) {
    const bytes = encoder.encode(text);
    const length = names.write(bytes, 0, bytes.length);
    expect(decoder.decode(names.buffer.bytes.subarray(0, length))).toBe(foldForSearch(text));
    expect(decoder.decode(key.buffer.bytes.subarray(0, key.write(bytes, 0, bytes.length)))).toBe(keyOf(text));
  }
});
