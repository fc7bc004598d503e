import type { SearchHit } from '@kc/rules/shapes';
import { expect, test } from 'vitest';
import { groupByPillar, markMatches } from './search-groups.ts';

const known: string[] = [];
/** One for each name. */
function nodeOf(name: string): number {
  if (!known.includes(name)) known.push(name);
  return known.indexOf(name);
}

function hit(name: string, ...path: string[]): SearchHit {
  const places = path.map((p) => ({ node: nodeOf(p), name: p }));
  return { node: nodeOf(name), name, type: 'keyword', keywords: 1, path: places };
}

test('hits stand under their pillar topic, best group first', () => {
  const hits = [
    hit('trail shoes', 'root', 'Shoes', 'Trail'),
    hit('socks', 'root', 'Wear'),
    hit('shoe rack', 'root', 'Shoes'),
  ];
  expect(groupByPillar(hits).map((g) => [g.pillar, g.hits.map((h) => h.name)])).toEqual([
    ['Shoes', ['trail shoes', 'shoe rack']],
    ['Wear', ['socks']],
  ]);
});

test('a pillar topic and the root stand under their own name', () => {
  expect(groupByPillar([hit('Shoes', 'root'), hit('root')]).map((g) => g.pillar)).toEqual(['Shoes', 'root']);
});

test('every occurrence of the query is marked, whatever its case', () => {
  expect(markMatches('Shoe to shoe', 'SHOE')).toEqual([
    { text: 'Shoe', hit: true },
    { text: ' to ', hit: false },
    { text: 'shoe', hit: true },
  ]);
  expect(markMatches('shoe', '  ')).toEqual([{ text: 'shoe', hit: false }]);
});

const marked = (name: string, query: string) =>
  markMatches(name, query)
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
