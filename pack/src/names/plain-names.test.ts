import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from '../../test/support/sampled.ts';
import { isPlainName } from './plain-names.ts';
import { SearchKey, TextKey } from './text-key.ts';

const isPlain = (text: string) => {
  const bytes = new TextEncoder().encode(`A ${text} Ä`);
  return isPlainName(new DataView(bytes.buffer), 2, bytes.length - 3);
};

test('lower-case ASCII letters, digits and symbols with single spaces between them are plain', () => {
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

test('capitals, letters beyond ASCII, other white space and collapsible spaces are not plain', () => {
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

test('both folds leave a plain name unchanged', () => {
  const unit = fc.constantFrom(...' aAzZ09@[`{~\u007f\t\nä');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
      const bytes = new TextEncoder().encode(text);
      const isSame = [new TextKey(), new SearchKey()].every((fold) => {
        const length = fold.write(bytes, 0, bytes.length);
        return new TextDecoder().decode(fold.buffer.bytes.subarray(0, length)) === text;
      });
      if (isPlain(text)) expect(isSame).toBe(true);
      // Only the empty name and control characters may be rejected unnecessarily.
      else expect(isSame && text !== '' && !/[\t\n]/.test(text)).toBe(false);
    }),
    { numRuns: sampled(2000) },
  );
});
