import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPlainName } from './plain-names.ts';
import { SearchKey, TextKey } from './text-key.ts';

const isPlain = (text: string) => {
  const bytes = new TextEncoder().encode(`A ${text} Ä`);
  return isPlainName(new DataView(bytes.buffer), 2, bytes.length - 3);
};

test('small ASCII letters, digits and signs with single spaces between are plain', () => {
  for (const text of [
    'a',
    'trail running shoes',
    "men's 4x4 @home",
    'a b c d e f',
    '{|}~!"#$%&',
    'abc d',
    'a bcdefgh',
  ]) {
    expect([text, isPlain(text)]).toEqual([text, true]);
  }
});

test('capitals, letters beyond ASCII, other blanks and spaces that fold are not', () => {
  for (const text of [
    'Trail',
    'traiL',
    'a b C',
    'café',
    'tra\til',
    'a  b',
    'abc  d',
    'abcd  e',
    ' abcd',
    'abcd ',
    'abc ',
    ' ',
    '',
    '\u007fé',
  ]) {
    expect([text, isPlain(text)]).toEqual([text, false]);
  }
});

test('a plain name is what both folds make of it', () => {
  const unit = fc.constantFrom(...' aAzZ09@[`{~\u007f\t\nä');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
      const bytes = new TextEncoder().encode(text);
      const isSame = [new TextKey(), new SearchKey()].every((fold) => {
        const length = fold.write(bytes, 0, bytes.length);
        return new TextDecoder().decode(fold.buffer.bytes.subarray(0, length)) === text;
      });
      if (isPlain(text)) expect(isSame).toBe(true);
      // Only the empty name and characters below a space may be rejected without need.
      else expect(isSame && text !== '' && !/[\t\n]/.test(text)).toBe(false);
    }),
    { numRuns: 2000 },
  );
});
