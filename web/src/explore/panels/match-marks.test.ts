import { expect, test } from 'vitest';
import { markMatches } from './match-marks.ts';

test('every occurrence of the query is marked, whatever its case', () => {
  expect(markMatches('Shoe to shoe', ['SHOE'])).toEqual([
    { text: 'Shoe', hit: true },
    { text: ' to ', hit: false },
    { text: 'shoe', hit: true },
  ]);
  expect(markMatches('shoe', ['  '])).toEqual([{ text: 'shoe', hit: false }]);
});

const marked = (name: string, ...texts: string[]) =>
  markMatches(name, texts)
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

test('what several texts match is marked once, and what touches is one piece', () => {
  expect(marked('trail running shoes', 'shoe', 'trail')).toBe('[trail] running [shoe]s');
  expect(marked('trail running shoes', 'il run', 'running')).toBe('tra[il running] shoes');
  expect(marked('rakes', 'ra', 'kes', 'rakes')).toBe('[rakes]');
  expect(marked('נעלי ריצה לשטח', 'לשטח', 'נעלי')).toBe('[נעלי] ריצה [לשטח]');
});
