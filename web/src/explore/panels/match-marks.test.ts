import { compilePattern, isProblem } from '@kc/pack/find/name-pattern';
import { phrase, type TextQuery } from '@kc/pack/find/text-query';
import { expect, test } from 'vitest';
import { markMatches } from './marked-name.tsx';

test('every occurrence of the query is marked, ignoring case', () => {
  expect(markMatches('Shoe to shoe', [phrase('SHOE')])).toEqual([
    { text: 'Shoe', hit: true },
    { text: ' to ', hit: false },
    { text: 'shoe', hit: true },
  ]);
  expect(markMatches('shoe', [phrase('  ')])).toEqual([{ text: 'shoe', hit: false }]);
});

const marked = (name: string, ...texts: string[]) => markedBy(name, ...texts.map(phrase));
const markedBy = (name: string, ...queries: TextQuery[]) =>
  markMatches(name, queries, queries.flatMap(patternOf))
    .map(({ text, hit: isHit }) => (isHit ? `[${text}]` : text))
    .join('');

test('matches are marked in any script, ignoring accents and letter forms', () => {
  expect(marked('İstanbul', 'stan')).toBe('İ[stan]bul');
  expect(marked('Cafe\u0301s', 'CAFÉ')).toBe('[Cafe\u0301]s');
  expect(marked('Straße am Fluss', 'ss')).toBe('Stra[ß]e am Flu[ss]');
  expect(marked('ΟΔΟΣΗΜΑ', 'οδος')).toBe('[ΟΔΟΣ]ΗΜΑ');
  expect(marked('كِتَاب', 'كتا')).toBe('[كِتَا]ب');
  expect(marked('한국어', '국')).toBe('한[국]어');
});

function patternOf({ mode, text }: TextQuery) {
  const made = mode === 'regex' ? compilePattern(text) : undefined;
  return made && !isProblem(made) ? [made] : [];
}

test('words are marked in any order, and none if a required one is missing', () => {
  expect(markedBy('shoes for trail running', { mode: 'all', text: 'Running shoe' })).toBe(
    '[shoe]s for trail [running]',
  );
  expect(markedBy('trail running', { mode: 'all', text: 'running shoe' })).toBe('trail running');
  expect(markedBy('trail running', { mode: 'any', text: 'running shoe' })).toBe('trail [running]');
});

test('matches of a regular expression are marked in the original letters of the name', () => {
  expect(markedBy('Größe 42 bis 44', { mode: 'regex', text: '[0-9]+' })).toBe('Größe [42] bis [44]');
  expect(markedBy('Straßen', { mode: 'regex', text: '^stra(ss|ß)e' })).toBe('[Straße]n');
  expect(markedBy('giày chạy bộ', { mode: 'regex', text: 'chay$' })).toBe('giày chạy bộ');
});

test('matches of several texts are marked once, and adjacent ones are merged', () => {
  expect(marked('trail running shoes', 'shoe', 'trail')).toBe('[trail] running [shoe]s');
  expect(marked('trail running shoes', 'il run', 'running')).toBe('tra[il running] shoes');
  expect(marked('rakes', 'ra', 'kes', 'rakes')).toBe('[rakes]');
  expect(marked('נעלי ריצה לשטח', 'לשטח', 'נעלי')).toBe('[נעלי] ריצה [לשטח]');
});
