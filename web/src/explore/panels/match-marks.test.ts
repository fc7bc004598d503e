import { compilePattern, isProblem } from '@kc/pack/find/name-pattern';
import { phrase, type TextQuery } from '@kc/pack/find/text-query';
import { expect, test } from 'vitest';
import { markMatches } from './match-marks.ts';

test('every occurrence of the query is marked, whatever its case', () => {
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

test('what is found is marked in any script, whatever accents and forms its letters have', () => {
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

test('words are marked in any order, and none of them where one that is needed is missing', () => {
  expect(markedBy('shoes for trail running', { mode: 'all', text: 'Running shoe' })).toBe(
    '[shoe]s for trail [running]',
  );
  expect(markedBy('trail running', { mode: 'all', text: 'running shoe' })).toBe('trail running');
  expect(markedBy('trail running', { mode: 'any', text: 'running shoe' })).toBe('trail [running]');
});

test('what a regular expression matches is marked, letter by letter of the name itself', () => {
  expect(markedBy('Größe 42 bis 44', { mode: 'regex', text: '[0-9]+' })).toBe('Größe [42] bis [44]');
  expect(markedBy('Straßen', { mode: 'regex', text: '^stra(ss|ß)e' })).toBe('[Straße]n');
  expect(markedBy('giày chạy bộ', { mode: 'regex', text: 'chay$' })).toBe('giày chạy bộ');
});

test('what several texts match is marked once, and what touches is one piece', () => {
  expect(marked('trail running shoes', 'shoe', 'trail')).toBe('[trail] running [shoe]s');
  expect(marked('trail running shoes', 'il run', 'running')).toBe('tra[il running] shoes');
  expect(marked('rakes', 'ra', 'kes', 'rakes')).toBe('[rakes]');
  expect(marked('נעלי ריצה לשטח', 'לשטח', 'נעלי')).toBe('[נעלי] ריצה [לשטח]');
});
