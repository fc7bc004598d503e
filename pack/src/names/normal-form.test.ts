// Shows SEC-34.
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { normalForm } from './normal-form.ts';

const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const;

test('texts with as many marks as a language uses are normalized as by the engine', () => {
  const letters = fc.constantFrom('e', 'ﬁ', '가', 'ᄀ', 'ᅡ', 'ｶ', 'ﾞ', '字', ' ');
  const marks = fc.string({ unit: fc.constantFrom('\u0301', '\u0315', '\u0323', '\u0345'), maxLength: 30 });
  const texts = fc.array(
    fc.tuple(letters, marks).map(([letter, more]) => letter + more),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(texts, fc.constantFrom(...forms), (parts, form) => {
      expect(normalForm(parts.join(''), form)).toBe(parts.join('').normalize(form));
    }),
  );
});

test.each(['\u0315\u0300', '\uff9e\u0300'])('no more than 64 marks are sorted at a time (%j)', (marks) => {
  const normalize = vi.spyOn(String.prototype, 'normalize');
  const text = normalForm(`a${marks.repeat(30_000)}b`, 'NFC');
  const pieces = normalize.mock.contexts as string[];
  normalize.mockRestore();
  expect(Math.max(...pieces.map((piece) => piece.length))).toBe(65);
  expect(pieces.join('')).toHaveLength(60_002);
  expect(text.at(-1)).toBe('b');
});
